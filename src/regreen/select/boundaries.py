"""Comparisons with whole numbers that say the same in two ways, of which people write the round one: `50 <= x`, not
`49 < x`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.syntax import UNPARSABLE, tree

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_NEXT: dict[type[ast.cmpop], tuple[type[ast.cmpop], int]] = {ast.Gt: (ast.GtE, 1), ast.Lt: (ast.LtE, -1)}
"""The comparison that says the same of whole numbers, and what it adds to the number on its right."""


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
