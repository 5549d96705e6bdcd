"""Rewrites test code as plain Python: arguments in the place of their names, and no help of pytest."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from regreen.syntax import parse, python_literal

_StatementT = TypeVar("_StatementT", bound=ast.stmt)
_PYTEST_FLAGS = ("pytest.run_slow", "pytest.use_correct")
"""Settings of upstream's own; false by default."""


def with_values(statement: _StatementT, values: Mapping[str, Any]) -> _StatementT:
    """The statement with values in the place of names; `f(*[1, 2])` becomes `f(1, 2)`, and `[1, 2][0]` becomes `1`."""
    return cast("_StatementT", ast.fix_missing_locations(_Substitution(values).visit(copy.deepcopy(statement))))


def without_pytest(statement: _StatementT) -> _StatementT:
    """The statement with `x == pytest.approx(y, abs=z)` as `abs(x - y) <= z`, and pytest's flags at their defaults."""
    return cast("_StatementT", ast.fix_missing_locations(_PytestRewriting().visit(copy.deepcopy(statement))))


def known_condition(test: ast.expr, values: Mapping[str, Any]) -> bool | None:
    """Whether a condition over names and literals holds; None where only running it would tell."""
    match test:
        case ast.Constant(value):
            return bool(value)
        case ast.UnaryOp(ast.Not(), inner):
            known = known_condition(inner, values)
            return None if known is None else not known
        case ast.BoolOp(operator, parts):
            return _combined(operator, [known_condition(part, values) for part in parts])
        case ast.Compare(ast.Name(name), [ast.Eq()], [other]) if name in values:
            try:
                return bool(values[name] == ast.literal_eval(other))
            except (ValueError, RecursionError, MemoryError):
                return None
    return False if ast.unparse(test) in _PYTEST_FLAGS else None


def _combined(operator: ast.boolop, known: list[bool | None]) -> bool | None:
    decides = isinstance(operator, ast.Or)
    if decides in known:
        return decides
    return None if None in known else not decides


class _Substitution(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.values or not isinstance(node.ctx, ast.Load):
            return node
        (statement,) = parse(python_literal(self.values[node.id])).body
        assert isinstance(statement, ast.Expr)
        return statement.value

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        given: list[ast.expr] = []
        for argument in node.args:
            match argument:
                case ast.Starred(ast.List(elements)):
                    given += elements
                case _:
                    given.append(argument)
        node.args = given
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        try:
            place = ast.literal_eval(node.slice)
        except ValueError:
            return node
        if isinstance(node.value, ast.List) and type(place) is int and -len(node.value.elts) <= place:
            return node.value.elts[place] if place < len(node.value.elts) else node
        return node


class _PytestRewriting(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return ast.Constant(False) if ast.unparse(node) in _PYTEST_FLAGS else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(actual, [ast.Eq()], [ast.Call(function, [expected], [ast.keyword("abs", bound)])]):
                if ast.unparse(function) == "pytest.approx":
                    distance = ast.Call(ast.Name("abs", ast.Load()), [ast.BinOp(actual, ast.Sub(), expected)], [])
                    return ast.Compare(distance, [ast.LtE()], [bound])
        return node
