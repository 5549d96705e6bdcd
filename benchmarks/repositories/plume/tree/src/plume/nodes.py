"""The document tree."""

from dataclasses import dataclass, field
from typing import List, Optional


# -- inline ---------------------------------------------------------------
@dataclass
class Str:
    text: str


@dataclass
class Code:
    text: str


@dataclass
class Emphasis:
    children: list


@dataclass
class Strong:
    children: list


@dataclass
class Link:
    children: list
    url: str
    title: str = ""


@dataclass
class Image:
    alt: str
    url: str
    title: str = ""


@dataclass
class Break:
    pass


# -- blocks ---------------------------------------------------------------
@dataclass
class Heading:
    level: int
    children: list
    slug: str = ""


@dataclass
class Paragraph:
    children: list


@dataclass
class CodeBlock:
    text: str
    language: str = ""


@dataclass
class Quote:
    children: list


@dataclass
class ListItem:
    children: list
    checked: Optional[bool] = None


@dataclass
class ListBlock:
    items: List[ListItem]
    ordered: bool = False
    start: int = 1
    tight: bool = True


@dataclass
class Table:
    header: list
    rows: list
    align: List[str] = field(default_factory=list)


@dataclass
class Rule:
    pass


@dataclass
class Document:
    children: list
    meta: dict = field(default_factory=dict)


def plain_text(children):
    """The text of inline nodes without their markup."""
    parts = []
    for node in children:
        if isinstance(node, (Str, Code)):
            parts.append(node.text)
        elif isinstance(node, Image):
            parts.append(node.alt)
        elif isinstance(node, Break):
            parts.append(" ")
        else:
            parts.append(plain_text(node.children))
    return "".join(parts)


def walk(block):
    """Yield *block* and all blocks inside it."""
    yield block
    if isinstance(block, ListBlock):
        inner = block.items
    elif isinstance(block, (Document, Quote, ListItem)):
        inner = block.children
    else:
        inner = ()
    for child in inner:
        yield from walk(child)
