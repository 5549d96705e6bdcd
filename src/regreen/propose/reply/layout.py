"""A parsed text with the lines on which its definitions stand."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from regreen.propose.reply.name_analysis import bound_names
from regreen.propose.reply.parsing import ParsedCode
from regreen.syntax import (
    DEFINITIONS,
    FUNCTIONS,
    Function,
    character_column,
    docstring_statement,
    first_line,
    indent_of,
    module_statements,
    walk,
)

_SUFFIXES: Final = ("setter", "deleter", "getter")


class Layout:
    """One text, its tree, and the lines of its definitions, counted from 0."""

    def __init__(self, code: ParsedCode) -> None:
        self.source = code.text
        self.tree = code.tree
        self.lines = code.text.split("\n")
        self.functions: dict[str, Function] = {}
        """Functions of the module; of several with one name, the last."""
        self.classes: dict[str, ast.ClassDef] = {}
        for node in module_statements(self.tree.body):
            if isinstance(node, FUNCTIONS):
                self.functions[node.name] = node
                self.classes.pop(node.name, None)
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
                self.functions.pop(node.name, None)

    def span(self, node: ast.stmt) -> tuple[int, int]:
        """The lines of a statement, decorators included: half open."""
        return first_line(node) - 1, node.end_lineno or node.lineno

    def text(self, node: ast.stmt) -> list[str]:
        """The lines of a statement, decorators included."""
        first, last = self.span(node)
        return self.lines[first:last]

    def comments_after(self, node: ast.stmt) -> list[str]:
        """Comments after a definition that are indented as its body is."""
        margin, found = len(self.indent(node)), []
        for at in range(self.span(node)[1], len(self.lines)):
            line = self.lines[at]
            if line.strip() and (not line.lstrip().startswith("#") or len(indent_of(line)) <= margin):
                break
            found.append(line)
        return found

    def indent(self, node: ast.stmt) -> str:
        """The indentation of a statement."""
        return indent_of(self.lines[node.lineno - 1])

    def alone(self, node: ast.stmt) -> bool:
        """Whether a statement shares its lines with no other."""
        after = self._column(node.end_lineno or node.lineno, node.end_col_offset or 0)
        rest = self.lines[(node.end_lineno or node.lineno) - 1][after:].strip()
        before = self.lines[node.lineno - 1][: self._column(node.lineno, node.col_offset)]
        return not before.strip() and (not rest or rest.startswith("#"))

    def cut(self, node: ast.stmt) -> str:
        """The text of one statement, without what shares its lines."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        lines = self.lines[first : last + 1]
        lines[-1] = lines[-1][: self._column(last + 1, node.end_col_offset or 0)]
        lines[0] = lines[0][self._column(first + 1, node.col_offset) :]
        return "\n".join(lines)

    def before_body(self, function: Function) -> str | None:
        """A function's text up to its first statement, where that stands in the heading's own line; else None."""
        body = function.body[0]
        line = self.lines[body.lineno - 1]
        head = line[: self._column(body.lineno, body.col_offset)]
        return head if head.strip() else None

    def after_head(self, function: Function) -> str:
        """The rest of the line in which a function's body begins."""
        body = function.body[0]
        return self.lines[body.lineno - 1][self._column(body.lineno, body.col_offset) :]

    def head(self, function: Function) -> list[str]:
        """The lines of a function before its first statement: decorators, heading and comments."""
        first, _ = self.span(function)
        body = function.body[0]
        lines = self.lines[first : self.span(body)[0]]
        inline = self.before_body(function)
        return lines if inline is None else [*lines, inline.rstrip()]

    def docstring(self, node: Function) -> list[str] | None:
        """The lines of a function's docstring, where they are its own."""
        found = docstring_statement(node)
        return self.text(found) if found and self.alone(found) else None

    @cached_property
    def methods(self) -> dict[str, list[tuple[ast.ClassDef, Function]]]:
        """Every method of every class of the module, with its class, by its name."""
        found: dict[str, list[tuple[ast.ClassDef, Function]]] = {}
        for owner in self.classes.values():
            for key, method in methods_of(owner).items():
                found.setdefault(key, []).append((owner, method))
        return found

    @cached_property
    def every_function(self) -> dict[str, Function]:
        """Functions by their names, methods as "Class.method"."""
        methods = {f"{o.name}.{key}": method for key, pairs in self.methods.items() for o, method in pairs}
        return {**self.functions, **methods}

    @cached_property
    def lambdas(self) -> dict[str, ast.stmt]:
        """Statements that assign a lambda, by its name."""
        statements = [s for s in self.tree.body if isinstance(s, ast.Assign) and isinstance(s.value, ast.Lambda)]
        return {name: s for s in statements if self.alone(s) for name in bound_names(s)}

    @cached_property
    def unit(self) -> str:
        """One step of indentation, as this text does it."""
        # In most texts the statements of the module suffice.
        return next(self._steps(self.tree.body), None) or next(self._steps(walk(self.tree)), "    ")

    def _steps(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """The steps by which the definitions among the nodes indent their bodies."""
        for node in nodes:
            if isinstance(node, DEFINITIONS) and node.body[0].lineno > node.lineno:
                inner, outer = self.indent(node.body[0]), self.indent(node)
                if inner.startswith(outer) and inner != outer:
                    yield inner[len(outer) :]

    def _column(self, line: int, byte_column: int) -> int:
        return character_column(self.lines[line - 1], byte_column)


def methods_of(owner: ast.ClassDef) -> dict[str, Function]:
    """The methods of a class by name; those that set or delete a property as "name.setter" and "name.deleter"."""
    found: dict[str, Function] = {}
    for node in owner.body:
        if isinstance(node, FUNCTIONS):
            kinds = [d.attr for d in node.decorator_list if isinstance(d, ast.Attribute) and d.attr in _SUFFIXES]
            found[".".join([node.name, *kinds])] = node
    return found


def string_lines(root: ast.stmt) -> set[int]:
    """Lines, from 1, that begin inside of a string, so that blanks before them are a part of it; not of a docstring."""
    nodes = walk(root)
    long = [n for n in nodes if isinstance(n, (ast.Constant, ast.JoinedStr)) and n.lineno != n.end_lineno]
    docstrings: set[ast.expr] = {said.value for node in nodes if (said := docstring_statement(node))} if long else set()
    found: set[int] = set()
    for node in long:
        if node not in docstrings:
            found.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    return found


def comments_start(lines: list[str], line: int) -> int:
    """The first of the comment lines right above a line; the line itself where there are none."""
    while line > 0 and lines[line - 1].lstrip().startswith("#"):
        line -= 1
    return line
