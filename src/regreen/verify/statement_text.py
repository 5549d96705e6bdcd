"""Statements cut out of test text without changing their meaning."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from regreen.syntax import character_column, first_line, parsed_or_none


class StatementText:
    """Test text from which statements are cut."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")

    def text_of(self, node: ast.expr | ast.stmt) -> str:
        """The node's text; its first line begins at the node, the others are whole."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        end = character_column(self.lines[last], node.end_col_offset or 0)
        start = character_column(self.lines[first], node.col_offset)
        if first == last:
            return self.lines[first][start:end]
        return "\n".join([self.lines[first][start:], *self.lines[first + 1 : last], self.lines[last][:end]])

    def statement(self, node: ast.stmt) -> tuple[str, int]:
        """A statement as text that compiles by itself, and its first line in the test text."""
        text, first = self.text_of(node), first_line(node)
        if decorators := getattr(node, "decorator_list", []):
            text = "\n".join([*self.lines[first - 1 : node.lineno - 1], self._indent(node) + text])
            text = text.removeprefix(self.lines[decorators[0].lineno - 1][: node.col_offset])
        if node.col_offset == 0 or "\n" not in text:
            return text, first
        for form in (self._dedented(text, self._indent(node)), text):
            if self._means(form, node):
                return form, first
        # A string that spans lines would change if it were dedented: the block keeps its indentation instead.
        return f"if True:\n{self._indent(node)}{text}", first - 1

    def _indent(self, node: ast.stmt) -> str:
        return self.lines[node.lineno - 1][: character_column(self.lines[node.lineno - 1], node.col_offset)]

    @staticmethod
    def _dedented(text: str, indent: str) -> str:
        return "\n".join(line.removeprefix(indent) for line in text.split("\n"))

    @staticmethod
    def _means(text: str, node: ast.stmt) -> bool:
        tree = parsed_or_none(text)
        return tree is not None and _same_trees(tree.body, [node])


def _same_trees(left: Sequence[ast.AST], right: Sequence[ast.AST]) -> bool:
    """Whether two lists of nodes are equal but for positions."""
    pending = [(list(left), list(right))]
    while pending:
        ours, theirs = pending.pop()
        if len(ours) != len(theirs):
            return False
        for one, other in zip(ours, theirs, strict=True):
            if type(one) is not type(other) or _plain_fields(one) != _plain_fields(other):
                return False
            pending.append((list(ast.iter_child_nodes(one)), list(ast.iter_child_nodes(other))))
    return True


def _plain_fields(node: ast.AST) -> list[object]:
    return [(name, type(value), repr(value)) for name, value in ast.iter_fields(node) if not _holds_nodes(value)]


def _holds_nodes(value: object) -> bool:
    return isinstance(value, ast.AST) or (isinstance(value, list) and any(isinstance(v, ast.AST) for v in value))
