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
    if flipped:
        _Flip().visit(tree)
    _rewrite_block(tree.body, flipped=flipped)
    return tree


def _rewrite_block(block: list[Any], *, flipped: bool) -> None:
    """Rewrite the asserts of a list of statements (or handlers, or cases), and of the blocks inside them."""
    for position, node in enumerate(block):
        if type(node) is ast.Assert:
            block[position] = _raise_unless(node, flipped=flipped)
        elif isinstance(node, BLOCKS):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                _rewrite_block(getattr(node, field, ()), flipped=flipped)  # type: ignore[arg-type]


BLOCKS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.If,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.TryStar,
    ast.Match,
    ast.ExceptHandler,
    ast.match_case,
)
"""What holds statements."""


class _Flip(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            node.attr = OPPOSITE_METHODS.get(node.attr, node.attr)
        return node


def _raise_unless(node: ast.Assert, *, flipped: bool) -> ast.If:
    """`if not WITNESS.compare(...): raise AssertionError(message)`, all of it placed where the assert stood."""
    where = {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno,
        "end_col_offset": node.end_col_offset,
    }
    load = ast.Load()
    method, arguments = _question(node.test, where)
    witness = ast.Attribute(ast.Name(WITNESS, load, **where), method, load, **where)
    holds: ast.expr = ast.Call(witness, arguments, [], **where)
    if not flipped:
        holds = ast.UnaryOp(ast.Not(), holds, **where)
    error = ast.Call(ast.Name("AssertionError", load, **where), [node.msg] if node.msg else [], [], **where)
    return ast.If(holds, [ast.Raise(error, None, **where)], [], **where)


def _question(test: ast.expr, where: dict[str, Any]) -> tuple[str, list[ast.expr]]:
    """The method of the witness that decides a test, and its arguments."""
    if type(test) is ast.Compare and len(test.ops) == 1:
        sign = ast.Constant(OPERATORS[type(test.ops[0])], **where)
        return "compare", [sign, test.left, test.comparators[0]]
    return "truth", [test]
