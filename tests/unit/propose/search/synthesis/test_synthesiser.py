"""New expressions come from the values at the visits of a line, and say no more than these."""

from __future__ import annotations

import ast
from typing import Any

from regreen.propose.search.clues import Clues
from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.synthesis.synthesiser import Synthesiser
from regreen.types import Site, Visit

MEDIAN = "def median(xs):\n    s = sorted(xs)\n    m = len(s) // 2\n    return s[m]\n"
AREA = "def area(l, t, r, b):\n    return r * b\n"
DISTANCE = "def gap(a, b):\n    return math.sqrt(a + b)\n"
FREE = "def free(member, kilos):\n    if member:\n        return 0\n    return 4\n"
DOT = "def dot(xs, ys):\n    total = 0\n    for x, y in zip(xs, ys):\n        pass\n    return total\n"


def made(source: str, visits: list[Visit], passes: tuple[set[str], set[str]] | None = None, **clues: Any) -> list[str]:
    """The texts of all mutations, where every line is suspected."""
    synthesiser = Synthesiser(source, [Site(1, source.count("\n"), 1.0)], Clues(**clues))
    forced = {f.test: (frozenset(passes[0]), frozenset(passes[1])) for f in synthesiser.forced} if passes else {}
    return [splice_edits(source, mutation.edits) for mutation in synthesiser.mutations(visits, forced)]


def visit(check: str, line: int, should: object, *, red: bool = True, call: int = 0, **values: object) -> Visit:
    """A visit whose call should return a value."""
    return Visit(check, red, line, call, values, (should,))


def of_median(check: str, xs: list[float], should: float, *, red: bool) -> Visit:
    """A visit of the last line of `MEDIAN`."""
    return visit(check, 4, should, red=red, xs=xs, s=sorted(xs), m=len(xs) // 2)


def test_a_missing_branch_is_a_condition_of_the_red_visits_and_what_they_should_return() -> None:
    """The mean of the two in the middle, for an even number of values."""
    visits = [
        of_median("a", [40, 10, 31, 20], 25.5, red=True),
        of_median("b", [5, 2], 3.5, red=True),
        of_median("c", [9, 1, 8, 3, 30, 2], 5.5, red=True),
        of_median("d", [30, 1, 2], 2, red=False),
        of_median("e", [7], 7, red=False),
    ]
    branch = "    if not len(s) % 2:\n        return (s[m] + s[m - 1]) / 2\n    return s[m]\n"
    assert MEDIAN.replace("    return s[m]\n", branch) in made(MEDIAN, visits)


def test_a_result_is_made_of_the_values_in_scope() -> None:
    """For all checks, the green ones too."""
    visits = [
        visit("a", 2, 6, red=False, l=0, t=0, r=2, b=3),
        visit("b", 2, 6, l=1, t=1, r=3, b=4),
        visit("c", 2, 20, l=2, t=5, r=7, b=9),
        visit("d", 2, 21, l=10, t=4, r=13, b=11),
    ]
    assert AREA.replace("r * b", "(b - t) * (r - l)") in made(AREA, visits) or AREA.replace(
        "r * b", "(r - l) * (b - t)"
    ) in made(AREA, visits)


def test_a_part_is_replaced_where_the_rest_of_the_result_is_right() -> None:
    """What stands in a square root has to give the squares."""
    values = ((3, 4, 5.0), (6, 8, 10.0), (5, 12, 13.0), (8, 15, 17.0))
    visits = [visit(str(a), 2, should, a=a, b=b) for a, b, should in values]
    assert DISTANCE.replace("a + b", "a ** 2 + b ** 2") in made(DISTANCE, visits)


def test_a_condition_holds_just_where_the_checks_need_it() -> None:
    """The check that passes only where the condition is false, and the one that passes only where it is true."""
    visits = [
        Visit("a", False, 2, 0, {"member": True, "kilos": 3}),
        Visit("b", True, 2, 0, {"member": True, "kilos": 5}),
        Visit("c", True, 2, 0, {"member": True, "kilos": 9}),
        Visit("d", False, 2, 0, {"member": False, "kilos": 2}),
    ]
    found = made(FREE, visits, ({"a"}, {"b", "c", "d"}), numbers=("08", "5"))
    assert FREE.replace("if member", "if member and kilos < 5") in found


def test_a_check_that_needs_nothing_of_a_condition_gives_no_goal() -> None:
    """Where every check passes either way, there is nothing to synthesise."""
    visits = [Visit("a", True, 2, 0, {"member": True, "kilos": 3}), Visit("b", False, 2, 0, {"member": False})]
    assert made(FREE, visits, ({"a", "b"}, {"a", "b"})) == []


def test_what_a_loop_should_gather_is_found_by_what_its_calls_return() -> None:
    """The products of two vectors, added up."""
    rows = (("a", [(1, 3), (2, 4)], 11), ("b", [(5, 2), (1, 9), (3, 3)], 28))
    visits = [
        visit(check, 4, should, x=x, y=y, total=0, xs=[p[0] for p in pairs], ys=[p[1] for p in pairs])
        for check, pairs, should in rows
        for x, y in pairs
    ]
    assert DOT.replace("pass", "total += x * y") in made(DOT, visits)


SALES = (
    "def sales(rows):\n    total = 0\n    items = 0\n    for row in rows:\n"
    "        price = row[0]\n        number = row[1]\n"
    "    return total, items\n"
)


def test_several_variables_that_one_loop_should_gather_are_gathered_at_once() -> None:
    """Each has its place in what is returned; what the last line sets is used behind it."""
    rows = (("a", [(2, 3), (1, 1)], (7, 4)), ("b", [(5, 2), (7, 3)], (31, 5)), ("c", [(4, 9)], (36, 9)))
    visits = [
        visit(check, 6, should, total=0, items=0, price=price, row=(price, number), rows=sold)
        for check, sold, should in rows
        for price, number in sold
    ]
    lines = "        number = row[1]\n        total += price * number\n        items += number\n"
    assert SALES.replace("        number = row[1]\n", lines) in made(SALES, visits)


def test_a_list_is_not_multiplied_by_what_the_program_counts() -> None:
    """That would fill all memory of this process, which is not the sandbox's."""
    source = DOT.replace("0\n", "[0]\n")
    visits = [visit("a", 4, [0], x=10**12, y=10**14, total=[0], xs=[10**12], ys=[10**14]) for _ in range(3)]
    assert not [text for text in made(source, visits) if "*=" in text]


def test_a_product_is_gathered() -> None:
    """Of numbers alone."""
    source = DOT.replace("0\n", "1\n")
    rows = (("a", [2, 3, 4], 24), ("b", [5, 7], 35))
    visits = [visit(check, 4, should, x=x, y=1, total=1, xs=xs, ys=[1]) for check, xs, should in rows for x in xs]
    assert source.replace("pass", "total *= x") in made(source, visits)


def test_an_expected_value_is_no_literal_of_what_is_made() -> None:
    """With no way to compute it, nothing is made."""
    visits = [visit("a", 2, 123456, l=0, t=0, r=1, b=1), visit("b", 2, 654321, l=0, t=0, r=2, b=1)]
    assert made(AREA, visits) == []


def test_numbers_are_not_computed_of_numbers() -> None:
    """`2 ** 2` for 4: whoever means 4 writes 4, and what reaches a goal by it was made for the checks."""
    visits = [visit("a", 2, 3, n=1), visit("b", 2, 2, n=2), visit("c", 2, 1, n=3)]
    found = made("def left(n):\n    return n\n", visits)
    assert found
    operations = [node for text in found for node in ast.walk(ast.parse(text)) if isinstance(node, ast.BinOp)]
    assert not any(isinstance(o.left, ast.Constant) and isinstance(o.right, ast.Constant) for o in operations)
