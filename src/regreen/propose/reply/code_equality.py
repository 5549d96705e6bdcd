"""Tells whether two pieces of code mean the same: comments, formatting, docstrings and local names aside."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from regreen.syntax import FUNCTIONS, Function, docstring_statement, imported_name, tree, walk, walk_statements
from regreen.text_cache import cached_by_text

_IGNORED_BETWEEN_NODES: Final = frozenset(
    {"returns", "annotation", "type_comment", "type_params", "ctx", "kind", "type_ignores"}
)
_IGNORED_FIELDS: Final = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_ANNOTATION_FIELDS: Final = frozenset({*((kind, "returns") for kind in FUNCTIONS), (ast.arg, "annotation")})
"""Fields that hold annotations of functions."""
_CHILD: Final = ...
"""Placeholder of a child node in the normal form of its parent."""
_SCOPE_NODES: Final = frozenset({*FUNCTIONS, ast.ClassDef, ast.Module})
_BINDING_NODES: Final = frozenset(
    {*FUNCTIONS, ast.ClassDef, ast.arg, ast.alias, ast.Global, ast.Nonlocal, ast.ExceptHandler}
    | {ast.MatchAs, ast.MatchStar, ast.MatchMapping}
)
"""Nodes other than names that bind names, or make them visible from elsewhere."""
_NAME_READERS: Final = frozenset({"locals", "vars", "eval", "exec", "dir", "globals"})
"""Functions that read the names of variables, which then count."""


def same_code(one: str, other: str) -> bool:
    """Whether two programs mean the same.

    Comments, formatting, docstrings, annotations of functions and the names of local variables do not count. Of text
    that does not parse, only blank lines and blanks at line ends do not.
    """
    return one == other or code_digest(one) == code_digest(other)


@cached_by_text(1_000_000)
def code_digest(source: str) -> bytes:
    """A hash of what a program means; remembered, since versions of one program are compared again and again."""
    try:
        normal_form = _normal_form(tree(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        normal_form = "\n".join(line.rstrip() for line in source.split("\n") if line.strip())
    return hashlib.sha256(normal_form.encode("utf-8", "surrogatepass")).digest()


def _normal_form(tree: ast.Module) -> str:
    """The normal form of a program: level by level, each node's kind, plain values and number of children."""
    numbers: dict[ast.AST, str] = {}
    for function in walk_statements(tree, closed=FUNCTIONS):
        if isinstance(function, FUNCTIONS):
            numbers.update(_numbered_locals(function))
    return repr(_words(tree, numbers))


def _words(tree: ast.Module, numbers: Mapping[ast.AST, str]) -> list[object]:
    """The tree as one list: each node's kind, then its fields; a list as its length and its items."""
    words: list[object] = []
    pending: list[ast.AST] = [tree]
    for node in pending:
        kind, values = type(node), node.__dict__
        words.append(kind.__name__)
        if node in numbers:
            words.append(numbers[node])
            continue
        if kind in _SCOPE_NODES:
            values = {**values, "body": _body(node)}
        for name in _meaningful_fields(kind):  # type: ignore[arg-type]  # mypy takes the hash of nodes for that of their kind
            value = values.get(name)
            items = value if isinstance(value, list) else (value,)
            if items is value:
                words.append(len(items))
            for item in items:
                if isinstance(item, ast.AST):
                    pending.append(item)
                    words.append(_CHILD)
                else:
                    words.append(item)
    return words


@cache
def _meaningful_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that count."""
    return tuple(
        name for name in kind._fields if name not in _IGNORED_FIELDS and (kind, name) not in _ANNOTATION_FIELDS
    )


def _body(node: ast.AST) -> list[ast.stmt]:
    """The statements of a scope after its docstring; a definition that has no others passes."""
    body: list[ast.stmt] = getattr(node, "body", [])
    if not docstring_statement(node):
        return body
    return body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])


def same_nodes(one: Sequence[ast.AST], other: Sequence[ast.AST]) -> bool:
    """Whether two lists of nodes mean the same: places, docstrings and annotations of functions aside."""
    pending = [(list(one), list(other))]
    while pending:
        own, theirs = pending.pop()
        if len(own) != len(theirs):
            return False
        for left, right in zip(own, theirs, strict=True):
            if type(left) is not type(right) or not _same_fields(left, right, pending):
                return False
    return True


def _same_fields(left: ast.AST, right: ast.AST, pending: list[tuple[list[ast.AST], list[ast.AST]]]) -> bool:
    for name in left._fields:
        if name in _IGNORED_BETWEEN_NODES:
            continue
        own, theirs = _field(left, name), _field(right, name)
        if isinstance(own, list) and isinstance(theirs, list):
            if any(not isinstance(item, ast.AST) for item in (*own, *theirs)):
                own, theirs = [_as_node(item) for item in own], [_as_node(item) for item in theirs]
            pending.append((own, theirs))
        elif isinstance(own, ast.AST) and isinstance(theirs, ast.AST):
            pending.append(([own], [theirs]))
        elif type(own) is not type(theirs) or repr(own) != repr(theirs):
            return False
    return True


def _field(node: ast.AST, name: str) -> object:
    value = getattr(node, name, None)
    return (
        value[1:]
        if name == "body" and isinstance(value, list) and docstring_statement(node) and _is_scope(node)
        else value
    )


def _as_node(item: object) -> ast.AST:
    """A node for an item of a list of names, or of keys that may be missing."""
    return item if isinstance(item, ast.AST) else ast.Constant(str(item))


def _is_scope(node: ast.AST) -> bool:
    return type(node) in _SCOPE_NODES


def _numbered_locals(function: Function) -> dict[ast.AST, str]:
    """Each place of a function's variables, with a neutral name: the variable's number in the order of the text."""
    names: list[ast.Name] = []
    kept: set[str] = set()
    aside: set[ast.AST] = set()
    for part in walk(function):
        if isinstance(part, ast.Name):
            names.append(part)
        elif type(part) in _BINDING_NODES:
            kept.update(_named(part))
            aside.update(_annotations(part))
    names = [name for name in names if name not in aside] if aside else names
    if any(name.id in _NAME_READERS for name in names):
        return {}
    stored = {name.id for name in names if type(name.ctx) is not ast.Load} - kept
    own = sorted((name for name in names if name.id in stored), key=lambda name: (name.lineno, name.col_offset))
    numbers = {variable: f"v.{number}" for number, variable in enumerate(dict.fromkeys(name.id for name in own))}
    return {name: numbers[name.id] for name in own}


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of this node's annotation, where it has one."""
    hint = node.annotation if isinstance(node, ast.arg) else getattr(node, "returns", None)
    yield from walk(hint) if hint else ()


def _named(node: ast.AST) -> Iterator[str]:
    """Names that a node binds other than as a variable, or makes visible from elsewhere."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, ast.alias):
        yield imported_name(node)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (part.id for part in walk(node) if isinstance(part, ast.Name))
