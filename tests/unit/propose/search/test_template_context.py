"""What a place of a program tells the templates."""

from __future__ import annotations

import ast

import pytest

from regreen.propose.search.clues import Clues
from regreen.propose.search.expressions import Expression, level_of_node
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.scope import Scope
from regreen.propose.search.template_context import TemplateContext

USE = "def f(x):\n    return x\n"
MEMBERS = {
    "nothing is imported": ("", "urllib.parse.quote", "import urllib.parse\n"),
    "imported by itself": ("from urllib.parse import quote\n", "quote", ""),
    "under another name": ("from urllib.parse import quote as q\n", "q", ""),
    "the module": ("import urllib.parse\n", "urllib.parse.quote", ""),
    "the module, under another name": ("import urllib.parse as up\n", "up.quote", ""),
    "its package alone": ("import urllib\n", "urllib.parse.quote", "import urllib.parse\n"),
    "another module's": ("from shlex import quote\n", "urllib.parse.quote", "import urllib.parse\n"),
    "one of its own": ("def quote(x): ...\n", "urllib.parse.quote", "import urllib.parse\n"),
    "its package is something else": ("urllib = 1\n", "quote", "from urllib.parse import quote\n"),
}

BRACKETS = {
    "xs / (n - 1)": ("n - 1", "n", "xs / n"),
    "xs / (  n - 1 )": ("n - 1", "n", "xs / n"),
    "xs / ((n - 1))": ("n - 1", "n", "xs / (n)"),
    "xs / (n - 1) ": ("n - 1", "n * 2", "xs / (n * 2) "),
    "(n - 1) * xs": ("n - 1", "n * 2", "n * 2 * xs"),
    "(n) - 1": ("n", "xs", "(xs) - 1"),
    "f((n - 1), 2)": ("n - 1", "n", "f((n), 2)"),
    "f(n - 1)": ("n - 1", "n", "f(n)"),
    "f(not(n or xs))": ("n or xs", "n", "f(not n)"),
    "(n or xs).a": ("n or xs", "n", "n.a"),
    "[(n := 1)for f in xs]": ("(n := 1)", "n", "[n for f in xs]"),
    "n if(n - 1)else 2": ("n - 1", "n", "n if(n)else 2"),
    "xs ** -(n + 1)": ("n + 1", "n", "xs ** -n"),
}
"""Expression -> a part of it, what comes in its place, and what is read then."""


@pytest.mark.parametrize("program", MEMBERS)
def test_a_member_of_a_module_is_what_the_program_means_by_it(program: str) -> None:
    """Never something of the same name, and imported where nothing does."""
    given, written, imported = MEMBERS[program]
    parsed = ParsedProgram(given + USE)
    place = TemplateContext(parsed, Scope(parsed, parsed.functions[-1]), Clues())
    name, edits = place.member_of("urllib.parse", "quote")
    assert (name, "".join(edit.text for edit in edits)) == (written, imported)


@pytest.mark.parametrize(("given", "imported"), [("", "from math import gcd\n"), ("def gcd(): ...\n", "import math\n")])
def test_a_member_may_stand_by_itself_unless_its_name_is_taken(given: str, imported: str) -> None:
    """`Counter(xs)`, where `collections.Counter(xs)` would be odd."""
    parsed = ParsedProgram(given + USE)
    place = TemplateContext(parsed, Scope(parsed, parsed.functions[-1]), Clues())
    assert [edit.text for edit in place.member_of("math", "gcd", by_itself=True)[1]] == [imported]


@pytest.mark.parametrize("expression", BRACKETS)
def test_brackets_go_with_what_needed_them(expression: str) -> None:
    """Those that stood there for no need stay as their author wrote them."""
    part, new, expected = BRACKETS[expression]
    parsed = ParsedProgram(f"def f(xs, n):\n    return {expression}\n")
    place = TemplateContext(parsed, Scope(parsed, parsed.functions[0]), Clues())
    wanted = ast.dump(ast.parse(part, mode="eval").body)
    node = next(each for each in parsed.nodes if isinstance(each, ast.expr) and ast.dump(each) == wanted)
    (edit,) = place.put(node, Expression(new, level_of_node(ast.parse(new, mode="eval").body))).edits
    changed = parsed.source[: edit.start] + edit.text + parsed.source[edit.end :]
    assert changed == f"def f(xs, n):\n    return {expected}\n"
