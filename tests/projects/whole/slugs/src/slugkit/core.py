"""Slugs of titles."""

import re
import unicodedata

_UNWANTED = re.compile(r"[^a-z0-9]+")


def slugify(text, separator="-", max_length=0, stopwords=()):
    """Turn a title into a slug.

    >>> slugify("Hello, World!")
    'hello-world'
    """
    text = unicodedata.normalize("NFKD", text)
    text = text.encode("ascii", "ignore").decode("ascii").lower()
    words = [word for word in _UNWANTED.split(text) if word and word not in stopwords]
    slug = separator.join(words)
    if max_length and len(slug) > max_length:
        slug = smart_truncate(slug, max_length, separator)
    return slug


def smart_truncate(slug, max_length, separator):
    """Cut at a word boundary; at least one (cut) word stays."""
    kept = ""
    for word in slug.split(separator):
        longer = kept + separator + word if kept else word
        if len(longer) >= max_length:
            break
        kept = longer
    return kept or slug[:max_length]


def unique_slug(text, taken, separator="-"):
    """A slug that is not in `taken`: -2, -3 and so on is put behind it."""
    base = slugify(text, separator)
    if base not in taken:
        return base
    number = 2
    while f"{base}{separator}{number}" in taken:
        number += 1
    return f"{base}{separator}{number}"
