"""Programs that do not parse: the usual slips are undone among the first suggestions."""

from __future__ import annotations

import ast
from itertools import islice

import pytest

from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.syntax_repair import repair_syntax

PROGRAM = '''def f(xs, n):
    """Doc."""
    total = 0
    for i in range(len(xs)):
        if xs[i] == n and n > 0:
            total += xs[i]
        else:
            total -= 1
    items = [1, 2, 3]
    print("sum", total)
    return {"a": total, 'b': items}
'''
SLIPS = {
    "a lost colon": ("range(len(xs)):", "range(len(xs))"),
    "a lost bracket in a header": ("(len(xs)):", "(len(xs):"),
    "an assignment for a comparison": ("== n and", "= n and"),
    "a word of another language": (" and ", " && "),
    "a lost comma": ("[1, 2, 3]", "[1, 2 3]"),
    "an open list": ("[1, 2, 3]", "[1, 2, 3"),
    "a bracket too many": ("[1, 2, 3]", "[1, 2, 3]]"),
    "a print statement": ('print("sum", total)', 'print "sum", total'),
    "an open string": ('"sum"', '"sum'),
    "a header at the wrong depth": ("        else:", "       else:"),
    "a body that is not indented": ("            total -= 1", "        total -= 1"),
    "a misspelt keyword": ("return {", "retrun {"),
    "a loop without in": ("for i in range", "for i range"),
    "an open dictionary": ("'b': items}", "'b': items"),
    "a lost colon in a dictionary": ('"a": total', '"a" total'),
    "tabs among blanks": ("    items", "\titems"),
    "a doubled sign": ("total = 0", "total = = 0"),
    "an open docstring": ('"""Doc."""', '"""Doc.""'),
    "curly quotes": ('"sum"', "\u201csum\u201d"),
    "an indent too deep": ("    return", "     return"),
    "an open index": ("xs[i] == n", "xs[i == n"),
    "a function of another language": ("def f", "function f"),
    "a brace for a colon": ("(len(xs)):", "(len(xs)) {"),
    "a type before a name": ("total = 0", "int total = 0"),
    "two slips in one line": ("def f(xs, n):", "def f(xs n)"),
    "a merge conflict": (
        "    items = [1, 2, 3]\n",
        "<<<<<<< HEAD\n    items = [1, 2, 3]\n=======\n    items = []\n>>>>>>> other\n",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_usual_slip_is_undone_among_the_first_five(slip: str) -> None:
    """What was meant comes early, whatever the spacing."""
    right, wrong = SLIPS[slip]
    broken = PROGRAM.replace(right, wrong, 1)
    with pytest.raises(SyntaxError):
        ast.parse(broken)
    first = (splice_edits(broken, mutation.edits) for mutation in islice(repair_syntax(broken), 5))
    assert ast.dump(ast.parse(PROGRAM)) in (ast.dump(ast.parse(text)) for text in first)


def test_everything_suggested_parses() -> None:
    """A suggestion that does not parse is none."""
    broken = PROGRAM.replace("(len(xs)):", "(len(xs)")
    suggested = [splice_edits(broken, mutation.edits) for mutation in islice(repair_syntax(broken), 20)]
    assert suggested
    assert all(ast.parse(text).body for text in suggested)


def test_a_program_that_parses_needs_no_mending() -> None:
    """Nothing is suggested for sound text."""
    assert list(repair_syntax(PROGRAM)) == []


def test_text_that_is_no_program_ends_soon() -> None:
    """There is a limit to the tries."""
    assert all(m.edits for m in repair_syntax("Dear reader, (this is [not a program\n" * 3))
