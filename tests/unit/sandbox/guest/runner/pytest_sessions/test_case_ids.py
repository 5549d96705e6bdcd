"""Which check a collected test is, where the ids of its cases come from the program."""

from __future__ import annotations

import pytest

from regreen.sandbox.guest.runner.pytest_sessions.case_ids import known_checks

KNOWN = ("test_a", "test_even[4]", "test_even[5]", "test_b[x]")


@pytest.mark.parametrize(
    ("collected", "checks"),
    [
        (KNOWN, list(KNOWN)),
        (("test_a", "test_even[4]", "test_even[6]", "test_b[x]"), list(KNOWN)),
        # What was the second case is the first now: the place counts, not the name.
        (("test_even[5]", "test_even[7]"), ["test_even[4]", "test_even[5]"]),
        (("test_b[x]", "test_a"), ["test_b[x]", "test_a"]),
        # Reordered, and otherwise the same.
        (("test_even[5]", "test_even[4]"), ["test_even[5]", "test_even[4]"]),
        # More cases, or fewer: what is not there by name was not run.
        (("test_even[6]",), [None]),
        (("test_even[4]", "test_even[6]", "test_even[8]"), ["test_even[4]", None, None]),
        (("test_c", "test_c[1]"), [None, None]),
    ],
)
def test_a_case_is_known_by_its_id_or_by_its_place(collected: tuple[str, ...], checks: list[str | None]) -> None:
    """No two tests are taken for one check."""
    assert known_checks(KNOWN, collected) == checks
