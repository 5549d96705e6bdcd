"""What a guest says of an exception, believed in no word."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.wire.codec import BadMessage, describe_exception
from regreen.sandbox.guest.wire.codec_exceptions import checked_description

HONEST = {**describe_exception(KeyError("k")), "lines": [3, 7], "flood": False}
TOLD = ("name", "mro", "builtin", "message", "lines", "flood")
"""What goes on into the results of checks."""
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=20),
    lambda parts: st.lists(parts, max_size=5) | st.dictionaries(st.text(max_size=5), parts, max_size=5),
    max_leaves=20,
)


def test_an_honest_description_is_kept() -> None:
    """All but what the judge does not use."""
    assert checked_description(HONEST) == {k: v for k, v in HONEST.items() if k != "errno"}


@given(st.dictionaries(st.sampled_from([*HONEST, "more"]), ANYTHING, max_size=8) | ANYTHING)
def test_whatever_is_told_fits_into_a_message_or_is_refused(told: Any) -> None:
    """No field has another type or more of it than an honest guest sends."""
    try:
        checked = checked_description(told)
    except BadMessage:
        return
    # What is special about an exception, its parts, is checked when it is rebuilt.
    assert len(json.dumps({name: checked[name] for name in TOLD})) < 100_000
    assert all(0 < line < 1 << 31 for line in checked["lines"])
    assert checked["mro"]


@pytest.mark.parametrize(
    "forged", [{"lines": [1 << 40_000] * 3}, {"lines": [0, -1, 1 << 31, True]}, {"lines": list(range(1, 100_000))}]
)
def test_forged_lines_are_few_and_in_range(forged: dict[str, Any]) -> None:
    """A number of thousands of digits could not even be written down for the host."""
    lines = checked_description({**HONEST, **forged})["lines"]
    assert lines == list(range(99_000, 100_000)) if len(forged["lines"]) > 4 else lines == []


@pytest.mark.parametrize("field", ["mro", "lines"])
def test_a_field_of_another_kind_is_a_torn_message(field: str) -> None:
    """It is the guest that is at fault."""
    with pytest.raises(BadMessage):
        checked_description({**HONEST, field: {"a": 1}})
