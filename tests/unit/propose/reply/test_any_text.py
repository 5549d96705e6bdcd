"""Properties of reading replies: any text is borne, and a repair survives any combination of disguises."""

from __future__ import annotations

import ast
import html
import json
import textwrap
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_reply, standalone_program
from regreen.propose.reply.parsing import BudgetedParser
from regreen.propose.reply.reply_result import SyntaxProblem
from regreen.types import Suite, SuiteKind, Task

MAX_CHARACTERS = 200_000

HEAD = "# The head stays.\nimport os\n\nWIDTH = 3\t# odd\n\n\ndef other(x) :\n    return  x\n\n\n@staticmethod\n"
OLD = 'def find(items, wanted, *, start=0):\n    """Where it stands."""\n    return -1\n'
TAIL = "\n\n# The tail stays.\nclass Box( object ):\n\n    def find(self): return 'é'  # ¶\n"
PROGRAM = HEAD + OLD + TAIL
TASK = Task("find", PROGRAM, "find", Suite(SuiteKind.SCRIPT, "", ()))

PIECES = st.sampled_from(
    (
        *(
            "```python\n",
            "```",
            "~~~",
            "def find(items, wanted, *, start=0):\n",
            "    return 1\n",
            "class Box:\n",
            "\t",
        ),
        *(
            "<think>",
            "</think>",
            "@@ -1 +1 @@\n",
            "-    return -1\n",
            "+    return 1\n",
            "<<<<<<< SEARCH\n",
            "=======\n",
        ),
        *(">>>>>>> REPLACE\n", '{"code": "', '"}', '{"edits": [', "{", "[", "&lt;", ">>> ", "... ", "1| ", "\\n", "'"),
        *("import os\n", "from a import b\n", "\u201c", "\u00a0", "\x00", "\ud800", "\x0c", "\r", "\u2026", "async "),
        *(
            "    # ... rest unchanged\n",
            "lambda",
            "if __name__ == '__main__':\n",
            "match x:\n    case 1:\n        pass\n",
        ),
        *('"""', "@", "#", ":", "    "),
    )
)
LENGTH = 40_000
ANYTHING = st.one_of(st.text(max_size=300), st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=40).map("".join))


@given(
    ANYTHING, st.sampled_from(["find", "Box", None, "é", ""]), st.sampled_from([PROGRAM, "", "def find(:\n", "\r\n"])
)
@examples(1.5)
def test_no_text_makes_reading_raise(text: str, entry_point: str | None, program: str) -> None:
    """Whatever comes, there is a program that parses or a named fault; the program is never the one that was given."""
    found = read_reply(text, Task("find", program, entry_point, Suite(SuiteKind.SCRIPT, "", ())))
    if isinstance(found, ReplyProgram):
        ast.parse(found.source)
        assert found.source != program
    else:
        assert found.kind in ReplyFaultKind
        assert found.detail


@given(ANYTHING, st.sampled_from(["find", None]))
def test_no_text_makes_taking_a_program_raise(text: str, entry_point: str | None) -> None:
    """What is taken parses and defines something."""
    found = standalone_program(text, entry_point)
    if isinstance(found, str):
        assert any(isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Assign)) for node in ast.parse(found).body)
    else:
        assert found.detail


STATEMENTS = st.lists(
    st.sampled_from(
        (
            "for place, item in enumerate(items):\n    if item == wanted and place >= start:\n        return place",
            "while start < len(items):\n    start += 2  # skip",
            *("if not items:\n    return None", "start += 1", "text = 'a < b & c > d'  # said", "x = y = [\n    1,\n]"),
            *("seen = {item: 1 for item in items}", 'assert wanted is not None, "none"'),
        )
    ),
    max_size=4,
)
DISGUISES = {
    "indented": lambda code: textwrap.indent(code, "    "),
    "odd blanks": lambda code: code.replace("return ", "return\u00a0"),
    "numbers": lambda code: (
        "\n".join(f"{at:>3} | {line}" for at, line in enumerate(code.rstrip("\n").split("\n"), 8)) + "\n"
    ),
    "prompts": lambda code: (
        "\n".join((">>> " if at == 0 else "... ") + line for at, line in enumerate(code.rstrip("\n").split("\n")))
        + "\n>>> find([1], 1)\n0\n"
    ),
    "entities": lambda code: html.escape(code),
}
WRAPPINGS = {
    "fence": lambda code: f"Here it is:\n\n```python\n{code}```\nThat's it.\n",
    "tildes": lambda code: f"~~~~ {{.py}}\n{code}\n~~~~",
    "never closed": lambda code: f"Well:\n```py\n{code}",
    "in a list": lambda code: "- First\n- Then:\n\n" + textwrap.indent(f"```\n{code}```", "  ") + "\n- Last\n",
    "after the old one": lambda code: f"Wrong:\n```\n{OLD}```\nRight:\n```\n{code}```\n```\nfind([1], 2)\n```\n",
    "json": lambda code: json.dumps({"thought": "so {it} is", "code": code}),
    "thought first": lambda code: f"<think>What about\n```\n{OLD}```\n?</think>```python\n{code}```",
    "bare": lambda code: code,
}


@given(
    STATEMENTS,
    st.lists(st.sampled_from(sorted(DISGUISES)), max_size=3, unique=True),
    st.sampled_from(sorted(WRAPPINGS)),
)
@examples(1.5)
def test_a_function_survives_any_combination_of_disguises(
    statements: list[str], disguises: list[str], wrapping: str
) -> None:
    """The new function comes out as it went in, with docstring and decorator kept; all else stays byte for byte."""
    heading = "def find(items, wanted, *, start=0):\n"
    body = textwrap.indent("\n".join([*statements, "return 0"]), "    ") + "\n"
    text = heading + body
    if {"numbers", "prompts"} <= set(disguises):
        disguises.remove("prompts")
    for name in (name for name in DISGUISES if name in disguises):
        text = DISGUISES[name](text)
    found = read_reply(WRAPPINGS[wrapping](text), TASK)
    assert isinstance(found, ReplyProgram), found
    assert found.source == HEAD + heading + '    """Where it stands."""\n' + body + TAIL


@pytest.mark.parametrize(
    "piece",
    [
        "```\n",
        "(\n",
        "@a\n",
        "a = \n",
        '"""\n```\n',
        "x\n\t",
        "def find(\n",
        "@@ -1 +1 @@\n-a\n+b\n",
        '{"a":',
        "<<<<<<< SEARCH\n",
    ],
)
def test_time_grows_with_the_length_alone(piece: str) -> None:
    """A reply of hostile pieces takes a second or so: what is parsed grows with its length, and no faster."""
    began = time.process_time()
    read_reply(piece * (LENGTH // len(piece)), TASK)
    assert time.process_time() - began < 4


def test_longer_replies_are_refused_unread() -> None:
    """Beyond the length that is read there is a fault, not a wait."""
    for found in (read_reply("x" * (MAX_CHARACTERS + 1), TASK), standalone_program("x" * (MAX_CHARACTERS + 1), None)):
        assert isinstance(found, ReplyFault)
        assert found.kind is ReplyFaultKind.TOO_LONG


def test_what_is_parsed_has_a_limit() -> None:
    """Once the characters are spent nothing more is parsed, and nothing is found."""
    parser = BudgetedParser(0)
    spent = 0
    while isinstance(parser.tree(f"y = {spent}\n" + "x = 1\n" * 1_000), ast.Module):
        spent += 1
    assert 10 < spent < 100
    assert isinstance(parser.code("x"), SyntaxProblem)
