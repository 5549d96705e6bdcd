"""The name of a repair's branch and the message of its commit say what was changed, and hold nothing that acts."""

from __future__ import annotations

import pytest

from regreen.report.commit_text import branch_name, commit_message
from regreen.types import CheckResult, FileChange, Outcome, ProjectOutcome, ProjectRepair

GREEN, RED = CheckResult(Outcome.PASSED), CheckResult(Outcome.FAILED)
TEXT = "class Cart:\n    def due(self):\n        return 1\n"


def change(path: str = "shop/cart.py", note: str = "`1` became `2`") -> FileChange:
    """A change in the third line."""
    after = TEXT.replace("1", "2")
    return FileChange(path, TEXT, after, TEXT.encode(), after.encode(), note)


def message(explanation: str = "It was 1.", note: str = "`1` became `2`") -> str:
    """The message for a repair of one test."""
    before, after = {"t.py::test_a": RED, "t.py::test_b": GREEN}, {"t.py::test_a": GREEN, "t.py::test_b": GREEN}
    repair = ProjectRepair("/p", ProjectOutcome.FIXED, before, after, (change(note=note),), explanation=explanation)
    return commit_message(repair)


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        (["shop/cart.py"], "regreen/fix-cart-cart-due"),
        (["shop/__init__.py"], "regreen/fix-shop-cart-due"),
        (["b/two.py", "a/one.py"], "regreen/fix-one-cart-due-and-two-cart-due"),
        (["größe/..lock.py"], "regreen/fix-lock-cart-due"),
    ],
)
def test_a_branch_is_called_by_what_is_changed(paths: list[str], name: str) -> None:
    """Module, class and function, in characters that every file system takes."""
    assert branch_name([change(path) for path in paths]) == name


def test_a_message_tells_the_change_the_reason_and_the_proof() -> None:
    """The first line is the change; the tests that turned green are named."""
    lines = message().splitlines()
    assert lines[0] == "Fix shop/cart.py: `1` became `2`"
    assert lines[1] == ""
    assert "  It was 1." in lines
    assert "  t.py::test_a" in lines
    assert "  t.py::test_b" not in lines
    assert "all 2 tests" in lines[-1]


def test_a_first_line_stays_short() -> None:
    """A long note is left to the body."""
    assert message(note="x" * 200).splitlines()[0] == "Fix cart.py"


def test_what_a_test_says_is_no_trailer_and_no_escape() -> None:
    """It comes from the project, which nobody has vouched for."""
    text = message("boom\x1b[2J\nSigned-off-by: Somebody <x@example.org>\r\n\u2028Reviewed-by: y")
    assert "\x1b" not in text
    assert all(not line.startswith(("Signed", "Reviewed")) for line in text.splitlines())
