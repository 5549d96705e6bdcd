"""What a place of a program tells the templates."""

from __future__ import annotations

import pytest

from regreen.propose.search.clues import Clues
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
