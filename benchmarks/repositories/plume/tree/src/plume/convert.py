from . import frontmatter
from .blocks import BlockParser
from .html import HtmlRenderer
from .nodes import Heading, plain_text, walk
from .slugs import assign_slugs, build_toc
from .text import TextRenderer


class Converter:
    """Converts any number of documents with the same options.

    After each conversion :attr:`meta` and :attr:`toc` describe that document.
    """

    def __init__(self, renderer=None, front_matter=True, toc_level=3):
        self.renderer = renderer or HtmlRenderer()
        self.front_matter = front_matter
        self.toc_level = toc_level
        self.meta = {}
        self.toc = []
        self.document = None

    def parse(self, text):
        if text.startswith("\ufeff"):
            text = text[1:]
        meta = {}
        if self.front_matter:
            meta, text = frontmatter.split(text)
        document = BlockParser().parse(text)
        document.meta = meta
        return document

    def convert(self, text):
        self.document = self.parse(text)
        self.meta = self.document.meta
        headings = assign_slugs(self.document)
        self.toc = build_toc(headings, self.toc_level)
        return self.renderer.render(self.document)

    @property
    def title(self):
        """From the front matter, else the first top-level heading."""
        if self.meta.get("title"):
            return str(self.meta["title"])
        if self.document is not None:
            for block in walk(self.document):
                if isinstance(block, Heading) and block.level == 1:
                    return plain_text(block.children)
        return None


def to_html(text, **options):
    return Converter(HtmlRenderer(**options)).convert(text)


def to_text(text, width=78):
    return Converter(TextRenderer(width)).convert(text)
