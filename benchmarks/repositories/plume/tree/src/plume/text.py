"""Render the tree as wrapped plain text."""

import textwrap

from . import nodes


class TextRenderer:
    """Link targets become numbered notes at the end, each target once."""

    def __init__(self, width=78):
        self.width = width
        self._links = []

    def render(self, document):
        self._links = []
        parts = [self.block(child, self.width) for child in document.children]
        if self._links:
            notes = [f"[{number}] {url}" for number, url in enumerate(self._links, 1)]
            parts.append("\n".join(notes))
        return "\n\n".join(parts) + "\n" if parts else ""

    def inline(self, children):
        out = []
        for node in children:
            if isinstance(node, nodes.Str):
                out.append(node.text)
            elif isinstance(node, nodes.Code):
                out.append(f"`{node.text}`")
            elif isinstance(node, nodes.Emphasis):
                out.append(f"*{self.inline(node.children)}*")
            elif isinstance(node, nodes.Strong):
                out.append(self.inline(node.children).upper())
            elif isinstance(node, nodes.Break):
                out.append("\v")
            elif isinstance(node, nodes.Image):
                out.append(f"[image: {node.alt}]" if node.alt else "")
            else:
                out.append(self.link(node))
        return "".join(out)

    def link(self, node):
        label = self.inline(node.children)
        if label == node.url or node.url.startswith("#"):
            return label
        if node.url not in self._links:
            self._links.append(node.url)
        return f"{label} [{self._links.index(node.url) + 1}]"

    def wrap(self, text, width):
        lines = []
        for part in text.split("\v"):
            lines += textwrap.wrap(
                part, max(width, 20), break_long_words=False, break_on_hyphens=False
            ) or [""]
        return "\n".join(lines)

    def blocks(self, children, width, separator="\n\n"):
        return separator.join(self.block(child, width) for child in children)

    def block(self, node, width):
        if isinstance(node, nodes.Heading):
            text = self.inline(node.children)
            if node.level > 2:
                return text
            return text + "\n" + "=-"[node.level - 1] * len(text)
        if isinstance(node, nodes.Paragraph):
            return self.wrap(self.inline(node.children), width)
        if isinstance(node, nodes.CodeBlock):
            return textwrap.indent(node.text, "    ")
        if isinstance(node, nodes.Quote):
            inner = self.blocks(node.children, width - 2)
            return textwrap.indent(inner, "> ", lambda line: True)
        if isinstance(node, nodes.ListBlock):
            return self.list(node, width)
        if isinstance(node, nodes.Table):
            return self.table(node)
        return "-" * min(width, 40)

    def list(self, node, width):
        separator = "\n" if node.tight else "\n\n"
        last = node.start + len(node.items) - 1
        items = []
        for number, item in enumerate(node.items, node.start):
            marker = f"{number}.".rjust(len(str(last)) + 1) if node.ordered else "-"
            if item.checked is not None:
                marker += " [x]" if item.checked else " [ ]"
            pad = " " * (len(marker) + 1)
            inner = self.blocks(item.children, width - len(pad), separator)
            items.append(marker + " " + textwrap.indent(inner, pad)[len(pad) :])
        return separator.join(items)

    def table(self, node):
        rows = [[self.inline(cell) for cell in row] for row in [node.header, *node.rows]]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = []
        for row in rows:
            cells = []
            for text, width, align in zip(row, widths, node.align):
                if align == "right":
                    cells.append(text.rjust(width))
                elif align == "center":
                    cells.append(text.center(width))
                else:
                    cells.append(text.ljust(width))
            lines.append("  ".join(cells).rstrip())
        lines.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join(lines)
