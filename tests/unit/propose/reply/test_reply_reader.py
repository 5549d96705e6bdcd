"""Odd corners of where code stands in a reply, and of changes that are given instead of code."""

from __future__ import annotations

import json

import pytest

from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_programs, read_reply
from regreen.types import Suite, SuiteKind, Task

PROGRAM = "def f(x):\n    return x < 1\n\n\ndef g(x):\n    return x < 1\n"


def read(reply: str, program: str = PROGRAM) -> ReplyProgram | ReplyFault:
    """What comes of a reply for `f`."""
    return read_reply(reply, task_of(program))


def task_of(program: str) -> Task:
    """The task to repair `f`."""
    return Task("t", program, "f", Suite(SuiteKind.SCRIPT, "", ()))


def source(reply: str, program: str = PROGRAM) -> str:
    """The program that comes of it."""
    found = read(reply, program)
    assert isinstance(found, ReplyProgram), found
    return found.source


def test_a_fence_within_a_string_does_not_end_the_block() -> None:
    """A docstring that shows a fenced example belongs to the function."""
    function = 'def f(x):\n    """\n    ```\n    f(1)\n    ```\n    """\n    return x\n'
    assert source(f"```python\n{function}```\nSo.\n", "def f(x):\n    return 1\n") == function


def test_html_in_code_that_parses_is_undone_outside_of_strings_alone() -> None:
    """`x &lt; 2` happens to be Python; "&lt;" in a string is meant."""
    assert source("```\ndef f(x):\n    return x &lt; 2\n```").startswith("def f(x):\n    return x < 2\n")
    assert '"&lt;"' in source('```\ndef f(x):\n    return "&lt;"\n```')


def test_strings_and_brackets_may_reach_the_margin_in_prose() -> None:
    """A function among prose goes on after lines at the margin, where a string or a bracket is open."""
    function = 'def f(x):\n    return """\nat the margin\n""", [\nx,\n]\n'
    assert source(f"It is:\n\n{function}\nIsn't it?\n", "def f(x):\n    return 1\n") == function


def test_a_stub_of_another_function_leaves_it_alone() -> None:
    """`g` is only hinted at: the program's own is kept, and that is noted."""
    found = read("```\ndef f(x):\n    return x <= 1\n\ndef g(x):\n    ...\n```")
    assert isinstance(found, ReplyProgram)
    assert found.source == PROGRAM.replace("<", "<=", 1)
    assert found.notes == ("`g` has no body in the reply and was kept",)


def test_a_hunk_goes_to_the_place_that_its_number_is_nearest_to() -> None:
    """Lines that stand twice are told apart by the number; without one they are refused."""
    change = "-    return x < 1\n+    return x <= 1\n"
    assert source(f"```diff\n@@ -6 +6 @@\n{change}```") == PROGRAM[:-4] + "<= 1\n"
    found = read(f"```diff\n{change}```")
    assert isinstance(found, ReplyFault)
    assert found.kind is ReplyFaultKind.MISFIT
    assert "lines 2, 6" in found.detail


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("def f(x):", "def f(x, y):", ReplyFaultKind.SIGNATURE),
        ("def f(x):", "def h(x):", ReplyFaultKind.SIGNATURE),
        ("def f(x):", "def f(x):  # said", ReplyFaultKind.UNCHANGED),
        ("def f(x):", "def f(x:", ReplyFaultKind.SYNTAX),
    ],
)
def test_a_changed_program_is_checked_like_any_other(old: str, new: str, kind: ReplyFaultKind) -> None:
    """Edits, diffs and searches may not break the heading, the syntax, or change nothing."""
    edits = json.dumps({"edits": [{"operation": "replace", "first_line": 1, "last_line": 1, "old": old, "new": new}]})
    search = f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"
    diff = f"```diff\n@@ -1 +1 @@\n-{old}\n+{new}\n```"
    for reply in (edits, search, diff):
        found = read(reply)
        assert isinstance(found, ReplyFault), found
        assert found.kind is kind


def test_columns_count_characters_on_lines_that_are_not_ascii() -> None:
    """Python counts bytes; a statement after `é` is cut where it ends all the same."""
    program = "x = 'é'; LIMIT = 1\n\n\ndef f(x):\n    return LIMIT\n"
    reply = "```\nname = 'éé'; STEP = 2  # é\n\ndef f(x): a = 'é'; return STEP + len(name + a)\n```"
    assert source(reply, program.replace("    return", '    """Doc é."""\n    return')) == (
        "x = 'é'; LIMIT = 1\n\n\nname = 'éé'\nSTEP = 2\n\n\n"
        'def f(x):\n    """Doc é."""\n    a = \'é\'; return STEP + len(name + a)\n'
    )


def test_a_whole_function_in_a_change_that_does_not_fit_is_taken() -> None:
    """The search text is made up, but what it is replaced by is all of `f`."""
    reply = "<<<<<<< SEARCH\ndef f(y):\n    return 7\n=======\ndef f(x):\n    return x\n>>>>>>> REPLACE\n"
    assert source(reply) == PROGRAM.replace("x < 1", "x", 1)


def test_the_changes_of_a_reply_are_made_all_or_none() -> None:
    """One that fits does not make up for one that does not."""
    block = "<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
    found = read(block.format("def f(x):", "def f(x):\n    x += 1") + block.format("nowhere", "here"))
    assert isinstance(found, ReplyFault)
    assert found.kind is ReplyFaultKind.MISFIT
    assert found.detail.startswith("Change 2:")


def test_every_complete_block_is_a_program_of_its_own() -> None:
    """The last comes first, as where one is taken; quotations, omissions and pieces of the body are none."""
    bodies = ("x <= 1", "x < 1", "x < 2", "...")
    blocks = [f"```\ndef f(x):\n    {'' if body == '...' else 'return '}{body}\n```" for body in bodies]
    found = read_programs("\nor\n".join([*blocks, "```\nreturn x < 7\n```"]), task_of(PROGRAM))
    assert not isinstance(found, ReplyFault)
    assert [(program.block, program.source) for program in found] == [
        (3, PROGRAM.replace("1", "2", 1)),
        (1, PROGRAM.replace("<", "<=", 1)),
    ]
    assert found[0] == read("\nor\n".join(blocks))


def test_of_many_blocks_the_last_ones_are_read() -> None:
    """A reply without end costs no more verdicts than a few."""
    reply = "\n".join(f"```\ndef f(x):\n    return x < {number}\n```" for number in range(2, 40))
    found = read_programs(reply, task_of(PROGRAM), most=3)
    assert not isinstance(found, ReplyFault)
    assert [program.block for program in found] == [38, 37, 36]
