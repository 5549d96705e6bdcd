"""Texts made of other texts, found from pairs of what there is and what there should be.

A part between two places, a piece between separators, something replaced, words put together, texts and numbers in a
frame. What is written into such an expression as a literal is the same at all visits, of which there are at least two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from regreen.propose.search.expressions import Expression
from regreen.propose.search.synthesis.terms import Term, Values

_MOST_TEXTS: Final = 12
_MOST_FRAMED: Final = 16
_LONGEST_LITERAL: Final = 16
_METHOD_LEVEL: Final = 16
_PLACES: Final = (0, -1, 1, -2, 2)
Texts = tuple[str, ...]

_CASES: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("{}.lower()", str.lower),
    ("{}.upper()", str.upper),
    ("{}.title()", str.title),
    ("{}.capitalize()", str.capitalize),
    ("{}.swapcase()", str.swapcase),
    ("{}.strip()", str.strip),
)
_WORDS: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ('"".join(word[0] for word in {}.split())', lambda text: "".join(word[0] for word in text.split())),
    ('" ".join({}.split())', lambda text: " ".join(text.split())),
    ('" ".join({}.split()[::-1])', lambda text: " ".join(text.split()[::-1])),
    ('" ".join(word[::-1] for word in {}.split())', lambda text: " ".join(word[::-1] for word in text.split())),
    ('" ".join(word.capitalize() for word in {}.split())', lambda text: " ".join(map(str.capitalize, text.split()))),
    ('" ".join(sorted({}.split()))', lambda text: " ".join(sorted(text.split()))),
    ('"".join(sorted({}))', lambda text: "".join(sorted(text))),
    ('"".join(dict.fromkeys({}))', lambda text: "".join(dict.fromkeys(text))),
    ('"".join(c for c in {} if c.isalnum())', lambda text: "".join(filter(str.isalnum, text))),
    ('"".join(c for c in {} if c.isalpha())', lambda text: "".join(filter(str.isalpha, text))),
    ('"".join(c for c in {} if c.isdigit())', lambda text: "".join(filter(str.isdigit, text))),
)
"""How a text is written that is made of another one, and what it is."""


def text_results(terms: Sequence[Term], goal: Values) -> list[Term]:
    """Expressions over these terms whose values are the texts of `goal`, the smallest first."""
    wanted = tuple(value for value in goal if isinstance(value, str))
    if len(wanted) < len(goal) or len(set(wanted)) < 2:
        return []
    found: dict[str, Term] = {}
    for term in (*_of_one_text(terms, wanted), *_framed(terms, wanted)):
        found.setdefault(term.code.text, term)
    return sorted(found.values(), key=lambda term: term.size)


def _of_one_text(terms: Sequence[Term], wanted: Texts) -> Iterator[Term]:
    texts = [term for term in terms if all(isinstance(value, str) for value in term.values)]
    for text in texts[:_MOST_TEXTS]:
        for changed in (text, *_made(text, (*_CASES, *_WORDS))):
            if changed.values == wanted:
                yield changed
            yield from (*_slices(changed, wanted), *_pieces(changed, wanted), *_replaced(changed, wanted))
            yield from (term for term in _made(changed, _CASES) if term.values == wanted)


def _made(term: Term, ways: Sequence[tuple[str, Callable[[str], str]]]) -> Iterator[Term]:
    """The term's text with a method called on it, or its words put together, where that makes a difference."""
    for written, make in ways:
        values = tuple(make(value) for value in term.values)
        if values != term.values:
            yield Term(Expression(written.format(term.code.at(_METHOD_LEVEL))), values, term.size + 1)


def _slices(term: Term, wanted: Texts) -> Iterator[Term]:
    """`text[2:-1]`: between two places that are as far from the same end at each visit."""
    for find in (str.find, str.rfind):
        begins = [find(value, part) for value, part in zip(term.values, wanted, strict=True)]
        if min(begins) < 0:
            return
        ends = [begin + len(part) for begin, part in zip(begins, wanted, strict=True)]
        for low in _bounds(begins, term.values, 0):
            for high in _bounds(ends, term.values, None):
                if low or high:
                    yield Term(Expression(f"{term.code.at(_METHOD_LEVEL)}[{low}:{high}]"), wanted, term.size + 2)


def _bounds(places: Sequence[int], texts: Values, start: int | None) -> Iterator[str]:
    """How a bound is written that lies at these places: from the beginning, from the end, or left out."""
    from_end = {place - len(text) for place, text in zip(places, texts, strict=True)}
    if set(places) == {start} or (start is None and from_end == {0}):
        yield ""
    elif len(set(places)) == 1:
        yield str(places[0])
    elif len(from_end) == 1:
        yield str(min(from_end))


def _pieces(term: Term, wanted: Texts) -> Iterator[Term]:
    """`text.split(".")[-1]`."""
    separators = [None, *dict.fromkeys(c for c in str(term.values[0]) if not c.isalnum() and c.isprintable())]
    for separator in separators:
        split = [str(value).split(separator) for value in term.values]
        for place in _PLACES:
            is_there = all(-len(parts) <= place < len(parts) for parts in split)
            if is_there and tuple(parts[place] for parts in split) == wanted:
                given = "" if separator is None else _quoted(separator)
                code = f"{term.code.at(_METHOD_LEVEL)}.split({given})[{place}]"
                yield Term(Expression(code), wanted, term.size + 2)


def _replaced(term: Term, wanted: Texts) -> Iterator[Term]:
    """`text.replace(" ", "-")`: what one character has become, wherever it stands."""
    pairs = [(old, new) for old, new in zip(map(str, term.values), wanted, strict=True) if old != new]
    for character in dict.fromkeys(pairs[0][0]) if len(pairs) > 1 else ():
        new = _replacement(character, *pairs[0])
        if new is not None and all(old.replace(character, new) == aim for old, aim in pairs):
            code = f"{term.code.at(_METHOD_LEVEL)}.replace({_quoted(character)}, {_quoted(new)})"
            if all(str(value).replace(character, new) == aim for value, aim in zip(term.values, wanted, strict=True)):
                yield Term(Expression(code), wanted, term.size + 2)


def _replacement(character: str, old: str, new: str) -> str | None:
    """What stands in `new` for each occurrence of a character of `old`; None where that cannot be."""
    length, rest = divmod(len(new) - len(old), old.count(character))
    place = old.index(character)
    if rest or not 0 <= length + 1 <= _LONGEST_LITERAL:
        return None
    return new[place : place + length + 1]


def _framed(terms: Sequence[Term], wanted: Texts) -> Iterator[Term]:
    """`f"{name} ({count})"`: one or two values with the same texts around them at each visit."""
    plain = [term for term in terms if _may_stand_in_frame(term)][:_MOST_FRAMED]
    for one in plain:
        if (term := _frame((one,), wanted)) is not None:
            yield term
        for two in plain:
            if two is not one and (term := _frame((one, two), wanted)) is not None:
                yield term


def _may_stand_in_frame(term: Term) -> bool:
    is_shown = all(isinstance(value, str | int | float) for value in term.values)
    varies = len({str(value) for value in term.values}) > 1
    return is_shown and varies and all(str(value) for value in term.values) and not set(term.code.text) & set("\"'{}\\")


def _frame(parts: Sequence[Term], wanted: Texts) -> Term | None:
    """The f-string that has the parts in this order; None where the texts between them are not always the same."""
    around = {_between([str(part.values[n]) for part in parts], aim) for n, aim in enumerate(wanted)}
    between = around.pop()
    if around or between is None or sum(map(len, between)) > _LONGEST_LITERAL or not any(between):
        return None
    if any(set(text) & set('"\\') or not text.isprintable() for text in between):
        return None
    first, *others = (text.replace("{", "{{").replace("}", "}}") for text in between)
    shown = "".join(f"{{{part.code.text}}}{text}" for part, text in zip(parts, others, strict=True))
    return Term(Expression(f'f"{first}{shown}"'), wanted, sum(part.size for part in parts) + 1)


def _between(values: Sequence[str], text: str) -> tuple[str, ...] | None:
    """The texts before, between and behind these values in a text; None where one is missing."""
    found, position = [], 0
    for value in values:
        place = text.find(value, position)
        if place < 0:
            return None
        found.append(text[position:place])
        position = place + len(value)
    return *found, text[position:]


def _quoted(text: str) -> str:
    return repr(text) if '"' in text or "\\" in text or not text.isprintable() else f'"{text}"'
