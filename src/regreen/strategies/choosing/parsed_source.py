"""The program beside which repairs are compared, where the given one does not even parse."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Final

from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.syntax_repair import repair_syntax
from regreen.syntax import parsed_or_none

_MOST_MENDINGS: Final = 60
"""Of how many mended programs the one nearest to the repair is taken."""


def parsed_near(source: str, repaired: str) -> str:
    """The program; or, where it does not parse, it with its syntax mended as in a repair of it.

    Its answers tell what the repair changes besides. Where nothing mends it, it is as it was.
    """
    if parsed_or_none(source) is not None:
        return source
    lines = Counter(repaired.splitlines())
    mended = (splice_edits(source, mending.edits) for mending in islice(repair_syntax(source), _MOST_MENDINGS))
    return max(mended, key=lambda text: (lines & Counter(text.splitlines())).total(), default=source)
