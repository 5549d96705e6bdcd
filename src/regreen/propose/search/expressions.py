"""Expressions as text with their binding level, so that brackets are added only where precedence needs them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from regreen.syntax import OPPOSITE_SYMBOLS

BARE: Final = -1
"""Level of a walrus, and of a place already in brackets."""
LOOSE: Final = 0
"""Level of a tuple without brackets, and of `yield`."""
TEST: Final = 2
OR: Final = 3
AND: Final = 4
NOT: Final = 5
COMPARISON: Final = 6
BIT_OR: Final = 7
BIT_XOR: Final = 8
BIT_AND: Final = 9
SHIFT: Final = 10
SUM: Final = 11
TERM: Final = 12
FACTOR: Final = 13
POWER: Final = 14
AWAIT: Final = 15
ATOM: Final = 16


class Expression(NamedTuple):
    """The text of an expression and its binding level, from BARE to ATOM."""

    text: str
    level: int = ATOM

    def at(self, level: int) -> str:
        """The text, in brackets where its level is below the one needed."""
        return f"({self.text})" if self.level < level else self.text


OPERATOR_SYMBOLS: Final[dict[type[ast.AST], tuple[str, int]]] = {
    ast.Add: ("+", SUM),
    ast.Sub: ("-", SUM),
    ast.Mult: ("*", TERM),
    ast.Div: ("/", TERM),
    ast.FloorDiv: ("//", TERM),
    ast.Mod: ("%", TERM),
    ast.MatMult: ("@", TERM),
    ast.Pow: ("**", POWER),
    ast.LShift: ("<<", SHIFT),
    ast.RShift: (">>", SHIFT),
    ast.BitAnd: ("&", BIT_AND),
    ast.BitOr: ("|", BIT_OR),
    ast.BitXor: ("^", BIT_XOR),
}
SYMBOL_LEVEL: Final = {symbol: level for symbol, level in OPERATOR_SYMBOLS.values()}
COMPARISON_SYMBOLS: Final[dict[type[ast.AST], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
OPPOSITE_COMPARISON: Final = {COMPARISON_SYMBOLS[kind]: opposite for kind, opposite in OPPOSITE_SYMBOLS.items()}
UNARY_SYMBOLS: Final[dict[type[ast.AST], tuple[str, int]]] = {
    ast.Not: ("not ", NOT),
    ast.USub: ("-", FACTOR),
    ast.UAdd: ("+", FACTOR),
    ast.Invert: ("~", FACTOR),
}

_Rule = Callable[[Any, ast.AST], int]

_FIXED_LEVELS: Final[dict[type[ast.AST], int]] = {
    ast.NamedExpr: BARE,
    ast.IfExp: TEST,
    ast.Lambda: TEST,
    ast.Compare: COMPARISON,
    ast.Await: AWAIT,
    ast.Yield: LOOSE,
    ast.YieldFrom: LOOSE,
    ast.Starred: LOOSE,
}


def level_of_node(node: ast.expr) -> int:
    """The binding level of an expression; of a tuple, the level with its brackets."""
    if isinstance(node, ast.BinOp):
        return OPERATOR_SYMBOLS[type(node.op)][1]
    if isinstance(node, ast.UnaryOp):
        return UNARY_SYMBOLS[type(node.op)][1]
    if isinstance(node, ast.BoolOp):
        return OR if isinstance(node.op, ast.Or) else AND
    return _FIXED_LEVELS.get(type(node), ATOM)


def level_needed(parent: ast.AST, node: ast.AST) -> int:
    """The binding level that `parent` needs of an expression in the place of `node`."""
    rule = _NEEDS.get(type(parent))
    return TEST if rule is None else rule(parent, node)


def _need_in_binop(parent: ast.BinOp, node: ast.AST) -> int:
    if isinstance(parent.op, ast.Pow):
        return AWAIT if node is parent.left else FACTOR
    level = OPERATOR_SYMBOLS[type(parent.op)][1]
    return level if node is parent.left else level + 1


def _need_in_boolop(parent: ast.BoolOp, _node: ast.AST) -> int:
    return AND if isinstance(parent.op, ast.Or) else NOT


def _need_in_unary(parent: ast.UnaryOp, _node: ast.AST) -> int:
    return UNARY_SYMBOLS[type(parent.op)][1]


def _need_in_ifexp(parent: ast.IfExp, node: ast.AST) -> int:
    return TEST if node is parent.orelse else OR


def _need_in_call(parent: ast.Call, node: ast.AST) -> int:
    return ATOM if node is parent.func else TEST


def _need_in_subscript(parent: ast.Subscript, node: ast.AST) -> int:
    return ATOM if node is parent.value else TEST


def _fixed(level: int) -> _Rule:
    return lambda _parent, _node: level


_LOOSE_PARENTS: Final = (
    ast.Return,
    ast.Expr,
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.For,
    ast.AsyncFor,
    ast.Yield,
)
_NEEDS: Final[dict[type[ast.AST], _Rule]] = {
    ast.BinOp: _need_in_binop,
    ast.BoolOp: _need_in_boolop,
    ast.UnaryOp: _need_in_unary,
    ast.IfExp: _need_in_ifexp,
    ast.Call: _need_in_call,
    ast.Subscript: _need_in_subscript,
    ast.Compare: _fixed(BIT_OR),
    ast.Starred: _fixed(BIT_OR),
    ast.Attribute: _fixed(ATOM),
    ast.Await: _fixed(ATOM),
    ast.comprehension: _fixed(OR),
    **dict.fromkeys(_LOOSE_PARENTS, _fixed(LOOSE)),
}


def binary_operation(left: Expression, symbol: str, right: Expression) -> Expression:
    """`left symbol right`, with brackets around operands that bind less tightly."""
    level = SYMBOL_LEVEL[symbol]
    if symbol == "**":
        return Expression(f"{left.at(AWAIT)} ** {right.at(FACTOR)}", POWER)
    return Expression(f"{left.at(level)} {symbol} {right.at(level + 1)}", level)


def comparison(left: Expression, symbol: str, right: Expression) -> Expression:
    """`left symbol right` for a comparison."""
    return Expression(f"{left.at(BIT_OR)} {symbol} {right.at(BIT_OR)}", COMPARISON)


def bool_operation(left: Expression, word: str, right: Expression) -> Expression:
    """`left and right`, `left or right`."""
    level = AND if word == "and" else OR
    return Expression(f"{left.at(level)} {word} {right.at(level)}", level)


def added_terms(node: ast.expr) -> list[ast.expr]:
    """What `a + b + c` adds up, in order; of any other expression itself alone."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*added_terms(node.left), *added_terms(node.right)]
    return [node]


def unary_operation(symbol: str, operand: Expression) -> Expression:
    """`not x`, `-x`, `~x`."""
    if symbol == "not":
        return Expression(f"not {operand.at(NOT)}", NOT)
    return Expression(f"{symbol}{operand.at(FACTOR)}", FACTOR)


def function_call(function: str, *arguments: Expression) -> Expression:
    """`function(arguments)`."""
    return Expression(f"{function}({', '.join(a.at(TEST) for a in arguments)})")


def attribute_of(owner: Expression, name: str) -> Expression:
    """`owner.name`."""
    return Expression(f"{owner.at(ATOM)}.{name}")


def subscript(owner: Expression, index: str) -> Expression:
    """`owner[index]`."""
    return Expression(f"{owner.at(ATOM)}[{index}]")
