"""Heading anchors and the table of contents."""

import re
import unicodedata

from .nodes import Heading, plain_text, walk


def slugify(text):
    """
    >>> slugify("What's new in 2.0?")
    'whats-new-in-2-0'
    """
    text = unicodedata.normalize("NFKD", text)
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = re.sub(r"['\u2019]", "", text.lower())
    return re.sub(r"[\W_]+", "-", text).strip("-") or "section"


class SlugMaker:
    """Makes slugs that are unique within one document."""

    def __init__(self):
        self._used = set()

    def make(self, text):
        base = slugify(text)
        slug = base
        number = 1
        while slug in self._used:
            slug = f"{base}-{number}"
            number += 1
        self._used.add(slug)
        return slug


def assign_slugs(document):
    """Give every heading its slug; returns the headings in order."""
    maker = SlugMaker()
    headings = [block for block in walk(document) if isinstance(block, Heading)]
    for heading in headings:
        heading.slug = maker.make(plain_text(heading.children))
    return headings


class TocEntry:
    def __init__(self, title, slug, level):
        self.title = title
        self.slug = slug
        self.level = level
        self.children = []

    def as_tuple(self):
        return (self.title, [child.as_tuple() for child in self.children])


def build_toc(headings, max_level=6):
    """Nest headings by level; skipped levels do not make empty entries."""
    root = TocEntry("", "", 0)
    stack = [root]
    for heading in headings:
        if heading.level > max_level:
            continue
        entry = TocEntry(plain_text(heading.children), heading.slug, heading.level)
        while stack[-1].level >= entry.level:
            stack.pop()
        stack[-1].children.append(entry)
        stack.append(entry)
    return root.children
