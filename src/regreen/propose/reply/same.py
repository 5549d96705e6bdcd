"""Tells whether two pieces of code say the same: comments, formatting, docstrings and local names aside."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from regreen.propose.reply.names import FUNCTIONS, Function, every_parameter
from regreen.syntax import parse, walk, walk_statements

_ASIDE: Final = frozenset({"returns", "annotation", "type_comment", "type_params", "ctx", "kind", "type_ignores"})
_UNSAID: Final = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_BELOW: Final = ...
"""Stands for a node in the form of the one above it."""
_SCOPES: Final = frozenset({*FUNCTIONS, ast.ClassDef, ast.Module})
_NAMERS: Final = frozenset(
    {*FUNCTIONS, ast.ClassDef, ast.arg, ast.alias, ast.Global, ast.Nonlocal, ast.ExceptHandler}
    | {ast.MatchAs, ast.MatchStar, ast.MatchMapping}
)
"""What gives names, or has them seen from elsewhere, without being a name itself."""
_LOOKING: Final = frozenset({"locals", "vars", "eval", "exec", "dir", "globals"})
"""Functions that see the names of variables."""


def same_code(one: str, other: str) -> bool:
    """Whether two programs say the same.

    Comments, formatting, docstrings, annotations of functions and the names of local variables do not count. Of text
    that does not parse, only blank lines and blanks at line ends do not.
    """
    return one == other or digest(one) == digest(other)


@lru_cache(maxsize=1024)
def digest(source: str) -> bytes:
    """Of what a program says: versions of one program are compared with each other again and again."""
    try:
        said = _form(parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        said = "\n".join(line.rstrip() for line in source.split("\n") if line.strip())
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()


def _form(tree: ast.Module) -> str:
    """What a program says, in one form: level by level, each node's kind, its plain values and how many are below."""
    for scope in walk_statements(tree):
        if type(scope) in _SCOPES:
            _strip(scope)
    for function in walk_statements(tree, closed=FUNCTIONS):
        if isinstance(function, FUNCTIONS):
            _number_locals(function)
    return repr(_words(tree))


def _words(tree: ast.Module) -> list[object]:
    """The tree as one list: a node's kind, then its fields; a list is its length and its items."""
    words: list[object] = []
    pending: list[ast.AST] = [tree]
    for node in pending:
        words.append(type(node).__name__)
        values = node.__dict__
        for name in _said(node._fields):
            value = values.get(name)
            items = value if isinstance(value, list) else (value,)
            if items is value:
                words.append(len(items))
            for item in items:
                if isinstance(item, ast.AST):
                    pending.append(item)
                    words.append(_BELOW)
                else:
                    words.append(item)
    return words


@cache
def _said(fields: tuple[str, ...]) -> tuple[str, ...]:
    """Those of a node's fields that count."""
    return tuple(name for name in fields if name not in _UNSAID)


def same_nodes(one: Sequence[ast.AST], other: Sequence[ast.AST]) -> bool:
    """Whether two lists of nodes say the same: places, docstrings and annotations of functions aside."""
    pending = [(list(one), list(other))]
    while pending:
        ours, theirs = pending.pop()
        if len(ours) != len(theirs):
            return False
        for left, right in zip(ours, theirs, strict=True):
            if type(left) is not type(right) or not _same_fields(left, right, pending):
                return False
    return True


def documented(node: ast.AST) -> ast.Expr | None:
    """The docstring of a module, class or function, as the statement that it is."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def undocumented(node: Function) -> list[ast.stmt]:
    """The statements of a function after its docstring."""
    return node.body[1:] if documented(node) else node.body


def _same_fields(left: ast.AST, right: ast.AST, pending: list[tuple[list[ast.AST], list[ast.AST]]]) -> bool:
    for name in left._fields:
        if name in _ASIDE:
            continue
        ours, theirs = _field(left, name), _field(right, name)
        if isinstance(ours, list) and isinstance(theirs, list):
            if any(not isinstance(item, ast.AST) for item in (*ours, *theirs)):
                ours, theirs = [_holder(item) for item in ours], [_holder(item) for item in theirs]
            pending.append((ours, theirs))
        elif isinstance(ours, ast.AST) and isinstance(theirs, ast.AST):
            pending.append(([ours], [theirs]))
        elif type(ours) is not type(theirs) or repr(ours) != repr(theirs):
            return False
    return True


def _field(node: ast.AST, name: str) -> object:
    value = getattr(node, name, None)
    return value[1:] if name == "body" and isinstance(value, list) and documented(node) and _is_scope(node) else value


def _holder(item: object) -> ast.AST:
    """A node for what stands in a list of names or of keys that may be left out."""
    return item if isinstance(item, ast.AST) else ast.Constant(str(item))


def _is_scope(node: ast.AST) -> bool:
    return type(node) in _SCOPES


def _strip(node: ast.AST) -> None:
    """Drop what does not count from a scope."""
    if documented(node):
        body: list[ast.stmt] = getattr(node, "body", [])
        body[:1] = [] if len(body) > 1 or isinstance(node, ast.Module) else [ast.Pass()]
    if isinstance(node, FUNCTIONS):
        node.returns = None
        for argument in every_parameter(node.args):
            argument.annotation = None


def _number_locals(function: Function) -> None:
    """Give the variables of a function, in the order of the text, names that nobody can have given."""
    names: list[ast.Name] = []
    kept: set[str] = set()
    for part in walk(function):
        if isinstance(part, ast.Name):
            names.append(part)
        elif type(part) in _NAMERS:
            kept.update(_named(part))
    if any(name.id in _LOOKING for name in names):
        return
    stored = {name.id for name in names if type(name.ctx) is not ast.Load} - kept
    ours = sorted((name for name in names if name.id in stored), key=lambda name: (name.lineno, name.col_offset))
    numbers = {variable: f"v.{number}" for number, variable in enumerate(dict.fromkeys(name.id for name in ours))}
    for name in ours:
        name.id = numbers[name.id]


def _named(node: ast.AST) -> Iterator[str]:
    """Names that are given by something else than a variable, or are seen from elsewhere."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (part.id for part in walk(node) if isinstance(part, ast.Name))
