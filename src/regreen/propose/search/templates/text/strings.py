"""Wrong strings: another literal, other case, blanks, separators, one character too many."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    IMPROBABLE,
    LEAST_MISSPELT_CHARACTERS,
    MAX_CHECK_CHARACTERS,
    MAX_CHECK_STRING,
    MAX_EDITED_CHARACTERS,
    MAX_EDITED_STRING,
    MAX_LITERAL_CHARACTERS,
    POSSIBLE,
    PROBABLE,
    SIMILAR_LENGTHS,
    STRING_CUTOFF,
    STRING_MATCHES,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import TERM, Expression, attribute_of
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_SEPARATORS = (
    "",
    " ",
    ", ",
    ",",
    "\n",
    "-",
    "_",
    ".",
    ":",
    "/",
    ";",
    "\t",
    ": ",
    "  ",
    "\\",
    "|",
    "0",
    "+",
    "=",
    "'",
    '"',
)
_LETTERS = ("a", "A", "z", "Z", "0", "1", "9", "e", "y", "x", "s", "i")
_FAMOUS = (
    "aeiou",
    "aeiouAEIOU",
    "AEIOU",
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789",
    "()",
    "[]",
    "{}",
    "utf-8",
    "%Y-%m-%d",
    "%d/%m/%Y",
    "%H:%M:%S",
    "Yes",
    "No",
    "yes",
    "no",
    "True",
    "False",
    "None",
    "rb",
    "wb",
    "r",
    "w",
    "left",
    "right",
    "error",
)
_OPPOSITES = {
    "yes": "no",
    "true": "false",
    "left": "right",
    "min": "max",
    "first": "last",
    "start": "end",
    "open": "close",
    "big": "little",
    "up": "down",
    "top": "bottom",
    "even": "odd",
    "asc": "desc",
    "row": "column",
    "before": "after",
    "high": "low",
    "width": "height",
    "am": "pm",
    "on": "off",
    "north": "south",
    "east": "west",
    "black": "white",
    "in": "out",
    "key": "value",
    "strict": "ignore",
    "upper": "lower",
}
_OPPOSITES |= {value: key for key, value in _OPPOSITES.items()}


def quoted(value: str, like: str = "'") -> str:
    """The string as source text, in the quotes of `like` where that needs no escapes."""
    text = repr(value)
    if '"' in like[:4] and text.startswith("'") and '"' not in value and "\\" not in text:
        return f'"{value}"'
    return text


def _is_plain(node: ast.Constant, context: TemplateContext) -> bool:
    if not isinstance(node.value, str) or isinstance(context.parent(node), ast.Expr):
        return False
    text = context.text(node)
    return text[:1] in "'\"" and "\n" not in text and len(text) <= MAX_LITERAL_CHARACTERS


def tweak_string(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"Ab "` becomes `"ab "`, `"AB "`, `"Ab"`, `""`, ..."""
    if not _is_plain(node, context):
        return
    value = node.value
    assert isinstance(value, str)
    tweaks = [
        _OPPOSITES.get(value.lower(), value),
        value.lower(),
        value.upper(),
        value.capitalize(),
        value.swapcase(),
        value.title(),
    ]
    tweaks += [value.strip(), value.replace(" ", ""), value[:-1], value[1:], value + " ", " " + value]
    tweaks += [
        value[::-1],
        value.replace("_", " "),
        value.replace(" ", "_"),
        value.rstrip(".!?:,"),
        value + ".",
        value + "\n",
    ]
    if len(value) == 1:
        tweaks += [chr(ord(value) + 1), chr(max(ord(" "), ord(value) - 1))]
    for new in dict.fromkeys(tweaks):
        if new != value:
            yield context.put(node, quoted(new, context.text(node)), VERY_LIKELY if new else HALF)


def repeat_text(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"*"` becomes `"*" * len(name)`: one for each item."""
    if not isinstance(node.value, str) or len(node.value) != 1 or not isinstance(context.parent(node), _HANDED_ON):
        return
    for measured in context.cached("lengths asked", lambda: _lengths_asked(context))[:_MOST_LENGTHS]:
        yield context.put(node, Expression(f"{context.text(node)} * {measured}", TERM))


_HANDED_ON = (ast.Assign, ast.Return, ast.BinOp, ast.IfExp)
_MOST_LENGTHS = 3


def _lengths_asked(context: TemplateContext) -> list[str]:
    """The lengths that a function asks for: `len(name)`."""
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) == "len")
    return list(dict.fromkeys(map(context.text, calls)))


def told_string(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A string becomes another one of the function, or one that the prose quotes."""
    if not _is_plain(node, context):
        return
    found = dict.fromkeys((*context.scope.strings, *context.clues.strings))
    for value in found:
        if value != node.value:
            alike = _alike(value, str(node.value))
            yield context.put(node, quoted(value, context.text(node)), alike)


def _alike(one: str, other: str) -> float:
    """Weight of one string in place of another: higher for about the same length and sort."""
    if abs(len(one) - len(other)) > SIMILAR_LENGTHS:
        return IMPROBABLE
    return 1.0 if one.isalnum() == other.isalnum() else HALF


def similar_string(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"recieved"` becomes `"received"`: a similar string in the prose, the checks or the program."""
    if not _is_plain(node, context) or len(str(node.value)) < LEAST_MISSPELT_CHARACTERS:
        return
    clues = context.clues
    pool = dict.fromkeys((*context.scope.strings, *clues.strings, *clues.output_strings, *clues.input_strings))
    pool.pop(str(node.value), None)
    for value in get_close_matches(str(node.value), list(pool), n=STRING_MATCHES, cutoff=STRING_CUTOFF):
        yield context.put(node, quoted(value, context.text(node)))


def seen_character(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A character becomes another one of its sort from the checks."""
    if not _is_plain(node, context) or len(str(node.value)) != 1:
        return
    value = str(node.value)
    clues = context.clues
    seen = dict.fromkeys(c for text in (*clues.input_strings, *clues.output_strings) for c in text)
    for character in list(seen)[:MAX_CHECK_CHARACTERS]:
        if character != value and _sort_of(character) == _sort_of(value):
            yield context.put(
                node, quoted(character, context.text(node)), POSSIBLE if character in context.scope.strings else 1.0
            )


def _sort_of(character: str) -> tuple[bool, bool, bool]:
    return character.isalpha(), character.isdigit(), character.isspace()


def seen_string(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A string becomes a common separator or letter, or one seen in the checks."""
    if not _is_plain(node, context):
        return
    value = str(node.value)
    for common, weight in ((_SEPARATORS, ALMOST_SURE), (_LETTERS, HALF)):
        if len(value) <= 2:
            yield from (context.put(node, quoted(v, context.text(node)), weight) for v in common if v != value)
    clues = context.clues
    for pool in (clues.output_strings, clues.input_strings):
        yield from (
            context.put(node, quoted(v, context.text(node)), HALF)
            for v in pool
            if v != value and len(v) <= MAX_CHECK_STRING
        )
    if len(value) > 1:
        yield from (context.put(node, quoted(v, context.text(node)), UNLIKELY) for v in _FAMOUS if v != value)


def edit_characters(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """One character of a longer string is dropped, doubled or replaced."""
    if not _is_plain(node, context) or not 2 <= len(str(node.value)) <= MAX_EDITED_STRING:
        return
    value = str(node.value)
    for index, character in enumerate(value[:MAX_EDITED_CHARACTERS]):
        yield context.put(node, quoted(value[:index] + value[index + 1 :], context.text(node)), PROBABLE)
        for other in _neighbours(character):
            yield context.put(node, quoted(value[:index] + other + value[index + 1 :], context.text(node)), PROBABLE)
    missing = [c for c in "aeiouy0123456789" if c not in value] if value.isalnum() else []
    yield from (context.put(node, quoted(value + c, context.text(node)), POSSIBLE) for c in missing)


def _neighbours(character: str) -> tuple[str, ...]:
    if character.isalpha():
        return (character.swapcase(),)
    return _NEAR.get(character, ())


_NEAR = {
    "-": ("_", "/", " "),
    "_": ("-", " "),
    ":": (";", ","),
    ",": (".", ";"),
    ".": (",", ""),
    "/": ("-", "\\"),
    "(": ("[", "{"),
    "[": ("(", "{"),
    ")": ("]", "}"),
    "]": (")", "}"),
    "+": ("*", "?"),
    "*": ("+", "?"),
    "0": ("1",),
    "1": ("0", "2"),
    "2": ("1", "3"),
    "d": ("w",),
}


def other_key(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row["a"]` becomes `row["b"]` for keys that the program uses elsewhere."""
    key = node.slice
    if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        return
    keys = [
        n.slice.value
        for n in context.program.nodes
        if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Constant)
    ]
    keys += [
        k.value for n in context.program.nodes if isinstance(n, ast.Dict) for k in n.keys if isinstance(k, ast.Constant)
    ]
    for other in dict.fromkeys(k for k in keys if isinstance(k, str) and k != key.value):
        yield context.put(key, quoted(other, context.text(key)))
    for other in context.clues.input_strings:
        if other.isidentifier() and other not in (key.value, *keys):
            yield context.put(key, quoted(other, context.text(key)), POSSIBLE)


def string_to_name(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"x"` becomes `x`, or another text variable."""
    if not _is_plain(node, context):
        return
    if node.value in (*context.scope.locals, *context.scope.globals):
        yield context.put(node, str(node.value))
    if node.value in context.scope.attributes and context.scope.receiver:
        yield context.put(node, f"{context.scope.receiver}.{node.value}", HALF)
    for name in context.scope.of_kind("str"):
        if name != node.value:
            yield context.put(node, name, POSSIBLE if name in context.scope.unused else IMPROBABLE)


def name_to_string(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `"x"`: missing quotes, likelier for unbound names and for keys."""
    if not isinstance(node.ctx, ast.Load) or node.id in ("self", "cls"):
        return
    parent = context.parent(node)
    if isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Call) and parent.func is node):
        return
    key = isinstance(parent, ast.Subscript | ast.Compare | ast.Dict | ast.Call)
    known = node.id in context.scope.visible
    yield context.put(node, quoted(node.id, '"'), 1.0 if not known else HALF if key else IMPROBABLE)


def join_again(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return text.split(" ")[::-1]` becomes `return " ".join(text.split(" ")[::-1])`: a text was given."""
    value = node.value
    if value is None or isinstance(value, ast.Call | ast.Name | ast.Compare | ast.BinOp):
        return
    for part in ast.walk(value):
        if isinstance(part, ast.Call) and callee_name(part) == "split" and len(part.args) < 2:
            separator = context.text(part.args[0]) if part.args else '" "'
            yield context.put(value, f"{separator}.join({context.text(value)})")
            return


def trim_joints(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`re.sub(pattern, "-", text)` becomes `re.sub(pattern, "-", text).strip("-")`: none at the ends."""
    place = 1 if context.text(node.func) == "re.sub" else 1 if callee_name(node) == "replace" else -1
    given = node.args[place] if 0 <= place < len(node.args) else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str) and len(given.value) == 1:
        yield context.put(node, f"{context.text(node)}.strip({context.text(given)})")


def split_at_any_blanks(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.split(" ")` becomes `text.split()`: between two blanks there is no word."""
    if callee_name(node) == "split" and len(node.args) == 1 and not node.keywords:
        separator = node.args[0]
        if isinstance(separator, ast.Constant) and separator.value == " ":
            yield context.put(node, f"{context.text(node.func)}()")


def split_at_told_marks(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`name.split()` becomes `name.replace("-", " ").split()`, where prose says that hyphens separate, too."""
    if callee_name(node) != "split" or not isinstance(node.func, ast.Attribute) or node.keywords:
        return
    if node.args and context.text(node.args[0]) not in ('" "', "' '"):
        return
    prose = context.clues.prose.lower()
    for words, mark in _MARKS_BY_NAME:
        if re.search(rf"\b(?:{words})\b", prose):
            text = context.expression(node.func.value)
            yield context.put(node.func.value, attribute_of(text, f'replace("{mark}", " ")'))


_MARKS_BY_NAME = (
    ("hyphens?|dash(?:es)?", "-"),
    ("underscores?", "_"),
    ("commas?", ","),
    ("semicolons?", ";"),
    ("slash(?:es)?", "/"),
    ("colons?", ":"),
    ("full stops?|dots?|periods?", "."),
)


TEMPLATES = (
    Template("split_at_told_marks", (ast.Call,), split_at_told_marks, ("longer", "shorter", "content")),
    Template("join_again", (ast.Return,), join_again, ("type", "content")),
    Template("trim_joints", (ast.Call,), trim_joints, ("longer", "content")),
    Template("split_at_any_blanks", (ast.Call,), split_at_any_blanks, ("longer", "content", "index")),
    Template("repeat_text", (ast.Constant,), repeat_text, ("shorter", "content")),
    Template("told_string", (ast.Constant,), told_string, ("case", "content", "space")),
    Template("similar_string", (ast.Constant,), similar_string),
    Template("seen_character", (ast.Constant,), seen_character),
    Template("tweak_string", (ast.Constant,), tweak_string, ("case", "space")),
    Template("seen_string", (ast.Constant,), seen_string, ("space",)),
    Template("edit_characters", (ast.Constant,), edit_characters),
    Template("other_key", (ast.Subscript,), other_key, ("key",)),
    Template("string_to_name", (ast.Constant,), string_to_name),
    Template("name_to_string", (ast.Name,), name_to_string, ("name", "key", "unbound")),
)
