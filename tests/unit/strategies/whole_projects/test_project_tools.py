"""The tools on the copy of a project: what they show, what they refuse, and that nothing is without bounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from regreen.models import ToolCall
from regreen.strategies.whole_projects.project_tools import TOOL_NAMES, ToolResults

Tools = Callable[..., ToolResults]


@pytest.fixture
def tools(project_session: Callable[..., Any]) -> Tools:
    """The tools on a fresh copy."""

    def opened(**options: Any) -> ToolResults:
        return ToolResults(project_session(**options), {})

    return opened


def said(tools: ToolResults, name: str, **arguments: Any) -> str:
    """The answer to one call."""
    return tools.answer(ToolCall("1", name, json.dumps(arguments)))


def test_files_are_listed_with_names_that_cannot_break_a_line(tools: Tools) -> None:
    """All of them, or those that match; a name that does not print is shown as JSON writes it."""
    listed = said(tools(), "list").splitlines()
    assert listed[0] == "pyproject.toml (24 bytes)"
    assert '"tests/data/od\\u200bd\\nname.txt" (8 bytes)' in listed
    assert said(tools(), "list", pattern="shop/*.py").count("\n") == 3
    assert said(tools(), "list", pattern="*.rs") == "No file matches."


def test_a_text_is_found_with_its_place_also_in_what_was_edited(tools: Tools) -> None:
    """Path, line number and line, on the copy as it is."""
    copy = tools()
    assert said(copy, "search", text="RATE") == "shop/tax.py:1: RATE = 2\nshop/tax.py:5: return price * RATE"
    said(copy, "edit", path="shop/tax.py", old="RATE = 2", new="RATE = 3")
    assert said(copy, "search", text="RATE = 3", pattern="shop") == "shop/tax.py:1: RATE = 3"
    assert said(copy, "search", text="nowhere to be seen") == "It is found nowhere."


def test_a_file_is_shown_with_line_numbers_from_where_it_is_asked(tools: Tools) -> None:
    """Tests can be seen, too; a range beyond the end says how many lines there are."""
    shown = said(tools(), "view", path="shop/tax.py", first_line=4, last_line=99)
    assert shown == "shop/tax.py, lines 4 to 5 of 5:\n4| def tax(price):\n5|     return price * RATE"
    assert "def test_total" in said(tools(), "view", path="tests/test_shop.py")
    assert said(tools(), "view", path="shop/tax.py", first_line=50) == "shop/tax.py has 5 lines."


def test_edits_change_the_copy_alone(tools: Tools) -> None:
    """One after the other; what is not there, or is no Python afterwards, is refused."""
    copy = tools()
    assert "is changed on the copy" in said(copy, "edit", path="shop/tax.py", old="RATE = 2", new="RATE = 3")
    assert "is changed" in said(copy, "edit", path="shop/tax.py", old="RATE = 3", new="RATE = 4")
    assert copy.texts == {"shop/tax.py": "RATE = 4\n\n\ndef tax(price):\n    return price * RATE\n"}
    assert not copy.faults
    assert "old is not in the program" in said(copy, "edit", path="shop/tax.py", old="RATE = 2", new="RATE = 3")
    assert "does not parse" in said(copy, "edit", path="shop/tax.py", old="RATE = 4", new="RATE = (")
    assert [kind for kind, _ in copy.faults] == ["misfit", "syntax"]
    assert len(copy.texts) == 1


OUTSIDE = (
    "tests/test_shop.py",
    "tests/conftest.py",
    "pyproject.toml",
    "/etc/passwd",
    "../../etc/passwd",
    "shop/../tests/test_shop.py",
    "shop/new.py",
    "",
    "\0",
)


@pytest.mark.parametrize("path", OUTSIDE)
def test_tests_configuration_and_what_lies_outside_are_never_edited(tools: Tools, path: str) -> None:
    """Each is refused with a reason; nothing of the copy changes."""
    copy = tools()
    answer = said(copy, "edit", path=path, old="import pytest", new="import os")
    assert answer.startswith("This call was not carried out")
    assert (copy.texts, len(copy.faults)) == ({}, 1)


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "shop/../../x", "~/.ssh/id_rsa"])
def test_only_the_copy_is_shown(tools: Tools, path: str) -> None:
    """A path that is none of the project's reaches no disk."""
    assert "there is no file" in said(tools(), "view", path=path)


def test_what_the_user_allows_may_be_edited(tools: Tools) -> None:
    """And nothing else beside the modules."""
    copy = tools(allowed=("tests/test_*.py",))
    assert "is changed" in said(copy, "edit", path="tests/test_shop.py", old="    assert tax(1) == 2", new="    pass")
    assert "may not be changed" in said(copy, "edit", path="tests/conftest.py", old="import pytest", new="import os")


MALFORMED = (
    ToolCall("1", "rm", "{}"),
    ToolCall("1", "view", "not json"),
    ToolCall("1", "view", "[1, 2]"),
    ToolCall("1", "view", "{}"),
    ToolCall("1", "view", '{"path": 7}'),
    ToolCall("1", "edit", '{"path": "shop/tax.py", "old": "RATE = 2"}'),
    ToolCall("1", "search", '{"text": "  "}'),
    ToolCall("1", "\x1b[31m", "\x1b[31m" * 1_000),
)


@pytest.mark.parametrize("call", MALFORMED)
def test_a_malformed_call_is_answered_and_recorded(tools: Tools, call: ToolCall) -> None:
    """As a fault of the reply, in a bounded answer without control characters."""
    copy = tools()
    answer = copy.answer(call)
    assert answer.startswith("This call was not carried out")
    assert "\x1b" not in answer
    assert len(answer) < 3_000
    assert copy.faults[0][0] in ("tool_call", "unknown_tool")


def test_answers_are_bounded(tools: Tools) -> None:
    """Many files, many hits, long lines and long files are cut, and the answer says so."""
    more = {f"many/file_{number}.py": "needle = 1\n" for number in range(500)}
    copy = tools(more={**more, "long.py": "x = '" + "y" * 50_000 + "'\n" * 2_000})
    assert "more: give a pattern" in said(copy, "list")
    assert "and more: search for a longer text" in said(copy, "search", text="needle")
    assert len(said(copy, "view", path="long.py")) < 13_000
    assert len(said(copy, "search", text="y" * 400)) < 13_000


def test_a_call_without_arguments_may_write_nothing(tools: Tools) -> None:
    """Services send "", "{}" or "null" for it; the tests are left to whoever can run them."""
    for text in ("", "{}", "null"):
        copy = tools()
        assert copy.answer(ToolCall("1", "run_tests", text)) == ""
        assert not copy.faults
    assert "run_tests" in TOOL_NAMES
