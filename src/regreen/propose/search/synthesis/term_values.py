"""The values of small expressions over plain data, computed by ourselves: no code of a program is run for it.

Only operators and functions of the tables below are known, on numbers, texts, lists, tuples, sets and dicts, and
nothing may grow large.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

_MOST_SIZE: Final = 2_000
_MOST_NUMBER: Final = 1e15
_MOST_POWER: Final = 6
_MOST_DIGITS: Final = 30


class UnknownValue(Exception):
    """An expression that has no value here, or one that is too large."""


def _multiplied(left: Any, right: Any) -> Any:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, str | list | tuple) and (not isinstance(other, int) or len(one) * other > _MOST_SIZE):
            raise UnknownValue
    return left * right


def _powered(left: Any, right: Any) -> Any:
    if not isinstance(right, int | float) or abs(right) > _MOST_POWER or abs(left) > _MOST_NUMBER:
        raise UnknownValue
    power = left**right
    if isinstance(power, complex):
        raise UnknownValue
    return power


def _rounded(value: Any, digits: Any = None) -> Any:
    """As `round`, which would compute ten to the power of any number of digits."""
    if digits is not None and not (isinstance(digits, int) and abs(digits) <= _MOST_DIGITS):
        raise UnknownValue
    return round(value, digits)


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(left, str):
        raise UnknownValue
    return left % right


OPERATORS: Final[Mapping[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _multiplied,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: _remainder,
    ast.Pow: _powered,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
    ast.Is: lambda left, right: _same(left, right),
    ast.IsNot: lambda left, right: not _same(left, right),
}
_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **{f.__name__: f for f in (len, sum, min, max, abs, sorted, int, float, str, bool, list, set, tuple, dict)},
    **{f.__name__: f for f in (any, all)},
    **{f"math.{f.__name__}": f for f in (math.sqrt, math.floor, math.ceil, math.hypot, math.isqrt)},
    **{f.__name__: f for f in (math.sqrt, math.ceil)},
    "round": _rounded,
    "math.pi": lambda: math.pi,
}
_METHODS: Final[Mapping[type[Any], frozenset[str]]] = {
    str: frozenset(
        ("lower", "upper", "strip", "split", "startswith", "endswith", "isdigit", "isalpha", "count", "title")
    ),
    list: frozenset(("count", "index")),
    tuple: frozenset(("count", "index")),
    dict: frozenset(("get",)),
}


def _same(left: Any, right: Any) -> bool:
    if left is None or right is None or isinstance(left, bool) or isinstance(right, bool):
        return left is right
    raise UnknownValue


def value_of(node: ast.expr, names: Mapping[str, Any], holes: Mapping[ast.AST, Any] | None = None) -> Any:
    """The value of an expression, given those of names ("x", "self.x") and of some of its parts.

    Raises UnknownValue for whatever is not plain.
    """
    try:
        return bounded(_value(node, names, holes or {}))
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise UnknownValue from None


def bounded(value: Any) -> Any:
    """The value; raises UnknownValue where it is too large."""
    if isinstance(value, int | float):
        if not abs(value) <= _MOST_NUMBER:
            raise UnknownValue
    elif isinstance(value, str | list | tuple | set | dict) and len(value) > _MOST_SIZE:
        raise UnknownValue
    return value


def _value(node: ast.expr, names: Mapping[str, Any], holes: Mapping[ast.AST, Any]) -> Any:
    if node in holes:
        return holes[node]
    rule = _RULES.get(type(node))
    if rule is None:
        raise UnknownValue
    return bounded(rule(node, names, holes))


def _constant(node: ast.Constant, names: Any, holes: Any) -> Any:
    if not isinstance(node.value, int | float | str | None):
        raise UnknownValue
    return node.value


def _attribute(node: ast.Attribute, names: Mapping[str, Any], holes: Any) -> Any:
    if isinstance(node.value, ast.Name):
        text = f"{node.value.id}.{node.attr}"
        return _FUNCTIONS[text]() if text == "math.pi" else names[text]
    raise UnknownValue


def _binary(node: ast.BinOp, names: Any, holes: Any) -> Any:
    return OPERATORS[type(node.op)](_value(node.left, names, holes), _value(node.right, names, holes))


def _unary(node: ast.UnaryOp, names: Any, holes: Any) -> Any:
    value = _value(node.operand, names, holes)
    return not value if isinstance(node.op, ast.Not) else -value if isinstance(node.op, ast.USub) else +value


def _comparison(node: ast.Compare, names: Any, holes: Any) -> Any:
    left = _value(node.left, names, holes)
    for sign, part in zip(node.ops, node.comparators, strict=True):
        right = _value(part, names, holes)
        if not OPERATORS[type(sign)](left, right):
            return False
        left = right
    return True


def _words(node: ast.BoolOp, names: Any, holes: Any) -> Any:
    value = None
    for part in node.values:
        value = _value(part, names, holes)
        if bool(value) is isinstance(node.op, ast.Or):
            return value
    return value


def _choice(node: ast.IfExp, names: Any, holes: Any) -> Any:
    return _value(node.body if _value(node.test, names, holes) else node.orelse, names, holes)


def _item(node: ast.Subscript, names: Any, holes: Any) -> Any:
    whole = _value(node.value, names, holes)
    if isinstance(node.slice, ast.Slice):
        bounds = (node.slice.lower, node.slice.upper, node.slice.step)
        return whole[slice(*(None if part is None else _value(part, names, holes) for part in bounds))]
    return whole[_value(node.slice, names, holes)]


def _display(node: ast.List | ast.Tuple, names: Any, holes: Any) -> Any:
    parts = [_value(part, names, holes) for part in node.elts]
    return parts if isinstance(node, ast.List) else tuple(parts)


def _called(node: ast.Call, names: Any, holes: Any) -> Any:
    if node.keywords:
        raise UnknownValue
    arguments = [_value(argument, names, holes) for argument in node.args]
    if isinstance(node.func, ast.Name) and node.func.id not in names:
        return _FUNCTIONS[node.func.id](*arguments)
    if not isinstance(node.func, ast.Attribute):
        raise UnknownValue
    if isinstance(node.func.value, ast.Name) and node.func.value.id not in names:
        return _FUNCTIONS[f"{node.func.value.id}.{node.func.attr}"](*arguments)
    owner = _value(node.func.value, names, holes)
    if node.func.attr not in _METHODS.get(type(owner), frozenset()):
        raise UnknownValue
    return getattr(owner, node.func.attr)(*arguments)


_RULES: Final[Mapping[type[ast.AST], Callable[[Any, Any, Any], Any]]] = {
    ast.Constant: _constant,
    ast.Name: lambda node, names, holes: names[node.id],
    ast.Attribute: _attribute,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _comparison,
    ast.BoolOp: _words,
    ast.IfExp: _choice,
    ast.Subscript: _item,
    ast.List: _display,
    ast.Tuple: _display,
    ast.Call: _called,
}
