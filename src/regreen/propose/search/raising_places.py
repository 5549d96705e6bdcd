"""Where failing checks raised: the part of a line that an exception speaks of, since a repair most often changes it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from regreen.propose.search.constants import RAISING_DEPTH, RAISING_DEPTH_SHARE
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.syntax import FUNCTIONS
from regreen.types import CheckResult

_DETAIL: Final = re.compile(r"\A(\w+)(?:: (.*))? \(line (\d+)\)\Z", re.DOTALL)
_NAMED: Final = re.compile(r"'(\w+)'(?! object)")
_CALLED: Final = re.compile(r"(\w+)\(\)")
_UNPACKING: Final = ast.For | ast.AsyncFor | ast.comprehension | ast.Assign | ast.Starred | ast.Call


OF_WRONG_KINDS: Final = frozenset({"AttributeError", "NameError", "UnboundLocalError", "TypeError"})
"""Exceptions that tell of a value of the wrong kind, or of none: whatever else is wrong, this has to change."""


class RaisedException(NamedTuple):
    """An exception with which checks ended, and where."""

    name: str
    """Of its class."""
    message: str
    line: int
    """The innermost line of the program, from 1."""
    share: float
    """Of the failing checks, in (0, 1]."""


class _Rule(NamedTuple):
    """Which nodes of the line an exception speaks of, and how much likelier a change of them is."""

    names: frozenset[str]
    message: re.Pattern[str]
    speaks_of: Callable[[ast.AST, str], bool]
    """Whether it speaks of a node, given its message."""
    boost: float
    everywhere: bool = False
    """Whether such nodes count in whatever line they stand."""


def raised_exceptions(failures: Iterable[CheckResult]) -> tuple[RaisedException, ...]:
    """The exceptions that lines of the program raised in failing checks, the most frequent first."""
    found: Counter[tuple[str, str, int]] = Counter()
    total = 0
    for failure in failures:
        total += 1
        if match := _DETAIL.match(failure.detail):
            found[match[1], match[2] or "", int(match[3])] += 1
    return tuple(RaisedException(*raised, count / total) for raised, count in found.most_common())


def raising_nodes(program: ParsedProgram, raised: Iterable[RaisedException]) -> Mapping[ast.AST, float]:
    """How much likelier than others of their line the nodes are to be changed that an exception speaks of.

    Above 1; what stands in them has less of it the deeper it is, and nodes that are not in the mapping have 1.
    """
    found: dict[ast.AST, float] = {}
    for exception in raised:
        fitting = (rule for rule in _RULES if _fits(rule, exception))
        spoken = ((rule, _spoken_of(program, exception, rule)) for rule in fitting)
        rule, nodes = next(((rule, nodes) for rule, nodes in spoken if nodes), (None, []))
        for node in nodes:
            gain = (rule.boost - 1.0) * exception.share if rule else 0.0
            for part, depth in _with_parts(program, node):
                found[part] = max(found.get(part, 1.0), 1.0 + gain * RAISING_DEPTH_SHARE**depth)
    return found


def _fits(rule: _Rule, exception: RaisedException) -> bool:
    return exception.name in rule.names and rule.message.search(exception.message) is not None


def _spoken_of(program: ParsedProgram, exception: RaisedException, rule: _Rule) -> list[ast.AST]:
    called = set(_CALLED.findall(exception.message)) if rule.speaks_of is _is_call else set()
    return [
        node
        for node in program.nodes
        if (isinstance(node, FUNCTIONS) and node.name in called)
        or ((rule.everywhere or _is_at(node, exception.line)) and rule.speaks_of(node, exception.message))
    ]


def _is_at(node: ast.AST, line: int) -> bool:
    """Whether a node without a body stands in a line, or the head of one with a body does."""
    if isinstance(node, ast.comprehension):
        node = node.iter
    first = getattr(node, "lineno", 0)
    if isinstance(getattr(node, "body", None), list):
        return first == line
    return first <= line <= (getattr(node, "end_lineno", None) or first)


def _with_parts(program: ParsedProgram, node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """A node, the call that it is the function of, and the expressions in it, each with how deep it stands."""
    parent = program.parents.get(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        yield parent, 0
    yield node, 0
    if isinstance(node, FUNCTIONS):
        return
    level: list[ast.AST] = [node]
    for depth in range(1, RAISING_DEPTH + 1):
        level = [child for one in level for child in ast.iter_child_nodes(one) if isinstance(child, ast.expr)]
        yield from ((child, depth) for child in level)


def _is_named_attribute(node: ast.AST, message: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _NAMED.findall(message)


def _is_named(node: ast.AST, message: str) -> bool:
    return isinstance(node, ast.Name) and node.id in _NAMED.findall(message)


def _is_operation(node: ast.AST, _message: str) -> bool:
    return isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp)


def _is_comparison(node: ast.AST, _message: str) -> bool:
    return isinstance(node, ast.Compare)


def _is_call(node: ast.AST, _message: str) -> bool:
    return isinstance(node, ast.Call)


def _is_subscript(node: ast.AST, _message: str) -> bool:
    return isinstance(node, ast.Subscript)


def _is_keyed(node: ast.AST, message: str) -> bool:
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], ast.In | ast.NotIn)
    return _is_subscript(node, message) or _is_call(node, message)


def _adds_to_list(node: ast.AST, _message: str) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr in ("append", "insert", "extend")


def _is_lookup(node: ast.AST, _message: str) -> bool:
    return isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))


def _is_unpacking(node: ast.AST, _message: str) -> bool:
    return isinstance(node, _UNPACKING)


def _is_loop(node: ast.AST, _message: str) -> bool:
    return isinstance(node, ast.For | ast.comprehension)


def _is_division(node: ast.AST, _message: str) -> bool:
    operation = node.op if isinstance(node, ast.BinOp | ast.AugAssign) else None
    return isinstance(operation, ast.Div | ast.FloorDiv | ast.Mod)


def _makes_fraction(node: ast.AST, _message: str) -> bool:
    return isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)


def _rule(
    names: str, message: str, speaks_of: Callable[[ast.AST, str], bool], boost: float, *, everywhere: bool = False
) -> _Rule:
    return _Rule(frozenset(names.split()), re.compile(message), speaks_of, boost, everywhere)


# A name that is bound nowhere, a method that a value lacks and a call with too few arguments are wrong where they
# stand, or their value is; an index is as often right, and the loop around it wrong. The boosts are a judgement.
_RULES: Final = (
    _rule("AttributeError", "has no attribute", _is_named_attribute, 12.0),
    _rule("NameError UnboundLocalError", "", _is_named, 12.0),
    _rule("TypeError", "indices must be .*float|'float' object cannot be", _makes_fraction, 8.0, everywhere=True),
    _rule("TypeError", "unhashable", _is_keyed, 8.0),
    _rule("TypeError", "expected str instance", _adds_to_list, 4.0, everywhere=True),
    _rule("TypeError", "not callable|argument", _is_call, 8.0),
    _rule("TypeError", "not supported between", _is_comparison, 6.0),
    _rule("TypeError", "subscriptable|item assignment|item deletion|indices must be", _is_subscript, 6.0),
    _rule("TypeError", "iterable|unpack", _is_unpacking, 6.0),
    _rule("TypeError", "operand|concatenate|multiply|must be str", _is_operation, 6.0),
    _rule("TypeError", "", _is_call, 4.0),
    _rule("ValueError", "unpack", _is_unpacking, 4.0),
    _rule("ValueError", "", _is_call, 2.0),
    _rule("IndexError KeyError", "", _is_lookup, 2.0),
    _rule("ZeroDivisionError", "", _is_division, 3.0),
    _rule("RuntimeError", "during iteration", _is_loop, 8.0),
)
"""The first one that fits an exception and speaks of anything counts."""
