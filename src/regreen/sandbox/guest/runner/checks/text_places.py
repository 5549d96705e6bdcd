"""Places in a text of Python: from lines and columns to characters, and edits at such places."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any


class TextPlaces:
    """The lines of a text, as Python's parser counts them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]

    def line_start(self, line: int) -> int:
        """The character at which a line begins; lines count from 1."""
        return self.starts[line - 1]

    def start_of(self, node: ast.expr | ast.stmt) -> int:
        """The character at which a node begins."""
        return self._place(node.lineno, node.col_offset)

    def end_of(self, node: ast.expr | ast.stmt) -> int:
        """The character behind a node."""
        return self._place(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _place(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        part = self.text[start : start + column]
        # Python counts columns in bytes.
        return start + (column if part.isascii() else len(part.encode()[:column].decode()))


def line_begun(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def edited_text(text: str, edits: Sequence[Sequence[Any]], offset: int) -> str:
    """The text, which begins at `offset`, with its edits done; they are sorted and do not overlap."""
    parts, position = [], 0
    for start, end, new in edits:
        parts += [text[position : start - offset], new]
        position = end - offset
    return "".join([*parts, text[position:]])
