"""Parts of texts that are read at fixed places, where a sign stands between them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number

_BETWEEN_NUMBERS = re.compile(r"\d+\s*([:\-/x.,+_;|])\s*\d+")


def split_at_sign(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`home, away = int(score[0]), int(score[2])` becomes `map(int, score.split(":"))`, where the inputs of the checks
    hold `"2:1"`: a number may have more digits than one."""
    value = node.value
    if not isinstance(value, ast.Tuple) or not isinstance(node.targets[0], ast.Tuple):
        return
    texts = [_text_at_place(part, context) for part in value.elts]
    if len(texts) != 2 or "" in texts or len(set(texts)) != 1:
        return
    for sign in _signs_between_numbers(context):
        yield context.put(value, f"map(int, {texts[0]}.split({sign!r}))")
        yield context.put(value, f"[int(part) for part in {texts[0]}.split({sign!r})]", LIKELY)


def _text_at_place(node: ast.expr, context: TemplateContext) -> str:
    """`score` of `int(score[2])`; empty for anything else."""
    if not isinstance(node, ast.Call) or callee_name(node) != "int" or len(node.args) != 1:
        return ""
    read = node.args[0]
    if not isinstance(read, ast.Subscript):
        return ""
    place = read.slice
    if isinstance(place, ast.Slice):
        is_place = all(bound is None or whole_number(bound) is not None for bound in (place.lower, place.upper))
    else:
        is_place = whole_number(place) is not None
    return context.text(read.value) if is_place else ""


def _signs_between_numbers(context: TemplateContext) -> list[str]:
    """The signs that stand between two numbers in texts of the checks and of the prose, the most frequent first."""
    found: dict[str, int] = {}
    for text in (*context.clues.input_strings, *context.clues.strings):
        for sign in _BETWEEN_NUMBERS.findall(text):
            found[sign] = found.get(sign, 0) + 1
    return sorted(found, key=lambda sign: (-found[sign], sign))


def digits_of_fixed_width(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hex(x)[2:]` becomes `format(x, "02x")`, and `bin(x)[2:]` becomes `bin(x)[2:].zfill(size)`: zeros in front count
    where numbers stand side by side."""
    match node:
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id="hex" | "bin" | "oct" as base), args=[number]),
            slice=ast.Slice(lower=ast.Constant(value=2), upper=None),
        ):
            pass
        case _:
            return
    for width in _USUAL_WIDTHS[base]:
        yield context.put(node, f'format({context.text(number)}, "0{width}{_LETTERS[base]}")')
    sizes = (name for name in (*context.scope.locals, *context.scope.attributes) if _SIZE.search(name))
    for size in islice(sizes, _MOST_SIZES):
        yield context.put(node, f"{context.text(node)}.zfill({size})")


_USUAL_WIDTHS: Final = {"hex": (2, 4), "bin": (8, 4), "oct": (3,)}
_LETTERS: Final = {"hex": "x", "bin": "b", "oct": "o"}
_SIZE: Final = re.compile(r"(?i)^n$|bits|size|width|len|digits")
_MOST_SIZES: Final = 3


TEMPLATES: Final = (
    Template("split_at_sign", (ast.Assign,), split_at_sign, ("value", "content")),
    Template("digits_of_fixed_width", (ast.Subscript,), digits_of_fixed_width, ("shorter", "content")),
)
