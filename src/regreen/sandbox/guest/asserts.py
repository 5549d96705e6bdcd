"""Rewriting of `assert`, so that a failed one can say what it expected and what it got.

`assert a == b` becomes `if not __regreen__.compare("==", a, b): raise AssertionError`, and so for the other forms. Each
operand is evaluated once and in order, as before.

A *flipped* suite is its own negative control: every assertion claims the opposite. A candidate that passes both has
not answered, it has tampered.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable
from typing import Any

PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset})
"""Types whose own `__eq__` cannot be the candidate's."""
WITNESS = "__regreen__"
"""The name under which rewritten code finds its `Witness`."""

OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}
OPPOSITE_METHODS = {
    "assertEqual": "assertNotEqual",
    "assertTrue": "assertFalse",
    "assertIs": "assertIsNot",
    "assertIsNone": "assertIsNotNone",
    "assertIn": "assertNotIn",
    "assertIsInstance": "assertNotIsInstance",
    "assertAlmostEqual": "assertNotAlmostEqual",
    "assertGreater": "assertLessEqual",
    "assertLess": "assertGreaterEqual",
    "assertRegex": "assertNotRegex",
    "assertListEqual": "assertNotEqual",
    "assertDictEqual": "assertNotEqual",
    "assertTupleEqual": "assertNotEqual",
    "assertSetEqual": "assertNotEqual",
    "assertSequenceEqual": "assertNotEqual",
    "assertMultiLineEqual": "assertNotEqual",
}
OPPOSITE_METHODS |= {opposite: method for method, opposite in tuple(OPPOSITE_METHODS.items())[:10]}


class Witness:
    """Sees both sides of every comparison that a check makes."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen: tuple[str, Any, Any] | None = None

    def compare(self, sign: str, left: Any, right: Any) -> bool:
        """Whether `left sign right` holds; remembers the operands when it does not."""
        if not COMPARE[sign](left, right):
            self.seen = (sign, left, right)
            return False
        if sign == "==" and (_claims_all(left) or (_claims_all(right) and not _is_any(right))):
            self.seen = (sign, left, right)
            return False
        return True

    def truth(self, value: Any) -> bool:
        """Whether the value is true; remembers it when it is not."""
        if not value:
            self.seen = ("true", value, True)
            return False
        return True


def _claims_all(value: Any) -> bool:
    """Whether the value claims to equal an object that was made just now: then its `__eq__` says nothing."""
    try:
        return type(value) not in PLAIN and bool(value == object())
    except Exception:  # noqa: BLE001  arrays and hostile objects raise here; they claim nothing
        return False


def _is_any(value: Any) -> bool:
    """Whether a check itself wrote `unittest.mock.ANY` as what it expects."""
    mock = sys.modules.get("unittest.mock")
    return mock is not None and value is mock.ANY


def rewrite(tree: ast.Module, *, flipped: bool = False) -> ast.Module:
    """Rewrite every assert in a tree, in place, and return it."""
    changed = (_Flip() if flipped else _Explain()).visit(tree)
    ast.fix_missing_locations(changed)
    return changed  # type: ignore[no-any-return]


class _Explain(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return _raise_if(ast.UnaryOp(ast.Not(), _witnessed(node.test)), node)


class _Flip(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return _raise_if(_witnessed(node.test), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            node.attr = OPPOSITE_METHODS.get(node.attr, node.attr)
        return node


def _raise_if(condition: ast.expr, node: ast.Assert) -> ast.If:
    error = ast.Call(ast.Name("AssertionError", ast.Load()), [node.msg] if node.msg else [], [])
    return ast.copy_location(ast.If(condition, [ast.Raise(error)], []), node)


def _witnessed(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        sign = ast.Constant(OPERATORS[type(test.ops[0])])
        return _call("compare", sign, test.left, test.comparators[0])
    return _call("truth", test)


def _call(method: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(WITNESS, ast.Load()), method, ast.Load()), list(arguments), [])
