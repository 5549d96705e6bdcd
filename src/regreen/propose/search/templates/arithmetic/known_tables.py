"""Tables that everybody knows, with a slip in them: the lengths of months, names of days, Roman numerals, vowels."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.strings import quoted
from regreen.syntax import names_within
from regreen.types import Edit
from regreen.well_known import KNOWN_ROWS, KNOWN_TABLES, KNOWN_TEXTS, ROMAN_LETTERS, ROMAN_NUMERALS

_Row = ast.List | ast.Tuple | ast.Dict

_LIKE: Final = 0.8
"""Least likeness of a row, or a text, to the right one, as `difflib` measures it."""
_SHORTEST: Final = 3
_BRACKETS: Final = {"[": ("[", "]"), "(": ("(", ")"), "{": ("{", "}")}
"""Those around a row; a tuple may have none."""


def known_row(node: ast.List | ast.Tuple | ast.Set, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[31, 28, 31, 30, 31, 30, 31, 30, ...]` becomes the lengths of the months; a name that was left out is put in."""
    items = _values(node.elts)
    if len(items) < _SHORTEST or items in KNOWN_ROWS:
        return
    for row in KNOWN_ROWS:
        if not _is_like(items, row):
            continue
        if len(items) == len(row):
            pairs = zip(node.elts, items, row, strict=True)
            yield WeightedEdits(
                tuple(context.edit(one, _written(new, one, context)) for one, old, new in pairs if old != new)
            )
        else:
            opening, closing = _BRACKETS.get(context.text(node)[0], ("", ""))
            inside = ", ".join(_written(new, node.elts[0], context).text for new in row)
            yield context.put(node, f"{opening}{inside}{closing}", HALF)


def known_table(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"I": 1, "V": 5, "X": 10, "L": 100, ...}` becomes the values of Roman numerals."""
    keys, values = _values([key for key in node.keys if key is not None]), _values(node.values)
    if len(keys) < _SHORTEST or len(keys) != len(node.values) or len(values) != len(keys):
        return
    for table in KNOWN_TABLES:
        entries = list(zip(node.values, values, map(table.get, keys), strict=True))
        if sum(old == new for _, old, new in entries) <= len(entries) / 2 or not set(keys) <= table.keys():
            continue
        wrong = [context.edit(one, _written(new, one, context)) for one, old, new in entries if old != new]
        missing = [key for key in table if key not in keys]
        if wrong:
            yield WeightedEdits(tuple(wrong))
        elif len(missing) == 1:
            end = context.program.spans[node.values[-1]][1]
            key, value = missing[0], table[missing[0]]
            entry = [_written(key, node.keys[-1] or node, context), _written(value, node.values[-1], context)]
            yield context.replace(end, end, f", {entry[0].text}: {entry[1].text}")


def known_text(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"aeio"` becomes `"aeiou"`."""
    if not isinstance(node.value, str) or len(node.value) < _SHORTEST or node not in context.program.spans:
        return
    for text in KNOWN_TEXTS if node.value not in KNOWN_TEXTS else ():
        is_long_enough = abs(len(node.value) - len(text)) <= 1
        if is_long_enough and SequenceMatcher(None, node.value, text, autojunk=False).ratio() >= _LIKE:
            yield context.put(node, quoted(text, context.text(node)))


def _values(nodes: Sequence[ast.expr]) -> tuple[Any, ...]:
    """The constants, and tuples of constants; nothing where something else is among them."""
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Constant):
            found.append(node.value)
        elif isinstance(node, ast.Tuple) and all(isinstance(item, ast.Constant) for item in node.elts):
            found.append(_values(node.elts))
        else:
            return ()
    return tuple(found)


def _is_like(items: Sequence[Any], row: Sequence[Any]) -> bool:
    """Whether items are those of a row but for some that are wrong, in another place or, at most one, missing."""
    is_long_enough = len(row) - len(items) in (0, 1)
    return is_long_enough and SequenceMatcher(None, items, row, autojunk=False).ratio() >= _LIKE


def _written(value: Any, like: ast.expr, context: TemplateContext) -> Expression:
    """A value as the program writes its neighbours."""
    if isinstance(value, str) and isinstance(like, ast.Constant):
        return Expression(quoted(value, context.text(like)))
    return Expression(repr(value))


def subtract_smaller(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for letter in numeral: total += values[letter]` takes the value away where a larger one follows, as in `IV`."""
    is_meant = bool(context.clues.words & _SUBTRACTIVE) or bool(
        context.cached_of_program("roman numerals", lambda: _has_roman(context))
    )
    if not is_meant or not isinstance(node.target, ast.Name):
        return
    letter, letters = node.target.id, context.text(node.iter)
    for part in context.program.below(node):
        if not isinstance(part, ast.AugAssign) or not isinstance(part.op, ast.Add):
            continue
        value = context.text(part.value)
        if not isinstance(part.value, ast.Subscript | ast.Call) or letter not in names_within(part.value):
            continue
        following = value.replace(f"[{letter}]", "[following]").replace(f"({letter})", "(following)")
        header = [
            context.edit(node.target, Expression(f"{letter}, following")),
            context.edit(node.iter, Expression(f"zip({letters}, [*{letters}[1:], *{letters}[-1:]])")),
        ]
        added = context.edit(part.value, Expression(f"-{value} if {value} < {following} else {value}", TEST))
        yield WeightedEdits((*header, added))


def _has_roman(context: TemplateContext) -> bool:
    """Whether the program has a table of Roman numerals."""
    tables = [part for part in context.program.nodes if isinstance(part, ast.Dict)]
    keys = [{key.value for key in table.keys if isinstance(key, ast.Constant)} for table in tables]
    return any({"I", "V", "X"} <= names for names in keys)


def like_its_neighbours(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"kb": 1000, "mb": 1024**2, "gb": 1000**3}`: the one base that is another than those around it."""
    bases = {value: value.left for value in node.values if isinstance(value, ast.BinOp)}
    texts = [context.text(base) for base in bases.values()]
    for base in bases.values() if len(texts) >= _SHORTEST - 1 else ():
        for other in dict.fromkeys([*texts, *(context.text(v) for v in node.values if isinstance(v, ast.Constant))]):
            if other != context.text(base):
                yield context.put(base, other)


_SUBTRACTIVE: Final = frozenset({"roman", "numeral", "numerals", "subtractive", "subtracted"})


def _forms(table: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    """How a table of numerals may be written as a row."""
    yield tuple(table)
    yield tuple(table.values())
    yield tuple(table.items())
    yield tuple((value, letters) for letters, value in table.items())


_WITHOUT_PAIRS: Final = {
    short: whole for short, whole in zip(_forms(ROMAN_LETTERS), _forms(ROMAN_NUMERALS), strict=True)
} | {short[::-1]: whole[::-1] for short, whole in zip(_forms(ROMAN_LETTERS), _forms(ROMAN_NUMERALS), strict=True)}
"""Rows of the seven numerals of one letter, and the same with those of two, from the largest or from the smallest."""


def subtractive_numerals(node: _Row, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[(10, "X"), (5, "V"), (1, "I")]` gets 9 and 4 as well; so does the list beside it, where there are two."""
    whole = _WITHOUT_PAIRS.get(items := _row_items(node))
    if whole is None:
        return
    others: dict[tuple[Any, ...], _Row] = {}
    for part in () if isinstance(items[0], tuple) else context.program.nodes:
        if isinstance(part, ast.List | ast.Tuple) and (found := _row_items(part)) in _WITHOUT_PAIRS:
            others[found] = part
    rows = [(node, whole), *((part, _WITHOUT_PAIRS[found]) for found, part in others.items() if found != items)]
    yield WeightedEdits(tuple(_rewritten(part, row, context) for part, row in sorted(rows, key=lambda r: r[0].lineno)))


def _row_items(node: _Row) -> tuple[Any, ...]:
    """The items of a row of constants, or the entries of a table of them."""
    if not isinstance(node, ast.Dict):
        return _values(node.elts)
    return tuple(zip(_values([key for key in node.keys if key is not None]), _values(node.values), strict=False))


def _rewritten(node: _Row, row: Sequence[Any], context: TemplateContext) -> Edit:
    if isinstance(node, ast.Dict):
        return context.edit(node, Expression("{" + ", ".join(f"{key!r}: {value!r}" for key, value in row) + "}"))
    opening, closing = _BRACKETS.get(context.text(node)[0], ("", ""))
    return context.edit(node, Expression(opening + ", ".join(map(repr, row)) + closing))


def days_of_leap_year(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`365` becomes `366 if is_leap(year) else 365`, where the program has such a function."""
    if node.value != _DAYS_OF_YEAR or isinstance(context.parent(node), ast.Compare):
        return
    asking = next((one for one in context.program.functions if "leap" in one.name), None)
    years = [name for name in (*context.scope.parameters, *context.scope.locals) if name in ("year", "y")]
    if asking is not None and years and asking is not context.scope.function:
        own = "self." if asking.args.args and asking.args.args[0].arg == "self" else ""
        yield context.put(node, Expression(f"366 if {own}{asking.name}({years[0]}) else {_DAYS_OF_YEAR}", TEST))


_DAYS_OF_YEAR: Final = 365


TEMPLATES = (
    Template("days_of_leap_year", (ast.Constant,), days_of_leap_year, ("off_by_one", "close")),
    Template("subtractive_numerals", (ast.List, ast.Tuple, ast.Dict), subtractive_numerals, ("content", "longer")),
    Template("like_its_neighbours", (ast.Dict,), like_its_neighbours, ("content",)),
    Template("subtract_smaller", (ast.For,), subtract_smaller, ("longer", "content")),
    Template("known_row", (ast.List, ast.Tuple, ast.Set), known_row, ("content", "index")),
    Template("known_table", (ast.Dict,), known_table, ("content", "key")),
    Template("known_text", (ast.Constant,), known_text, ("content", "shorter")),
)
