"""Of which part of a line does an exception speak?"""

from __future__ import annotations

import ast

import pytest

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.raising_places import RaisedException, raised_exceptions, raising_nodes
from regreen.types import CheckResult, Outcome, Site

CASES: dict[str, tuple[str, str, str]] = {
    "a method": ("x = a.b(1) + c.d(2)\n", "AttributeError: 'list' object has no attribute 'd'", "c.d"),
    "a name": ("x = total + count\n", "NameError: name 'count' is not defined", "count"),
    "an item": ("x = a + b[k]\n", "KeyError: 'k'", "b[k]"),
    "a sum": ("x = f(a) + b\n", "TypeError: unsupported operand type(s) for +: 'int' and 'str'", "f(a) + b"),
    "a comparison": ("x = a < b\n", "TypeError: '<' not supported between instances of 'int' and 'str'", "a < b"),
    "a call": ("x = f(1, 2)\n", "TypeError: f() takes 1 positional argument but 2 were given", "f(1, 2)"),
    "a division": ("x = a / b + c\n", "ZeroDivisionError: division by zero", "a / b"),
    "an argument": ("x = int(a) + b\n", "ValueError: invalid literal for int() with base 10: 'a'", "int(a)"),
    "a division in another line": (
        "n = a / b\nx = c[n]\n",
        "TypeError: list indices must be integers or slices, not float",
        "a / b",
    ),
}


def spoken_of(source: str, detail: str, line: int) -> list[str]:
    """The texts of the likeliest nodes."""
    program = ParsedProgram(source)
    nodes = raising_nodes(program, raised_exceptions([CheckResult(Outcome.RAISED, detail=f"{detail} (line {line})")]))
    most = max(nodes.values(), default=0.0)
    return [ast.unparse(node) for node, boost in nodes.items() if boost == most and isinstance(node, ast.expr)]


@pytest.mark.parametrize("case", CASES)
def test_an_exception_speaks_of_one_part_of_its_line(case: str) -> None:
    """And what is in it is likelier to be changed than what stands beside it, yet less than itself."""
    source, detail, part = CASES[case]
    assert part in spoken_of(source, detail, source.count("\n"))


def test_a_function_that_gets_the_wrong_arguments_may_be_wrong_itself() -> None:
    """Wherever it is defined."""
    program = ParsedProgram("def f(a):\n    return a\n\n\nx = f(1, 2)\n")
    raised = [RaisedException("TypeError", "f() takes 1 positional argument but 2 were given", 5, 1.0)]
    assert any(isinstance(node, ast.FunctionDef) for node in raising_nodes(program, raised))


def test_a_loop_over_what_it_changes_is_likelier_than_what_it_does() -> None:
    """The exception names no part of the line; the loop is what went on."""
    program = ParsedProgram("for x in seen:\n    seen.add(x + 1)\n")
    found = raising_nodes(program, [RaisedException("RuntimeError", "Set changed size during iteration", 1, 1.0)])
    loop = program.tree.body[0]
    assert isinstance(loop, ast.For)
    assert found[loop] > found[loop.iter] > 1.0
    assert loop.body[0] not in found


@pytest.mark.parametrize(
    "detail", ["expected 1, got 2", "RecursionError: too deep (line 1)", "Odd: 'b' (line 1)", "KeyError: 'b'"]
)
def test_what_names_no_place_speaks_of_nothing(detail: str) -> None:
    """A wrong answer, an exception of the program's own, and one that no line of it raised."""
    raised = raised_exceptions([CheckResult(Outcome.RAISED, detail=detail)])
    assert not raising_nodes(ParsedProgram("x = a[b]\n"), raised)


def test_an_exception_counts_by_the_share_of_the_checks_that_it_ends() -> None:
    """One of four says less than all of them."""
    one, other = (CheckResult(Outcome.RAISED, detail=f"KeyError: 'k' (line {line})") for line in (1, 2))
    few, many = raised_exceptions([one, other, other, other])[::-1]
    assert (few.line, few.share, many.line, many.share) == (1, 0.25, 2, 0.75)
    boosts = raising_nodes(ParsedProgram("a[k]\nb[k]\n"), [few, many])
    values = {node.lineno: boost for node, boost in boosts.items() if isinstance(node, ast.Subscript)}
    assert 1.0 < values[1] < values[2]


def test_what_raises_is_changed_earlier() -> None:
    """A method that a value lacks comes before likelier slips of other lines, once a check says so."""
    source = "def f(xs):\n    if len(xs) > 1:\n        return xs[0] - 1\n    return xs.join('')\n"
    detail = "AttributeError: 'list' object has no attribute 'join' (line 4)"

    def place(failures: list[CheckResult]) -> int:
        search = BestFirstSearch(source, [Site(1, 4, 1.0)], gather_clues(source, failures=failures))
        texts = [splice_edits(source, mutation.edits) for mutation in search.next_batch(1_000)]
        return next(at for at, text in enumerate(texts) if "return ''.join(xs)" in text)

    assert 3 * place([CheckResult(Outcome.RAISED, detail=detail)]) < place([])


def test_a_search_says_where_what_raises_stands() -> None:
    """As characters of its program."""
    source = "def f(xs):\n    return xs.lenght\n"
    detail = "AttributeError: 'list' object has no attribute 'lenght' (line 2)"
    clues = gather_clues(source, failures=[CheckResult(Outcome.RAISED, detail=detail)])
    spans = BestFirstSearch(source, [Site(1, 2, 1.0)], clues).raising_spans
    assert "xs.lenght" in {source[start:end] for start, end in spans}
