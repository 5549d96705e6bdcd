"""Replies to a project: which file is meant, and what becomes of it."""

from __future__ import annotations

import json

import pytest

from regreen.propose.reply.project_reply import EditableProject, ReplyChanges, read_project_reply
from regreen.propose.reply.reply_result import ReplyFault, ReplyFaultKind

CART = "def total(prices):\n    return sum(prices) + 1\n\n\ndef count(prices):\n    return len(prices)\n"
TAX = "RATE = 2\n\n\ndef tax(price):\n    return price * RATE\n"
PROJECT = EditableProject(
    {"shop/cart.py": CART, "shop/tax.py": TAX, "pyproject.toml": "[tool.shop]\nrate = 1\n"},
    frozenset({"shop/cart.py", "shop/tax.py", "pyproject.toml", "tests/test_shop.py"}),
    ("shop/cart.py", "shop/tax.py"),
)
FIXED_CART = CART.replace(" + 1", "")
FIXED_TAX = TAX.replace("RATE = 2", "RATE = 3")
CART_BLOCK = "<<<<<<< SEARCH\n    return sum(prices) + 1\n=======\n    return sum(prices)\n>>>>>>> REPLACE\n"
TAX_BLOCK = "<<<<<<< SEARCH\nRATE = 2\n=======\nRATE = 3\n>>>>>>> REPLACE\n"
CART_EDIT = {"path": "shop/cart.py", "old": "    return sum(prices) + 1", "new": "    return sum(prices)"}
TAX_EDIT = {"path": "shop/tax.py", "operation": "replace", "first_line": 1, "last_line": 1, "old": "RATE = 2"}
TAX_EDIT |= {"new": "RATE = 3"}
CART_FUNCTION = "def total(prices):\n    return sum(prices)\n"
TWO_FILES = {
    "paths before the blocks": f"shop/cart.py\n{CART_BLOCK}\nshop/tax.py\n{TAX_BLOCK}",
    "headings, and fences around the blocks": f"### `shop/cart.py`\n```python\n{CART_BLOCK}```\n\n**shop/tax.py**\n"
    f"```\n{TAX_BLOCK}```\n",
    "paths within the fences": f"```\nshop/cart.py\n{CART_BLOCK}```\n```\nshop/tax.py\n{TAX_BLOCK}```\n",
    "a whole function and a block": f"File: shop/cart.py\n```python\n{CART_FUNCTION}```\nIn: shop/tax.py\n{TAX_BLOCK}",
    "a path as the first comment of the code": f"```python\n# shop/cart.py\n{CART_FUNCTION}```\n```python\n"
    f"# ./shop/tax.py\nRATE = 3\n\n\ndef tax(price):\n    return price * RATE\n```\n",
    "a path in the fence": f"```python shop/cart.py\n{CART_FUNCTION}```\n```python:shop/tax.py\n{FIXED_TAX}```\n",
    "a diff of both": "```diff\n--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -1,2 +1,2 @@\n def total(prices):\n"
    "-    return sum(prices) + 1\n+    return sum(prices)\n--- a/shop/tax.py\n+++ b/shop/tax.py\n@@ -1 +1 @@\n"
    "-RATE = 2\n+RATE = 3\n```\n",
    "edits in JSON": json.dumps({"edits": [CART_EDIT, TAX_EDIT]}),
    "edits in JSON, by file": json.dumps({"files": [{"path": "shop/tax.py", "edits": [TAX_EDIT]}, CART_EDIT]}),
    "thoughts that name other files": f"<think>shop/none.py\n{TAX_BLOCK}</think>shop/cart.py\n{CART_BLOCK}\n"
    f"shop/tax.py\n{TAX_BLOCK}",
}


@pytest.mark.parametrize("form", TWO_FILES)
def test_a_patch_over_two_files_is_read(form: str) -> None:
    """Whatever the form, each file gets its own change and nothing else."""
    found = read_project_reply(TWO_FILES[form], PROJECT)
    assert isinstance(found, ReplyChanges)
    assert dict(found.texts) == {"shop/cart.py": FIXED_CART, "shop/tax.py": FIXED_TAX}


def test_code_without_a_path_belongs_to_the_shown_file_that_it_fits() -> None:
    """A function that one file has, and no other; lines that stand in one."""
    edits = json.dumps({"edits": [{"old": "    return sum(prices) + 1", "new": "    return sum(prices)"}]})
    for reply in (f"The sum is wrong.\n```python\n{CART_FUNCTION}```", edits, CART_BLOCK):
        found = read_project_reply(reply, PROJECT)
        assert isinstance(found, ReplyChanges)
        assert dict(found.texts) == {"shop/cart.py": FIXED_CART}


def test_a_file_that_is_not_python_takes_blocks_and_edits() -> None:
    """Where the user allows it to be changed."""
    block = "pyproject.toml\n<<<<<<< SEARCH\nrate = 1\n=======\nrate = 2\n>>>>>>> REPLACE\n"
    edits = json.dumps({"edits": [{"path": "pyproject.toml", "old": "rate = 1", "new": "rate = 2"}]})
    for reply in (block, edits):
        found = read_project_reply(reply, PROJECT)
        assert isinstance(found, ReplyChanges)
        assert dict(found.texts) == {"pyproject.toml": "[tool.shop]\nrate = 2\n"}


FAULTS = {
    "a test": (f"tests/test_shop.py\n{CART_BLOCK}", ReplyFaultKind.MISFIT, "may not be changed"),
    "a test, in JSON": (
        json.dumps({"edits": [{**CART_EDIT, "path": "tests/test_shop.py"}]}),
        ReplyFaultKind.MISFIT,
        "may not be changed",
    ),
    "a file that is not there": ("shop/new.py\n```python\nx = 1\n```", ReplyFaultKind.MISFIT, "no file is added"),
    "a way out": (f"../secrets.py\n{CART_BLOCK}", ReplyFaultKind.MISFIT, "there is no file `../secrets.py`"),
    "one good file and one bad": (
        f"shop/cart.py\n{CART_BLOCK}\ntests/test_shop.py\n{TAX_BLOCK}",
        ReplyFaultKind.MISFIT,
        "tests/test_shop.py",
    ),
    "a quotation that is not there": (
        "shop/cart.py\n<<<<<<< SEARCH\n    return 17\n=======\n    return 1\n>>>>>>> REPLACE\n",
        ReplyFaultKind.MISFIT,
        "`shop/cart.py`",
    ),
    "no Python": ("shop/cart.py\n```python\ndef total(prices):\n    return (\n```", ReplyFaultKind.SYNTAX, "Line 2"),
    "an edit without a path beside others": (
        json.dumps({"edits": [CART_EDIT, {"old": "RATE = 2", "new": "RATE = 3"}]}),
        ReplyFaultKind.AMBIGUOUS,
        "names no file",
    ),
    "the same again": (f"shop/cart.py\n```python\n{CART}```", ReplyFaultKind.UNCHANGED, "same"),
    "words": ("The bug is in shop/cart.py, in the sum.", ReplyFaultKind.NO_CODE, ""),
    "nothing": (" \n", ReplyFaultKind.EMPTY, "empty"),
    "far too much": ("x" * 300_000, ReplyFaultKind.TOO_LONG, "more than"),
}


@pytest.mark.parametrize("reply", FAULTS)
def test_a_reply_that_cannot_be_used_says_why(reply: str) -> None:
    """In words that a model can act on; nothing of it is taken."""
    text, kind, words = FAULTS[reply]
    found = read_project_reply(text, PROJECT)
    assert isinstance(found, ReplyFault)
    assert (found.kind, words in found.detail) == (kind, True)


def test_many_lines_are_read_in_linear_time() -> None:
    """A reply of a hundred thousand blank lines costs no more than it has characters."""
    found = read_project_reply("\n" * 150_000 + f"shop/cart.py\n{CART_BLOCK}", PROJECT)
    assert isinstance(found, ReplyChanges)
