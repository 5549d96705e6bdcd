"""Split a document into blocks."""

import re

from . import nodes
from .inline import InlineParser, normalize_label

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})[ \t]*([^`]*)$")
_BULLET = re.compile(r"( {0,3})([-*+])([ \t]+|$)")
_NUMBER = re.compile(r"( {0,3})(\d{1,9})[.)]([ \t]+|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_DEFINITION = re.compile(r' {0,3}\[([^\[\]]+)\]:[ \t]*(\S+)(?:[ \t]+"([^"]*)")?[ \t]*$')
_DELIMITER_CELL = re.compile(r":?-+:?$")


def split_row(line):
    r"""Cells of a table row; ``\|`` and pipes in code do not separate.

    >>> split_row("| a | b \\| c |")
    ['a', 'b | c']
    """
    line = line.strip()
    if line.startswith("|"):
        line = line[1:]
    cells = [""]
    in_code = False
    index = 0
    while index < len(line):
        char = line[index]
        if char == "\\" and line[index + 1 : index + 2] == "|":
            cells[-1] += "|"
            index += 2
            continue
        if char == "`":
            in_code = not in_code
        if char == "|" and not in_code:
            cells.append("")
        else:
            cells[-1] += char
        index += 1
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [cell.strip() for cell in cells]


def parse_delimiter(line):
    """Alignments of a table's second line, or None when it is no such line."""
    if "-" not in line or "|" not in line:
        return None
    align = []
    for cell in split_row(line):
        if not _DELIMITER_CELL.match(cell):
            return None
        left, right = cell.startswith(":"), cell.endswith(":")
        align.append("center" if left and right else "right" if right else "left" if left else "")
    return align


class BlockParser:
    def __init__(self):
        self.references = {}

    def parse(self, text):
        lines = text.expandtabs(4).splitlines()
        lines = self._take_definitions(lines)
        self.inline = InlineParser(self.references)
        return nodes.Document(self.parse_lines(lines))

    def _take_definitions(self, lines):
        """Collect link definitions (outside fenced code), returning the other lines."""
        kept = []
        fence = None
        for line in lines:
            match = _FENCE.match(line)
            if fence is None and match:
                fence = match.group(2)
            elif fence is not None and self._closes(line, fence):
                fence = None
            elif fence is None:
                definition = _DEFINITION.match(line)
                if definition:
                    label, url, title = definition.groups()
                    self.references.setdefault(normalize_label(label), (url, title or ""))
                    continue
            kept.append(line)
        return kept

    @staticmethod
    def _closes(line, fence):
        stripped = line.strip()
        return (
            len(stripped) >= len(fence)
            and set(stripped) == {fence[0]}
            and len(line) - len(line.lstrip()) < 4
        )

    def parse_lines(self, lines):
        blocks = []
        index = 0
        while index < len(lines):
            line = lines[index]
            if not line.strip():
                index += 1
                continue
            for method in (
                self._heading,
                self._fence,
                self._rule,
                self._quote,
                self._list,
                self._table,
            ):
                found = method(lines, index)
                if found is not None:
                    block, index = found
                    break
            else:
                block, index = self._paragraph(lines, index)
            blocks.append(block)
        return blocks

    def _heading(self, lines, index):
        match = _HEADING.match(lines[index])
        if match is None:
            return None
        children = self.inline.parse((match.group(2) or "").strip())
        return nodes.Heading(len(match.group(1)), children), index + 1

    def _rule(self, lines, index):
        if _RULE.match(lines[index]):
            return nodes.Rule(), index + 1
        return None

    def _fence(self, lines, index):
        match = _FENCE.match(lines[index])
        if match is None:
            return None
        indent, fence, info = match.groups()
        body = []
        index += 1
        while index < len(lines):
            line = lines[index]
            index += 1
            if self._closes(line, fence):
                break
            spaces = len(line) - len(line.lstrip(" "))
            body.append(line[min(spaces, len(indent)) :])
        language = info.split()[0] if info.strip() else ""
        return nodes.CodeBlock("\n".join(body), language), index

    def _quote(self, lines, index):
        if not _QUOTE.match(lines[index]):
            return None
        body = []
        while index < len(lines) and lines[index].strip():
            match = _QUOTE.match(lines[index])
            if match is None and self._starts_block(lines, index):
                break
            body.append(lines[index][match.end() :] if match else lines[index])
            index += 1
        return nodes.Quote(self.parse_lines(body)), index

    @staticmethod
    def _marker(line):
        """``(kind, number, width of marker and space)`` of a list item, or None."""
        if _RULE.match(line):
            return None
        match = _BULLET.match(line)
        if match:
            return match.group(2), None, BlockParser._content_column(match)
        match = _NUMBER.match(line)
        if match:
            return "number", int(match.group(2)), BlockParser._content_column(match)
        return None

    @staticmethod
    def _content_column(match):
        space = len(match.group(3))
        # an item that starts with an indented or missing text is one space in
        return match.end() - space + (space if 1 <= space <= 4 else 1)

    def _list(self, lines, index):
        marker = self._marker(lines[index])
        if marker is None:
            return None
        kind, start, _ = marker
        items = []
        tight = True
        blank_before = False
        while index < len(lines):
            marker = self._marker(lines[index])
            if marker is None or marker[0] != kind:
                break
            if items and blank_before:
                tight = False
            body, index, blank_inside, blank_before = self._item_lines(lines, index, marker[2])
            if blank_inside:
                tight = False
            items.append(self._item(body))
        block = nodes.ListBlock(
            items, ordered=kind == "number", start=1 if start is None else start, tight=tight
        )
        return block, index

    def _item_lines(self, lines, index, width):
        body = [lines[index][width:]]
        index += 1
        blanks = 0
        blank_inside = False
        while index < len(lines):
            line = lines[index]
            if not line.strip():
                blanks += 1
                index += 1
                continue
            indent = len(line) - len(line.lstrip())
            if indent >= width:
                if blanks:
                    blank_inside = True
                body.extend([""] * blanks)
                blanks = 0
                body.append(line[width:])
            elif blanks or self._marker(line) or self._starts_block(lines, index):
                break
            else:
                body.append(line.lstrip())  # lazy continuation of a paragraph
            index += 1
        return body, index, blank_inside, blanks > 0

    def _item(self, body):
        checked = None
        match = _TASK.match(body[0])
        if match:
            checked = match.group(1) != " "
            body = [body[0][match.end() :]] + body[1:]
        return nodes.ListItem(self.parse_lines(body), checked)

    def _table(self, lines, index):
        if "|" not in lines[index] or index + 1 >= len(lines):
            return None
        align = parse_delimiter(lines[index + 1])
        header = split_row(lines[index])
        if align is None or len(align) != len(header):
            return None
        rows = []
        index += 2
        while index < len(lines) and "|" in lines[index]:
            cells = split_row(lines[index])[: len(header)]
            cells += [""] * (len(header) - len(cells))
            rows.append([self.inline.parse(cell) for cell in cells])
            index += 1
        return nodes.Table([self.inline.parse(cell) for cell in header], rows, align), index

    def _starts_block(self, lines, index):
        line = lines[index]
        marker = self._marker(line)
        return bool(
            _HEADING.match(line)
            or _FENCE.match(line)
            or _RULE.match(line)
            or _QUOTE.match(line)
            or (marker is not None and marker[1] in (None, 1) and len(line) > marker[2])
        )

    def _paragraph(self, lines, index):
        body = [lines[index].lstrip()]
        index += 1
        while index < len(lines) and lines[index].strip():
            if self._starts_block(lines, index):
                break
            body.append(lines[index].lstrip())
            index += 1
        return nodes.Paragraph(self.inline.parse("\n".join(body).rstrip())), index
