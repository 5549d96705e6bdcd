"""A parsed program with the character offsets of its nodes."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from regreen.propose.search.constants import BRACKET_REACH
from regreen.propose.search.expressions import ATOM, BARE, Expression, level_needed, level_of_node
from regreen.propose.search.restricted_syntax import RestrictedSpan, fstring_fields, fstring_quote
from regreen.propose.search.value_kinds import ValueKinds, kinds_of_attributes
from regreen.syntax import (
    DEFINITIONS,
    FUNCTIONS,
    Function,
    LineStarts,
    body_after_docstring,
    is_string_statement,
    names_read,
    parse,
)

_BLOCKS: Final = ("body", "orelse", "finalbody")
_SKIPPED_FIELDS: Final = {"annotation", "returns", "type_params", "op", "ctx", "format_spec"}
_BEFORE_BRACKETED: Final = frozenset("( \t\n\f")
_PLACED: Final = (ast.expr, ast.stmt, ast.keyword, ast.arg, ast.ExceptHandler, ast.alias)
_COMMENT: Final = re.compile(r"#[^\n]*")


class ParsedProgram:
    """One text, its tree, and the span of every node. Raises SyntaxError or ValueError for text that does not parse."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = parse(source)
        self._places = LineStarts(source)
        self._starts = self._places.starts
        self.parents: dict[ast.AST, ast.AST] = {}
        self.spans: dict[ast.AST, tuple[int, int]] = {}
        self.nodes: list[ast.AST] = []
        """Every node that edits may touch, in the order of the text."""
        self.restricted: list[RestrictedSpan] = []
        """Spans in which not every expression may stand."""
        self.kept: dict[str, Any] = {}
        """What templates have worked out of the whole program, by its name."""
        self._extents: dict[ast.AST, tuple[int, int]] = {}
        self._walk(self.tree)

    def _walk(self, node: ast.AST) -> None:
        begin = len(self.nodes)
        for child in _children(node):
            self.parents[child] = node
            if isinstance(child, _PLACED):
                self.spans[child] = self._places.span(child)
            self.nodes.append(child)
            if isinstance(child, ast.JoinedStr):
                self._walk_fields(child)
            elif isinstance(child, ast.pattern):
                self.spans[child] = span = self._places.span(child)
                if not isinstance(node, ast.pattern):
                    self.restricted.append(RestrictedSpan(*span, ""))
            self._walk(child)
        self._extents[node] = begin, len(self.nodes)

    def _walk_fields(self, node: ast.JoinedStr) -> None:
        """The values of a simple f-string; Python below 3.12 does not say where they stand."""
        start, end = self.spans[node]
        text = self.source[start:end]
        values = [value for value in node.values if isinstance(value, ast.FormattedValue)]
        found = list(fstring_fields(text))
        if len(values) != len(found):
            return
        self.restricted.append(RestrictedSpan(start, end, fstring_quote(text)))
        for value, field in zip(values, found, strict=True):
            inner = self._placed(text[field.start : field.end], start + field.start)
            if inner is not None:
                value.value = inner
                self.parents[value] = node
                self.spans[value] = start + field.start - 1, start + field.close + 1
                self.nodes.append(value)
                self._walk(value)

    def _placed(self, text: str, offset: int) -> ast.expr | None:
        """The expression at an offset, with its position in the module; None for several lines or a syntax error."""
        try:
            (statement,) = parse(f"({text})").body
        except (SyntaxError, ValueError, RecursionError):
            return None
        if not isinstance(statement, ast.Expr):
            return None
        inner = statement.value
        line = self.line_of(offset)
        shift = len(self.source[self._starts[line - 1] : offset].encode()) - 1
        for part in ast.walk(inner) if "\n" not in text else ():
            if isinstance(part, ast.expr | ast.keyword | ast.arg):
                part.lineno = part.end_lineno = line
                part.col_offset += shift
                part.end_col_offset = (part.end_col_offset or 0) + shift
        return inner if "\n" not in text else None

    def below(self, node: ast.AST) -> list[ast.AST]:
        """Every node that edits may touch inside this one, in the order of the text."""
        begin, end = self._extents[node]
        return self.nodes[begin:end]

    @cached_property
    def _lambdas(self) -> bool:
        return any(isinstance(node, ast.Lambda) for node in self.nodes)

    def line_of(self, offset: int) -> int:
        """The line, from 1, that holds an offset."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """Where the line that holds an offset begins."""
        return self._starts[self.line_of(offset) - 1]

    def line_end(self, offset: int) -> int:
        """Where the next line begins, or the end of the text."""
        return min(self._starts[self.line_of(offset)], len(self.source))

    def text(self, node: ast.AST) -> str:
        """The node's own text, without brackets around it; as Python writes it where nobody knows where it stands.

        So it is within some f-strings.
        """
        span = self.spans.get(node)
        return ast.unparse(node) if span is None else self.source[slice(*span)]

    def expression(self, node: ast.expr) -> Expression:
        """The node's text and binding level."""
        text = self.text(node)
        if isinstance(node, ast.Tuple) and not text.startswith("("):
            return Expression(text, 0)
        if isinstance(node, ast.Tuple):
            return Expression(text, ATOM if self._closed(node) else 0)
        return Expression(text, level_of_node(node))

    def _closed(self, node: ast.Tuple) -> bool:
        """Whether a tuple that begins with a bracket also owns it: `(a, b)` but not `(a), b`."""
        return not node.elts or self.spans[node.elts[0]][0] > self.spans[node][0]

    def place_for(self, node: ast.expr, level: int) -> tuple[tuple[int, int], int]:
        """The span that an expression of a binding level takes in this node's place, and the level needed there.

        Brackets around the node that it needs, and the new one does not, are part of the span.
        """
        needed = level_needed(self.parents[node], node)
        if not self.bracketed(node):
            return self.spans[node], needed
        if level_of_node(node) < needed <= level:
            return self.outer(node), needed
        return self.spans[node], BARE

    def outer(self, node: ast.expr) -> tuple[int, int]:
        """The span of a node with the brackets around it, where there are any."""
        start, end = self.spans[node]
        if not self.bracketed(node):
            return start, end
        return self.source.rindex("(", 0, start), self.source.index(")", end) + 1

    def bracketed(self, node: ast.expr) -> bool:
        """Whether the node stands in round brackets that belong to no call, definition or tuple."""
        start, end = self.spans[node]
        if self.source[start - 1 : start] not in _BEFORE_BRACKETED:
            return False
        before = self.source[max(0, start - BRACKET_REACH) : start].rstrip()
        if not before.endswith("(") or not self.source[end : end + BRACKET_REACH].lstrip().startswith(")"):
            return False
        parent = self.parents[node]
        if isinstance(parent, ast.Call):
            return node is parent.func or len(parent.args) + len(parent.keywords) > 1
        return not isinstance(parent, ast.ClassDef | ast.keyword)

    def inside_brackets(self, node: ast.AST) -> bool:
        """Whether a line break may stand in this node's text."""
        child: ast.AST = node
        while isinstance(child, ast.expr | ast.keyword | ast.comprehension):
            parent = self.parents[child]
            if isinstance(child, ast.expr) and self.bracketed(child):
                return True
            if isinstance(parent, ast.List | ast.Set | ast.Dict | ast.ListComp | ast.SetComp | ast.DictComp):
                return True
            if isinstance(parent, ast.Call) and child is not parent.func:
                return True
            if isinstance(parent, ast.Subscript) and child is not parent.value:
                return True
            child = parent
        return False

    def gap(self, start: int, end: int) -> tuple[int, int]:
        """The span of the operator between two operands: the gap less blanks, brackets and comments."""
        text = _COMMENT.sub(lambda m: " " * len(m.group()), self.source[start:end])
        core = text.strip(" \t\n\\()")
        at = start + text.index(core) if core else start
        return at, at + len(core)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds the node."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def function(self, node: ast.AST) -> Function | None:
        """The innermost function whose body or defaults hold the node."""
        while node is not self.tree:
            if isinstance(node, FUNCTIONS):
                return node
            node = self.parents[node]
        return None

    def lambda_of(self, node: ast.AST) -> ast.Lambda | None:
        """The innermost lambda whose body holds the node, within its function."""
        if not self._lambdas:
            return None
        while node is not self.tree and not isinstance(node, FUNCTIONS):
            parent = self.parents[node]
            if isinstance(parent, ast.Lambda) and parent.body is node:
                return parent
            node = parent
        return None

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The innermost class around the node."""
        while node is not self.tree:
            if isinstance(node, ast.ClassDef):
                return node
            node = self.parents[node]
        return None

    @cached_property
    def place_of_imports(self) -> int:
        """Where a further import may stand: after the module's docstring and imports from the future."""
        at = 0
        for statement in self.tree.body:
            is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if not is_string_statement(statement) and not is_future:
                break
            at = self.line_end(self.spans[statement][1])
        return at

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that holds this one."""
        parent = self.parents[statement]
        for field in _BLOCKS:
            block: list[ast.stmt] = getattr(parent, field, [])
            if isinstance(block, list) and statement in block:
                return block
        return [statement]

    def indent(self, statement: ast.stmt) -> str:
        """The blanks before a statement that begins its line."""
        start = self.first(statement)
        return self.source[self.line_start(start) : start]

    def first(self, statement: ast.stmt) -> int:
        """Where a statement begins, decorators included."""
        decorators = getattr(statement, "decorator_list", [])
        if decorators:
            return self.source.rindex("@", 0, self.spans[decorators[0]][0] + 1)
        return self.spans[statement][0]

    def alone(self, statement: ast.stmt) -> bool:
        """Whether a statement shares its lines with no other."""
        start, end = self.first(statement), self.spans[statement][1]
        if self.source.startswith("elif", start):
            return False
        before = self.source[self.line_start(start) : start]
        after = self.source[end : self.line_end(end)].strip()
        return not before.strip() and (not after or after.startswith("#"))

    def lines(self, statement: ast.stmt) -> tuple[int, int]:
        """The span of the whole lines of a statement that is alone on them."""
        start, end = self.first(statement), self.spans[statement][1]
        return self.line_start(start), self.line_end(end)

    @cached_property
    def attribute_kinds(self) -> dict[str, str]:
        """The kind of value that each attribute holds, where its assignments and annotations tell."""
        return kinds_of_attributes(self.nodes)

    @cached_property
    def module_kinds(self) -> ValueKinds:
        """The kinds of the names that the module itself binds."""
        outside = [
            node
            for statement in self.tree.body
            if not isinstance(statement, DEFINITIONS)
            for node in ast.walk(statement)
        ]
        return ValueKinds(None, outside, None, self.attribute_kinds)

    @cached_property
    def names_read(self) -> frozenset[str]:
        """The names that anything reads."""
        return frozenset(names_read(self.nodes))

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Every function and method, outermost first."""
        return tuple(n for n in self.nodes if isinstance(n, FUNCTIONS))

    @cached_property
    def definitions(self) -> dict[str, list[Function | ast.ClassDef]]:
        """Every function and class by its name."""
        found: dict[str, list[Function | ast.ClassDef]] = {}
        for node in self.nodes:
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def unit(self) -> str:
        """One step of this program's indentation; four blanks where there is none."""
        for function in self.functions:
            body = function.body[0]
            if self.alone(body):
                inner, outer = self.indent(body), self.indent(function)
                if inner.startswith(outer) and inner != outer:
                    return inner[len(outer) :]
        return "    "

    @cached_property
    def windows(self) -> list[tuple[int, int]]:
        """The spans of simple statements and of the heads of compound ones, in order: the units of deduplication."""
        found = []
        for node in self.nodes:
            if isinstance(node, ast.stmt):
                start, end = self.first(node), self.spans[node][1]
                body = getattr(node, "body", None)
                if isinstance(body, list) and body:
                    end = self.first(body[0])
                found.append((start, end))
        return sorted(found)


def statements_after_docstring(function: Function) -> list[ast.stmt]:
    """The statements of a function after its docstring; never empty."""
    return body_after_docstring(function) or function.body


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The children that edits may touch: no annotations, and nothing inside f-strings, which `_walk_fields` adds."""
    if isinstance(node, ast.JoinedStr):
        return
    for name in _fields(type(node)):
        value = getattr(node, name, None)
        if isinstance(value, list):
            yield from (v for v in value if isinstance(v, ast.AST) and not isinstance(v, ast.cmpop))
        elif isinstance(value, ast.AST):
            yield value


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _SKIPPED_FIELDS)
    return found


_FIELDS: Final[dict[type[ast.AST], tuple[str, ...]]] = {}
