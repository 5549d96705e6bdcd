"""Anchors of headings, as code hosts make them."""
import re
import unicodedata

_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`~]|<[^>]+>")
_DROP = re.compile(r"[^\w\- ]")


def plain(text):
    """Heading text without its markup."""
    return _MARKUP.sub(lambda m: m.group(1) or "", text)


def slugify(text):
    text = unicodedata.normalize("NFC", plain(text)).strip().lower()
    return _DROP.sub("", text).replace(" ", "-")


class Slugger:
    """Slugs for one page: the second of a kind gets -1, and so on."""

    def __init__(self):
        self._seen = {}

    def __call__(self, text):
        base = slugify(text)
        slug = base
        while slug in self._seen:
            self._seen[base] += 1
            slug = f"{base}-{self._seen[base]}"
        self._seen[slug] = 0
        return slug
