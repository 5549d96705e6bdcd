"""What of a repair is worth a place on the disk."""

from __future__ import annotations

import pytest

from regreen.strategies.checkpoints import paid_for
from regreen.strategies.state import State, initial_state, updated


@pytest.mark.parametrize(
    ("more", "is_worth_it"),
    [
        (State(turns=["a reply"]), True),
        (State(screened=800), True),
        (State(attempts=["a candidate"], seconds={"execute": 2.5}), True),
        (State(attempts=["a candidate"], seconds={"execute": 0.01}), False),
        (State(iteration=1, left="iterate"), False),
    ],
    ids=["a reply", "a search", "checks that took seconds", "checks that took an instant", "a step"],
)
def test_a_step_is_kept_where_it_cost_something(more: State, is_worth_it: bool) -> None:
    """A reply is never paid for twice; what the checks say in an instant they can say again."""
    before = initial_state()
    assert (paid_for(updated(before, more)) != paid_for(before)) == is_worth_it
