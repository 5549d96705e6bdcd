"""Signs of a change that nobody would make on purpose, and flaws that it may leave; a room for each kind of them."""

from __future__ import annotations

from regreen.select.signs.change_signs import SIGNS
from regreen.select.signs.program_flaws import FLAWS


def signs_cost(before: str, after: str) -> float:
    """What the signs in a change of `before` into `after`, and the flaws left in it, cost, in changed tokens."""
    signs = sum(sign.cost * sign.count(before, after) for sign in SIGNS)
    return signs + sum(flaw.cost * flaw.count(after) for flaw in FLAWS)
