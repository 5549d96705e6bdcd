"""Python text as syntax trees, and walks over them; nothing is ever run."""

from __future__ import annotations

import ast
import builtins
import math
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeGuard, TypeVar
from weakref import WeakKeyDictionary

from regreen.text_cache import cached_by_text

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_NodeT = TypeVar("_NodeT", bound=ast.AST)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
ORDERS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""The operators that ask which of two comes first."""
OPPOSITE_SYMBOLS: Final[dict[type[ast.cmpop], str]] = {
    **{ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">"},
    **{ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"},
}
"""How a comparison is written that holds just where another one does not."""
UNPARSABLE: Final = (SyntaxError, ValueError, RecursionError, MemoryError)
"""Errors of parsing text that is no Python, or that is nested too deeply."""
CHANGING_METHODS: Final = frozenset(
    "add append appendleft clear discard extend extendleft insert pop popitem popleft remove reverse setdefault sort "
    "update".split()
)
"""Methods of containers that change them."""

_NO_NODES: Final = frozenset({int, str, bytes, float, bool, type(None), ast.Load, ast.Store, ast.Del})
"""Types of most values in fields of nodes, and of the contexts of names: `walk` does not go into them."""
_LEFT_OUT: Final = _NO_NODES | {ast.Constant}
"""Types of what `child_nodes` leaves out, as far as fields often hold it."""
_BLOCK_FIELDS: Final = ("body", "handlers", "cases", "orelse", "finalbody")
"""Fields of statements, handlers and cases that hold other statements; no expression holds any."""
_PARSER_LOCK: Final = threading.Lock()
_TRIES: Final = 10
"""Attempts to parse a text for which the parser raises SystemError."""
_CACHED_CHARACTERS: Final = 500_000
"""Total length of the texts whose trees are cached; a tree takes some 70 bytes a character."""


def parse(text: str) -> ast.Module:
    """The tree of Python text; warnings of the parser, e.g. about escapes in strings, are not shown.

    Raises SyntaxError or ValueError for text that is no Python, RecursionError or MemoryError for text that is nested
    too deeply, as `ast.parse` does.
    """
    # Up to Python 3.12 the parser counts its depth in one counter for all threads, and raises SystemError when two that
    # parse at once disturb it. The lock keeps our own threads apart, trying again helps against those of an embedder.
    for _ in range(_TRIES):
        try:
            return _parsed(text)
        except SystemError:
            continue
    return _parsed(text)


@cached_by_text(_CACHED_CHARACTERS)
def tree(text: str) -> ast.Module:
    """As `parse`, from a cache: the tree must not be changed."""
    root = parse(text)
    _below[root] = None
    return root


def parsed_or_none(text: str) -> ast.Module | None:
    """As `tree`; None for text that does not parse."""
    try:
        return tree(text)
    except UNPARSABLE:
        return None


_below: WeakKeyDictionary[ast.AST, list[ast.AST] | None] = WeakKeyDictionary()
"""Of trees that are cached and of the blocks in them, all nodes below, once somebody has asked for them: dozens of
questions go through each. A list that held its own key would keep it for ever."""
_below_by_kind: WeakKeyDictionary[ast.AST, dict[type[ast.AST], list[Any]]] = WeakKeyDictionary()
"""Of the same, those of each kind that was asked for."""
_ASKED_OFTEN: Final = (*DEFINITIONS, ast.For, ast.While, ast.If)
"""The blocks whose nodes are kept."""


def walk(root: ast.AST) -> list[ast.AST]:
    """A node and all below it, level by level, without contexts of names; takes half the time of `ast.walk`."""
    return [root, *_kept_below(root)] if root in _below else _walked(root)


def nodes_of(root: ast.AST, kind: type[_NodeT]) -> list[_NodeT]:
    """The nodes of one kind among those that `walk` gives, in its order; the list must not be changed."""
    if root not in _below:
        return [node for node in _walked(root) if isinstance(node, kind)]
    kept = _below_by_kind.setdefault(root, {})
    if kind not in kept:
        kept[kind] = [node for node in _kept_below(root) if isinstance(node, kind)]
    return [root, *kept[kind]] if isinstance(root, kind) else kept[kind]


def _kept_below(root: ast.AST) -> list[ast.AST]:
    found = _below[root]
    if found is None:
        found = _below[root] = _walked(root)[1:]
        if isinstance(root, ast.Module):
            _below.update((node, None) for node in found if isinstance(node, _ASKED_OFTEN))
    return found


def functions_of(root: ast.AST) -> list[Function]:
    """The functions, methods and coroutines among the nodes that `walk` gives; the list must not be changed."""
    return [node for node in nodes_of(root, ast.stmt) if isinstance(node, FUNCTIONS)]


def _walked(root: ast.AST) -> list[ast.AST]:
    """As `walk`, without the cache."""
    found = [root]
    for node in found:
        for value in node.__dict__.values():
            kind = type(value)
            if kind in _NO_NODES:
                continue
            if kind is list:
                found.extend([item for item in value if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def walk_statements(root: ast.mod | ast.stmt, *, closed: tuple[type[ast.stmt], ...] = ()) -> Iterator[ast.AST]:
    """A node and the statements, handlers and cases below it, level by level, without the insides of `closed` ones."""
    pending: list[ast.AST] = [root]
    for node in pending:
        yield node
        if not isinstance(node, closed):
            for name in _BLOCK_FIELDS:
                pending.extend(getattr(node, name, ()))


def module_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements in the module's own scope, those in its `if`, `try`, `with` and loops too, in text order."""
    pending: list[ast.AST] = [*body[::-1]]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, DEFINITIONS):
            parts = [getattr(node, name, []) for name in ("body", "handlers", "orelse", "finalbody")]
            pending.extend(part for block in parts[::-1] if isinstance(block, list) for part in block[::-1])


def walk_in_order(*roots: ast.AST) -> Iterator[ast.AST]:
    """The nodes and all below them in text order, without constants: test data can hold millions of them."""
    pending = list(reversed(roots))
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(child_nodes(node)))


def walk_scope(root: ast.AST) -> Iterator[ast.AST]:
    """As `walk_in_order`, without the insides of functions and classes."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, DEFINITIONS):
            pending.extend(reversed(child_nodes(node)))


def child_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, without constants and contexts of names."""
    found: list[ast.AST] = []
    values = node.__dict__
    for name in node._fields:
        # Of a tree that a program has built, fields may be missing; and in its dictionary they are in any order.
        if name in values:
            value = values[name]
            kind = type(value)
            if kind is list:
                for item in value:
                    if type(item) not in _LEFT_OUT and isinstance(item, ast.AST):
                        found.append(item)
            elif kind not in _LEFT_OUT and isinstance(value, ast.AST):
                found.append(value)
    return found


def first_line(node: ast.AST) -> int:
    """The line, from 1, at which a statement starts, decorators included."""
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
    line: int = getattr(node, "lineno", 1)
    return min([line, *(decorator.lineno for decorator in decorators)])


def character_column(line: str, byte_column: int) -> int:
    """A column in characters for one in bytes of UTF-8, which is what `ast` counts."""
    if line.isascii():
        return byte_column
    return len(line.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "ignore"))


class LineStarts:
    """Where the lines of a text begin, to find the places of which `ast` tells by line and byte."""

    def __init__(self, source: str) -> None:
        self._lines = source.split("\n")
        self._ascii = source.isascii()
        self.starts = [0]
        """Offsets, in characters, and one beyond the end."""
        for line in self._lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends, in characters; it must be one that has a place."""
        line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
        last, end = node.end_lineno or line, node.end_col_offset or 0  # type: ignore[attr-defined]
        return self._offset(line, column), self._offset(last, end)

    def _offset(self, line: int, column: int) -> int:
        if not self._ascii:
            column = character_column(self._lines[line - 1], column)
        return self.starts[line - 1] + column


def indent_of(line: str) -> str:
    """The blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def is_string_statement(node: ast.AST) -> bool:
    """Whether a statement is nothing but a string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def docstring_statement(node: ast.AST) -> ast.Expr | None:
    """The docstring of a module, class or function, as the statement that it is."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return first if isinstance(first, ast.Expr) and is_string_statement(first) else None


def body_after_docstring(node: Definition) -> list[ast.stmt]:
    """The statements of a function or class after its docstring."""
    return node.body[1:] if docstring_statement(node) else node.body


def imported_name(alias: ast.alias) -> str:
    """The name that an import binds: `b` for `import a as b`, `a` for `import a.b`."""
    return alias.asname or alias.name.partition(".")[0]


def python_literal(value: Any) -> str:
    """Python text for a JSON value, exact to the last bit."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, list):
        return f"[{', '.join(map(python_literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {python_literal(item)}" for key, item in value.items()) + "}"
    return repr(value)


def whole_number(node: ast.AST) -> int | None:
    """The whole number that is written there, with its sign; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = whole_number(node.operand)
        return None if number is None else -number
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def constant_text(value: object) -> str:
    """The `repr` of a constant; of a whole number that is too long for that, its hexadecimal digits."""
    return hex(value) if type(value) is int and not is_written_number(value) else repr(value)


def is_written_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a whole or a decimal number that Python writes in digits, as it does none of thousands."""
    return type(value) is float or (type(value) is int and value.bit_length() <= _MOST_BITS)


_MOST_BITS: Final = 8_192
"""Of a whole number that is taken for one: Python refuses to write those of some 14,000."""


def nearest_float(number: float) -> float:
    """A number as a float; an infinite one for a whole number beyond all floats."""
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number > 0 or -1)


def updated(node: ast.Assign | ast.AugAssign, operator: type[ast.operator]) -> tuple[ast.expr, ast.expr] | None:
    """The target and the operand of `x += y`, and of `x = x + y`; None where the statement does something else."""
    if isinstance(node, ast.AugAssign):
        return (node.target, node.value) if isinstance(node.op, operator) else None
    target, value = node.targets[0], node.value
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, operator):
        return None
    return (target, value.right) if ast.unparse(value.left) == ast.unparse(target) else None


def bound_values(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment binds, and to what: each target of `a = b = 1`, and each part of `a, b = 1, []`."""
    for target in node.targets:
        targets = target.elts if isinstance(target, ast.Tuple | ast.List) else []
        values = node.value.elts if isinstance(node.value, ast.Tuple | ast.List) else []
        if targets and len(targets) == len(values):
            yield from zip(targets, values, strict=True)
        else:
            yield target, node.value


def functions_in(text: str) -> list[Function]:
    """Every function and method of a program. Raises what `parse` raises."""
    return [node for node in walk(tree(text)) if isinstance(node, FUNCTIONS)]


def blocks_in(nodes: Iterable[ast.AST]) -> Iterator[list[ast.stmt]]:
    """The bodies, `else` and `finally` parts of these nodes, whatever they are of."""
    for node in nodes:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            # The body of a lambda, and the parts of `x if y else z`, are expressions.
            if isinstance(block, list) and block:
                yield block


def variables_given(nodes: Iterable[ast.AST], is_meant: Callable[[ast.expr], bool]) -> Iterator[str]:
    """The variables that plain assignments among these nodes give a value of the kind that is meant."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name), *_], value=value) if is_meant(value):
                yield name


def values_given(nodes: Iterable[ast.AST], name: str) -> Iterator[ast.expr]:
    """The values that plain assignments among these nodes give a variable."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                yield value


def names_within(node: ast.AST) -> set[str]:
    """The names that are read, stored or deleted within a node, itself included."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def names_read(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that are read among these nodes themselves, each as often as it is."""
    return (node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def names_set(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that are given a value among these nodes themselves, each as often as it is."""
    return (node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def callee_name(call: ast.Call) -> str:
    """The last part of the name that is called, `f` for `f(x)` and `a.f(x)`; empty when what is called has no name."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a value as Python writes it: a number, a text, or a container of such."""
    try:
        ast.literal_eval(node)
    except (*UNPARSABLE, TypeError):
        return False
    return True


def is_attribute_of(node: ast.AST | None, name: str) -> TypeGuard[ast.Attribute]:
    """Whether a node is an attribute of the variable of this name: `self.x` for `self`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name


def _parsed(text: str) -> ast.Module:
    with _PARSER_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def unbound_names(tree: ast.Module) -> tuple[str, ...]:
    """Names that a module reads and binds nowhere, and that are not built in; in the order of their first reading."""
    bound: set[str] = set()
    read: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                read.setdefault(node.id)
            else:
                bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (*DEFINITIONS, ast.ExceptHandler)) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add(imported_name(node))
    return tuple(name for name in read if name not in bound and name not in _BUILT_IN)


_BUILT_IN: Final = frozenset(dir(builtins))
