"""Render the tree as HTML."""

from html import escape
from urllib.parse import urlsplit

from . import nodes

SAFE_SCHEMES = {"", "http", "https", "mailto", "ftp"}


def attribute(value):
    return escape(value, quote=True)


class HtmlRenderer:
    def __init__(self, heading_offset=0, anchors=True, safe_links=True):
        self.heading_offset = heading_offset
        self.anchors = anchors
        self.safe_links = safe_links

    def render(self, document):
        return "".join(self.block(child) + "\n" for child in document.children)

    # -- inline ----------------------------------------------------------
    def inline(self, children):
        return "".join(self.inline_node(node) for node in children)

    def inline_node(self, node):
        if isinstance(node, nodes.Str):
            return escape(node.text, quote=False)
        if isinstance(node, nodes.Code):
            return f"<code>{escape(node.text, quote=False)}</code>"
        if isinstance(node, nodes.Emphasis):
            return f"<em>{self.inline(node.children)}</em>"
        if isinstance(node, nodes.Strong):
            return f"<strong>{self.inline(node.children)}</strong>"
        if isinstance(node, nodes.Break):
            return "<br>\n"
        title = f' title="{attribute(node.title)}"' if node.title else ""
        url = attribute(self.url(node.url))
        if isinstance(node, nodes.Image):
            return f'<img src="{url}" alt="{attribute(node.alt)}"{title}>'
        return f'<a href="{url}"{title}>{self.inline(node.children)}</a>'

    def url(self, url):
        if not self.safe_links:
            return url
        try:
            scheme = urlsplit(url.strip()).scheme.lower()
        except ValueError:
            return "#"
        return url if scheme in SAFE_SCHEMES else "#"

    # -- blocks ----------------------------------------------------------
    def block(self, node):
        method = getattr(self, "block_" + type(node).__name__.lower())
        return method(node)

    def blocks(self, children):
        return "\n".join(self.block(child) for child in children)

    def block_heading(self, node):
        level = min(node.level + self.heading_offset, 6)
        anchor = f' id="{attribute(node.slug)}"' if self.anchors and node.slug else ""
        return f"<h{level}{anchor}>{self.inline(node.children)}</h{level}>"

    def block_paragraph(self, node):
        return f"<p>{self.inline(node.children)}</p>"

    def block_codeblock(self, node):
        language = f' class="language-{attribute(node.language)}"' if node.language else ""
        text = escape(node.text, quote=False)
        end = "\n" if text else ""
        return f"<pre><code{language}>{text}{end}</code></pre>"

    def block_quote(self, node):
        return f"<blockquote>\n{self.blocks(node.children)}\n</blockquote>"

    def block_rule(self, node):
        return "<hr>"

    def block_listblock(self, node):
        tag = "ol" if node.ordered else "ul"
        start = f' start="{node.start}"' if node.ordered and node.start != 1 else ""
        items = "\n".join(self.item(item, node.tight) for item in node.items)
        return f"<{tag}{start}>\n{items}\n</{tag}>"

    def item(self, item, tight):
        parts = []
        for child in item.children:
            if tight and isinstance(child, nodes.Paragraph):
                parts.append(self.inline(child.children))
            else:
                parts.append(self.block(child))
        box = ""
        if item.checked is not None:
            box = f'<input type="checkbox" disabled{" checked" if item.checked else ""}> '
        return f"<li>{box}" + "\n".join(parts) + "</li>"

    def block_table(self, node):
        def row(cells, tag):
            out = []
            for cell, align in zip(cells, node.align):
                style = f' style="text-align: {align}"' if align else ""
                out.append(f"<{tag}{style}>{self.inline(cell)}</{tag}>")
            return "<tr>" + "".join(out) + "</tr>"

        lines = ["<table>", "<thead>", row(node.header, "th"), "</thead>"]
        if node.rows:
            lines += ["<tbody>", *(row(cells, "td") for cells in node.rows), "</tbody>"]
        return "\n".join(lines + ["</table>"])
