"""Words that stand for the two sides of one thing: what is said of the left one is often said of the right one, too."""

from __future__ import annotations

import ast
import re
from typing import Final

from regreen.propose.search.template_context import TemplateContext

_PAIRS: Final = (
    ("left", "right"),
    ("low", "high"),
    ("lower", "upper"),
    ("lo", "hi"),
    ("first", "last"),
    ("first", "second"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("smallest", "largest"),
    ("least", "most"),
    ("start", "end"),
    ("start", "stop"),
    ("begin", "end"),
    ("row", "column"),
    ("row", "col"),
    ("rows", "columns"),
    ("rows", "cols"),
    ("r", "c"),
    ("x", "y"),
    ("dx", "dy"),
    ("i", "j"),
    ("a", "b"),
    ("width", "height"),
    ("w", "h"),
    ("num", "den"),
    ("numerator", "denominator"),
    ("top", "bottom"),
    ("head", "tail"),
    ("front", "back"),
    ("prev", "next"),
    ("previous", "following"),
    ("before", "after"),
    ("old", "new"),
    ("source", "target"),
    ("src", "dst"),
    ("up", "down"),
    ("key", "value"),
    ("red", "black"),
    ("debit", "credit"),
    ("buyer", "seller"),
    ("sender", "receiver"),
)
_BY_WORD: Final = {
    word: tuple(dict.fromkeys(other for pair in _PAIRS if word in pair for other in pair if other != word))
    for word in dict.fromkeys(word for pair in _PAIRS for word in pair)
}
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ORDER: Final = re.compile(r"[<>]=?(?![<>])")


def other_sides(text: str, context: TemplateContext) -> list[str]:
    """A text as it would speak of the other side: `left_height = measure(left)` as `right_height = measure(right)`.

    Names are changed to such as the function or the program knows; one text for each pair of words.
    """
    known = context.cached("names of both sides", lambda: _known_names(context))
    names = list(dict.fromkeys(_NAME.findall(text)))
    words = dict.fromkeys(word for name in names for word in _words(name))
    found: dict[str, None] = {}
    for word in words:
        for other in _BY_WORD.get(word, ()):
            renamed = {name: _with_word(name, word, other) for name in names}
            changed = {name: new for name, new in renamed.items() if new != name and new in known}
            if changed:
                found.setdefault(_renamed(text, changed))
    every = {name: _wholly_on_other_side(name, known) for name in names}
    changed = {name: new for name, new in every.items() if new != name}
    if len(changed) > 1:
        found.setdefault(_renamed(text, changed))
    return list(found)


def _wholly_on_other_side(name: str, known: frozenset[str]) -> str:
    """A name with each of its words replaced by the other side's; the name itself where that is not known."""
    words = (_BY_WORD.get(part, (part,))[0] for part in name.split("_"))
    other = "_".join(words)
    return other if other in known else name


def _known_names(context: TemplateContext) -> frozenset[str]:
    """The names in reach, those that the function reads, and all that the program reads of objects."""
    read = context.cached_of_program(
        "every attribute read", lambda: {part.attr for part in context.program.nodes if isinstance(part, ast.Attribute)}
    )
    named = {part.id for part in context.scope.nodes if isinstance(part, ast.Name)}
    return frozenset({*context.scope.visible, *named, *read})


def _renamed(text: str, names: dict[str, str]) -> str:
    return _NAME.sub(lambda match: names.get(match.group(), match.group()), text)


def with_orders_turned(text: str) -> str:
    """A condition with its orders turned round: `x < low` as `x > low`."""
    return _ORDER.sub(lambda match: _TURNED[match.group()], text)


def _words(name: str) -> list[str]:
    return [word for word in name.strip("_").split("_") if word]


def _with_word(name: str, word: str, other: str) -> str:
    """A name with one of its words replaced: `left_height` as `right_height`."""
    return "_".join(other if part == word else part for part in name.split("_"))
