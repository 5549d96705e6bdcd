"""Changes of one module of a project, screened as the search does."""

from __future__ import annotations

from collections.abc import Sequence

from regreen.sandbox.pool import Pool
from regreen.types import Edit, Limits, Suite
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ScreeningLimits, ScreeningResult

LIMITS = Limits(seconds=2.0, memory_bytes=256 << 20)


def screened_changes(
    pool: Pool, suite: Suite, program: str, changes: Sequence[tuple[str, str]], allowance: ScreeningLimits
) -> list[ScreeningResult]:
    """What one screener says of the program with each of these texts replaced, one after another."""
    mutations = [[Edit(program.index(old), program.index(old) + len(old), new)] for old, new in changes]
    with open_screeners(pool, program, suite, LIMITS, {}, size=1) as team:
        return team.screen(mutations, frozenset(), allowance)
