"""Rewriting of `assert`, so that a failed one can say what it expected and what it got.

`assert a == b` becomes `if not __regreen__.compare("==", a, b): raise AssertionError`, and so for the other forms. Each
operand is evaluated once and in order, as before.

A *flipped* suite is a negative control: every assertion claims the opposite, and a check fails at its end when one of
them did not hold. A candidate that passes both has tampered with the checks.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable
from typing import Any

_SCALARS = frozenset({type(None), bool, int, float, complex, str, bytes, bytearray, range})
"""Types whose `__eq__` is Python's own."""
_COLLECTIONS = frozenset({list, tuple, set, frozenset})
_DEEPEST = 6
"""How deep in collections of a comparison that holds objects are looked for that claim to equal everything."""
_PROBES = (object(), -7919.000123, "\0regreen\0", [object()], {"\0regreen\0": object()})
"""Values that no honest answer equals."""
RECORDER = "__regreen__"
"""The name under which rewritten code finds its `AssertionRecorder`."""

_OPERATORS: dict[type[ast.cmpop], str] = {
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
COMPARATORS: dict[str, Callable[[Any, Any], Any]] = {
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


class AssertionRecorder:
    """Decides the assertions of a check, and records both sides of the one that failed."""

    __slots__ = ("denied", "seen")

    def __init__(self) -> None:
        self.seen: tuple[str, Any, Any] | None = None
        self.denied = False
        """Whether the test of a flipped assertion was true, so that the opposite does not hold."""

    def compare(self, sign: str, left: Any, right: Any) -> bool:
        """Whether `left sign right` holds; remembers the operands when it does not."""
        if not COMPARATORS[sign](left, right):
            self.seen = (sign, left, right)
            return False
        if sign == "==" and (claims_all(left) or claims_all(right, but=_any())):
            self.seen = (sign, left, right)
            return False
        return True

    def truth(self, value: Any) -> bool:
        """Whether the value is true; remembers it when it is not."""
        if not value:
            self.seen = ("true", value, True)
            return False
        return True

    def deny(self) -> None:
        """Record that a flipped assertion does not hold; the check continues, for the checks after it."""
        self.denied = True


def claims_all(value: Any, depth: int = _DEEPEST, *, but: Any = None) -> bool:
    """Whether a value, or one in it, claims to equal things that nothing equals: then its `__eq__` says nothing."""
    kind = type(value)
    if kind in _SCALARS or value is but:
        return False
    if kind is dict:
        value = [*value, *value.values()]
    elif kind not in _COLLECTIONS:
        return any(_equals(value, probe) for probe in _PROBES)
    if _SCALARS.issuperset(map(type, value)):
        return False
    return depth > 0 and any(claims_all(item, depth - 1, but=but) for item in value)


def _equals(value: Any, probe: Any) -> bool:
    try:
        return bool(value == probe)
    except Exception:  # noqa: BLE001  arrays and hostile objects raise here; they claim nothing
        return False


def _any() -> Any:
    """What a check itself writes where anything will do: `unittest.mock.ANY`."""
    mock = sys.modules.get("unittest.mock")
    return None if mock is None else mock.ANY


def rewrite_assertions(tree: ast.Module, *, flipped: bool = False) -> ast.Module:
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
        elif isinstance(node, _BLOCKS):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                _rewrite_block(getattr(node, field, ()), flipped=flipped)  # type: ignore[arg-type]


_BLOCKS = (
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
    """`if not RECORDER.compare(...): raise AssertionError(message)`, all of it placed where the assert stood.

    Flipped, it is `if <the test>: RECORDER.deny()`: decided by the interpreter alone, with nothing of ours that a
    candidate could have replaced.
    """
    where: dict[str, Any] = {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno,
        "end_col_offset": node.end_col_offset,
    }
    if flipped:
        return ast.If(node.test, [ast.Expr(_ask("deny", [], where), **where)], [], **where)
    method, arguments = _question(node.test, where)
    fails = ast.UnaryOp(ast.Not(), _ask(method, arguments, where), **where)
    error = ast.Call(ast.Name("AssertionError", ast.Load(), **where), [node.msg] if node.msg else [], [], **where)
    return ast.If(fails, [ast.Raise(error, None, **where)], [], **where)


def _ask(method: str, arguments: list[ast.expr], where: dict[str, Any]) -> ast.Call:
    recorder = ast.Name(RECORDER, ast.Load(), **where)
    return ast.Call(ast.Attribute(recorder, method, ast.Load(), **where), arguments, [], **where)


def _question(test: ast.expr, where: dict[str, Any]) -> tuple[str, list[ast.expr]]:
    """The method of the recorder that decides a test, and its arguments."""
    if type(test) is ast.Compare and len(test.ops) == 1:
        sign = ast.Constant(_OPERATORS[type(test.ops[0])], **where)
        return "compare", [sign, test.left, test.comparators[0]]
    return "truth", [test]
