"""Programs taken from raw replies as they are, to be judged."""

from __future__ import annotations

import pytest

from regreen.propose.reply import ReplyFault, ReplyFaultKind, standalone_program

FUNCTION = "def f(x):\n    # as it was written\n    return  x\n"


@pytest.mark.parametrize(
    "reply",
    [
        FUNCTION,
        f"So:\n```python\n{FUNCTION}```\nThat's it, isn't it?\n",
        f"```\ndef f(x):\n    return 0\n```\nNo:\n```\n{FUNCTION}```\n```\nprint(f(1))\n```\n",
        f"<think>```\ndef f(x): return 0\n```</think>\n{FUNCTION}",
        f"It is this:\n\n{FUNCTION}\nIt doesn't do much.\n",
    ],
)
def test_the_last_block_that_defines_the_entry_point_is_the_program(reply: str) -> None:
    """The text of the function is not touched; prose, thoughts, drafts and usage are left out."""
    found = standalone_program(reply, "f")
    assert isinstance(found, str)
    assert found.strip() == FUNCTION.strip()
    assert found.endswith("\n")


def test_trials_are_dropped_and_what_the_function_needs_is_kept() -> None:
    """Asserts, prints and `if __name__` only try it out; a loop that fills a table does not."""
    reply = (
        "import sys\nTABLE = []\nfor i in range(3):\n    TABLE.append(i)\n\ndef f(x):\n    return TABLE[x]\n\n"
        "result = f(1)\nassert f(1) == 1\nprint(result)\nif __name__ == '__main__':\n    f(2)\nf(0)\n"
    )
    assert standalone_program(reply, "f") == reply.partition("\nresult")[0]


def test_what_is_used_is_taken_from_other_blocks() -> None:
    """Helpers and imports that stand in blocks of their own are put before the function."""
    reply = "```\nfrom math import pi\ndef g():\n    return pi\n```\nthen\n```\ndef f(x):\n    return g() * x\n```\n"
    assert (
        standalone_program(reply, "f")
        == "from math import pi\ndef g():\n    return pi\ndef f(x):\n    return g() * x\n"
    )


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", ReplyFaultKind.NO_CODE),
        ("Nothing to see.", ReplyFaultKind.NO_CODE),
        ("```\ndef g(x):\n    return 1\n```", ReplyFaultKind.NO_FUNCTION),
        ("```\ndef f(x)\n    return 1\n```", ReplyFaultKind.SYNTAX),
        ("def f(x):\n    return (1\n", ReplyFaultKind.SYNTAX),
    ],
)
def test_without_such_a_program_the_reason_is_named(reply: str, kind: ReplyFaultKind) -> None:
    """A reply that cannot be judged says why."""
    found = standalone_program(reply, "f")
    assert isinstance(found, ReplyFault)
    assert found.kind is kind


def test_any_definition_will_do_where_no_entry_point_is_known() -> None:
    """Then the last block that defines a function or a class is the program."""
    assert standalone_program("```\nclass A:\n    pass\n```\n```\nA()\n```", None) == "class A:\n    pass\n"
