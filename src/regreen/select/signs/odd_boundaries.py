"""Numbers that people write otherwise: boundaries that say the same in two ways, of which one is round (`50 <= x`, not
`49 < x`), numbers where a variable would do (`range(0, n, size)`, not `range(0, n, 2)`, though checks say 2), and steps
that go too far (`range(n + 1)` for `range(n - 1)`, where `range(n)` will do)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from keyword import iskeyword

from regreen.select.signs.gains import count_gained
from regreen.select.tokens import edit_spans, significant_tokens
from regreen.syntax import UNPARSABLE, nodes_of, tree, walk, whole_number

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_NEXT: dict[type[ast.cmpop], tuple[type[ast.cmpop], int]] = {ast.Gt: (ast.GtE, 1), ast.Lt: (ast.LtE, -1)}
"""The comparison that says the same of whole numbers, and what it adds to the number on its right."""

_ANYWHERE = frozenset(("0", "1"))
"""Numbers that stand for themselves more often than for what a variable happens to hold."""
_Around = tuple[tuple[str, ...], tuple[str, ...]]


def crossed_chains(before: str, after: str) -> int:
    """How many chains such as `low <= x >= high` or `a == b != c` point both ways that did not before.

    0 where one is no program.
    """
    return count_gained(before, after, _crossed)


def odd_steps(before: str, after: str) -> int:
    """How many counts by one (`left -= 1`) go by another number, or otherwise, since; 0 where one is no program."""
    try:
        old, new = _steps(before), _steps(after)
    except UNPARSABLE:
        return 0
    lost, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return sum(
        _is_one(sign, value) and any(_is_odd_step(target, step) for step in come) for target, sign, value in lost
    )


def _is_one(sign: str, value: str) -> bool:
    return sign in ("Add", "Sub") and value == "1"


def _is_odd_step(target: str, step: tuple[str, str, str]) -> bool:
    """Whether a step changes the target by another number than 1, or in another way than up or down."""
    other, sign, value = step
    return other == target and value.lstrip("-").isdigit() and not _is_one(sign, value)


@lru_cache(maxsize=64)
def _steps(source: str) -> tuple[tuple[str, str, str], ...]:
    updates = nodes_of(tree(source), ast.AugAssign)
    return tuple((ast.unparse(node.target), type(node.op).__name__, ast.unparse(node.value)) for node in updates)


def lopsided_pairs(before: str, after: str) -> int:
    """How many pairs such as `a.start < b.end and b.start <= a.end` were even before; 0 where one is no program."""
    return count_gained(before, after, _lopsided)


@lru_cache(maxsize=64)
def _lopsided(source: str) -> int:
    pairs = (node.values for node in nodes_of(tree(source), ast.BoolOp) if len(node.values) == 2)
    return sum(_is_lopsided(one, other) for one, other in pairs)


def _is_lopsided(one: ast.expr, other: ast.expr) -> bool:
    """Whether one comparison asks of two objects what the other one asks of them the other way round, but not quite."""
    if not isinstance(one, ast.Compare) or not isinstance(other, ast.Compare) or len(one.ops) + len(other.ops) != 2:
        return False
    if type(one.ops[0]) is type(other.ops[0]):
        return False
    sides = [_owned(side) for side in (one.left, one.comparators[0], other.left, other.comparators[0])]
    (first, low), (second, high), (third, other_low), (fourth, other_high) = sides
    return (first, second, low, high) == (fourth, third, other_low, other_high) and first != second


def _owned(side: ast.expr) -> tuple[str, str]:
    """Whose attribute or item an expression is, and which; a variable is nobody's: `start` is as `self.start`."""
    if isinstance(side, ast.Attribute):
        return ast.unparse(side.value), side.attr
    if isinstance(side, ast.Subscript):
        return ast.unparse(side.value), ast.unparse(side.slice)
    return "", ast.unparse(side)


@lru_cache(maxsize=64)
def _crossed(source: str) -> int:
    chains = (node.ops for node in nodes_of(tree(source), ast.Compare) if len(node.ops) > 1)
    directions = ({_DIRECTION.get(type(operator), "") for operator in chain} for chain in chains)
    return sum({"down", "up"} <= found or {"same", "other"} <= found for found in directions)


_DIRECTION: dict[type[ast.cmpop], str] = {
    ast.Lt: "up",
    ast.LtE: "up",
    ast.Gt: "down",
    ast.GtE: "down",
    ast.Eq: "same",
    ast.NotEq: "other",
}


def odd_boundaries(sources: Sequence[str]) -> list[int]:
    """For each program, how many of its boundaries another of the programs writes with a rounder number.

    Two programs are compared where they differ in nothing but boundaries that mean the same for whole numbers.
    """
    found = [_read(source) for source in sources]
    rounder: dict[str, list[int]] = {}
    for text, zeros in found:
        best = rounder.setdefault(text, list(zeros))
        rounder[text] = [max(pair) for pair in zip(best, zeros, strict=True)]
    return [sum(own < best for own, best in zip(zeros, rounder[text], strict=True)) for text, zeros in found]


def _read(source: str) -> tuple[str, list[int]]:
    """A program with its boundaries in one form, and how round each is; its text where it does not parse."""
    try:
        root = tree(source)
        reader = _Boundaries()
        return ast.dump(reader.rewritten(root)), reader.zeros
    except UNPARSABLE:
        return source, []


class _Boundaries:
    """Writes the boundaries of a tree in one form, `expression >= number`, and notes how round they were."""

    def __init__(self) -> None:
        self.zeros: list[int] = []

    def rewritten(self, node: ast.AST) -> ast.AST:
        """A copy, so that cached trees stay as they are."""
        fields = {name: self._field(value) for name, value in ast.iter_fields(node)}
        copy = type(node)(**fields)
        return self._boundary(copy) if isinstance(copy, ast.Compare) else copy

    def _field(self, value: object) -> object:
        if isinstance(value, list):
            return [self._field(item) for item in value]
        return self.rewritten(value) if isinstance(value, ast.AST) else value

    def _boundary(self, node: ast.Compare) -> ast.Compare:
        operands = [node.left, *node.comparators]
        operators = list(node.ops)
        for place in range(len(operators)):
            for number, at, operator in _sides(operands, operators, place):
                self.zeros.append(_zeros(number))
                kind, added = _NEXT.get(operator, (operator, 0))
                operands[at] = ast.Constant(number + added)
                operators[place] = kind() if at > place else _MIRRORED[kind]()
        return ast.Compare(operands[0], operators, operands[1:])


def _sides(
    operands: Sequence[ast.expr], operators: Sequence[ast.cmpop], place: int
) -> Iterator[tuple[int, int, type[ast.cmpop]]]:
    """The whole number beside one operator, its place, and the operator as it is with the number on its right."""
    kind = type(operators[place])
    if kind not in _MIRRORED:
        return
    for at, operator in ((place, _MIRRORED[kind]), (place + 1, kind)):
        operand = operands[at]
        if at in (0, len(operands) - 1) and isinstance(operand, ast.Constant) and type(operand.value) is int:
            yield operand.value, at, operator
            return


def _zeros(number: int) -> int:
    """How round a number is: the zeros at its end; nothing is rounder than 0."""
    if number == 0:
        return 100
    text = str(number)
    return len(text) - len(text.rstrip("0"))


def numbers_for_names(before: str, sources: Sequence[str]) -> list[int]:
    """For each program, how many of its new numbers are a variable in another one that is the same but for that."""
    old = significant_tokens(before)
    found = [list(_new_places(old, significant_tokens(source))) for source in sources]
    named = {around for places in found for text, around in places if text.isidentifier() and not iskeyword(text)}
    return [sum(_is_number(text) and around in named for text, around in places) for places in found]


def turned_steps(before: str, sources: Sequence[str]) -> list[int]:
    """For each program, 1 where it turns `n - 1` into `n + 1`, or back, and another one has `n` there; else 0.

    Off by one is a common slip, off by two is none.
    """
    old = significant_tokens(before)
    found = [tuple(significant_tokens(source)) for source in sources]
    known = set(found)
    return [int(any(less in known for less in _without_turned_steps(old, new))) for new in found]


def stretched_steps(before: str, after: str) -> int:
    """How many steps of one, `n + 1` or `xs[::-1]`, go further since, `n + 2`; 0 where one is no program.

    The ends of ranges and slices are none: `range(at - 1, at + 2)` looks at both neighbours.
    """
    try:
        old, new = Counter(_single_steps(before)), Counter(_single_steps(after))
    except UNPARSABLE:
        return 0
    lost, come = old - new, new - old
    return sum(size == 1 and any(other == start and far > 1 for other, far in come) for start, size in lost)


@lru_cache(maxsize=64)
def _single_steps(source: str) -> tuple[tuple[str, int], ...]:
    """From what each step goes, with its direction, and how far."""
    nodes = walk(tree(source))
    ends = {id(part) for node in nodes for part in _ends(node)}
    steps = [node.step for node in nodes if isinstance(node, ast.Slice)]
    found = [("backwards", whole_number(step.operand)) for step in steps if isinstance(step, ast.UnaryOp)]
    found += [
        (f"{type(node.op).__name__} {ast.dump(node.left)}", whole_number(node.right))
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and id(node) not in ends
    ]
    return tuple((start, size) for start, size in found if size)


def _ends(node: ast.AST) -> Iterator[ast.expr]:
    """The parts of the ends of a range or a slice, however deep."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        roots = node.args
    else:
        roots = [end for end in (node.lower, node.upper) if end is not None] if isinstance(node, ast.Slice) else []
    yield from (part for root in roots for part in nodes_of(root, ast.expr))


def _without_turned_steps(old: Sequence[str], new: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The new text without each step of one whose sign was turned, whatever else has changed."""
    for span in edit_spans(old, new):
        place = span.new_start
        is_sign = {*old[span.start : span.end], *new[place : span.new_end]} == {"+", "-"}
        if is_sign and new[place + 1 : place + 2] == ("1",):
            yield (*new[:place], *new[place + 2 :])


def _new_places(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, _Around]]:
    """Each new number or name, with what stands before and behind it."""
    for span in edit_spans(old, new):
        for place in range(span.new_start, span.new_end):
            if _is_number(new[place]) or new[place].isidentifier():
                yield new[place], (tuple(new[:place]), tuple(new[place + 1 :]))


def _is_number(text: str) -> bool:
    return text[:1].isdigit() and text not in _ANYWHERE
