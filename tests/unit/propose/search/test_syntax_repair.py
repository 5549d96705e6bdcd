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
    "two slips far apart": (
        "    total = 0\n    for i in range(len(xs)):\n        if xs[i] == n and n > 0:\n            total += xs[i]\n",
        "    total = 0\n    for i in range(len(xs))\n        if xs[i] == n and n > 0:\n            total += xs[i\n",
    ),
    "an open list above a lost colon": (
        "total = 0\n    for i in range(len(xs)):",
        "total = [0\n    for i in range(len(xs))",
    ),
    "a bracket lost between two names": ("range(len(xs))", "rangelen(xs))"),
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


FAR_APART = (
    ("def f(xs, n):", "def f(xs, n)"),
    ("        if xs[i] == n", "        if xs[i] === n"),
    ("    items = [1, 2, 3]", "    let items = [1, 2, 3]"),
    ('    print("sum", total)', '    print "sum", total'),
)


@pytest.mark.parametrize("count", [3, 4])
def test_slips_in_many_lines_are_all_undone(count: int) -> None:
    """However many suggestions there are for the first of them: the later ones are come to."""
    broken = PROGRAM
    for right, wrong in FAR_APART[:count]:
        assert broken.count(right) == 1
        broken = broken.replace(right, wrong)
    first = [splice_edits(broken, mutation.edits) for mutation in islice(repair_syntax(broken), 3)]
    assert ast.dump(ast.parse(PROGRAM)) in [ast.dump(ast.parse(text)) for text in first]


SHORT = (
    "def f(xs, n):\n    total = 0\n    for x in xs:\n        if x == n:\n            total += x\n    return [total]\n"
)


@pytest.mark.parametrize("written", ["n > len(xs) ? n : xs[0]", "n if n > len(xs) else: xs[0]"])
@pytest.mark.parametrize("before", ["return ", "best = ", "total[0] += "])
def test_a_choice_is_written_as_python_has_it(before: str, written: str) -> None:
    """Whatever its question is, and whatever is done with its answer."""
    program = f"def f(xs, n, total):\n    {before}{written}\n"
    right = program.replace(written, "n if n > len(xs) else xs[0]")
    first = [splice_edits(program, mutation.edits) for mutation in islice(repair_syntax(program), 3)]
    assert ast.dump(ast.parse(right)) in [ast.dump(ast.parse(text)) for text in first]


INSIDE_STRINGS = {
    "a quote between blanks": ('text.replace(" ", "").split(",")', 'text.replace(" , "").split(",")'),
    "a bracket behind how a value is written": ('f"{text:>02d}m"', 'f"{text:>02dm"'),
    "a bracket of an f-string": ('f"{text}, {text[0]}"', 'f"{text}, {text[0]"'),
}


@pytest.mark.parametrize("sign", ["&&", " && ", "||", "  || "])
def test_a_word_for_a_sign_has_one_blank_on_either_side(sign: str) -> None:
    """However the sign was written."""
    word = "and" if "&" in sign else "or"
    broken = f"def f(a, b):\n    return a > 1{sign}b > 2\n"
    first = splice_edits(broken, next(repair_syntax(broken)).edits)
    assert first == f"def f(a, b):\n    return a > 1 {word} b > 2\n"


@pytest.mark.parametrize("slip", INSIDE_STRINGS)
def test_what_is_lost_inside_a_string_is_found(slip: str) -> None:
    """Where the tokens of the line tell nothing."""
    right, wrong = (f"def f(text):\n    return {value}\n" for value in INSIDE_STRINGS[slip])
    first = [splice_edits(wrong, mutation.edits) for mutation in islice(repair_syntax(wrong), 20)]
    assert right in first


CUT = {
    "a loop before what it runs over": ("for x in xs:", "for x in", "for x in xs:"),
    "a loop within its variable": ("for x in xs:", "for x", "for x in xs:"),
    "a condition before its end": ("if x == n:", "if x ==", "if x == n:"),
    "a condition before its sign": ("if x == n:", "if x", "if x == n:"),
    "a sum before its last value": ("total += x", "total +=", "total += x"),
    "a list within a name": ("return [total]", "return [tot", "return [total]"),
}


@pytest.mark.parametrize("cut", CUT)
def test_a_line_that_was_cut_is_completed_with_words_of_the_program(cut: str) -> None:
    """Near enough to what was meant for the search to go on from."""
    whole, rest, completed = CUT[cut]
    broken = SHORT.replace(whole, rest, 1)
    wanted = ast.dump(ast.parse(SHORT.replace(whole, completed, 1)))
    found = [splice_edits(broken, mutation.edits) for mutation in islice(repair_syntax(broken), 80)]
    assert wanted in [ast.dump(ast.parse(text)) for text in found]


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
