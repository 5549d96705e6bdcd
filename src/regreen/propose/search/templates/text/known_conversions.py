"""Texts that a function of the standard library makes what a check wanted: `%20` a blank, `&` an entity, ..."""

from __future__ import annotations

import ast
import html
import re
import shlex
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import quote, unquote, unquote_plus

from regreen.propose.search.constants import SLOW_DECLINE
from regreen.propose.search.expressions import COMPARISON, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext

_FUNCTIONS: Final[tuple[tuple[str, str, Callable[[str], str]], ...]] = (
    ("html", "escape", html.escape),
    ("html", "unescape", html.unescape),
    ("urllib.parse", "unquote", unquote),
    ("urllib.parse", "unquote_plus", unquote_plus),
    ("urllib.parse", "quote", quote),
    ("shlex", "quote", shlex.quote),
)
"""Functions of the standard library of texts, with the module that has them."""
_FORMS: Final = ("NFC", "NFKC", "NFD", "NFKD")


def convert_as_wanted(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value` becomes `unquote(value)` where a check came by `b%20c` and wanted `b c`."""
    if not context.is_read(node) or context.kind(node) not in ("str", "") or isinstance(node, ast.Constant):
        return
    for module, call in context.cached_of_program("conversions wanted", lambda: _conversions(context)):
        function, arguments = call
        name, imports = context.member_of(module, function)
        made = Expression(f"{name}({arguments}{context.text(node)})")
        yield WeightedEdits((*imports, context.edit(node, made)))


def _conversions(context: TemplateContext) -> list[tuple[str, tuple[str, str]]]:
    """The functions that make of what failing checks got what they wanted, with the arguments before the text."""
    found: dict[tuple[str, tuple[str, str]], None] = {}
    for came, wanted in context.clues.differing_texts:
        for module, name, function in _FUNCTIONS:
            if came != wanted and function(came) == wanted:
                found[module, (name, "")] = None
        for form in _FORMS:
            if came != wanted and unicodedata.normalize(form, came) == wanted:
                found["unicodedata", ("normalize", f'"{form}", ')] = None
    return list(found)


def get_as_kind(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`bool(section.get("debug"))` of a `configparser`, true for `no`, becomes `section.getboolean("debug")`."""
    if "configparser" not in context.program.source:
        return
    match node:
        case ast.Call(func=ast.Name(id=kind), args=[ast.Call(func=ast.Attribute(attr="get") as getter) as asked]):
            if kind in _GETTERS:
                arguments = context.program.source[context.program.spans[getter][1] : context.program.spans[asked][1]]
                yield context.put(node, f"{context.text(getter.value)}.{_GETTERS[kind]}{arguments}")


_GETTERS: Final = {"bool": "getboolean", "int": "getint", "float": "getfloat"}
_HELD: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.JoinedStr)


def flag_from_word(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.down = value`, of a flag that begins with `True`, becomes `self.down = value == "down"`, or any usual word
    for yes: a text is true, whatever it says."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, ast.Name | ast.Attribute) or not isinstance(value, ast.Name):
        return
    flag = context.text(target)
    begun = re.search(rf"(?<![\w.]){re.escape(flag)}(?:: bool)? = (?:True|False)\b", context.program.source)
    if begun and context.kind(value) in ("str", ""):
        for rank, word in enumerate((flag.rpartition(".")[2], "on", "yes", "true")):
            yield context.put(value, Expression(f'{value.id} == "{word}"', COMPARISON), 1.0 - SLOW_DECLINE * rank)


TEMPLATES = (
    Template("flag_from_word", (ast.Assign,), flag_from_word, ("content", "negated")),
    Template("convert_as_wanted", _HELD, convert_as_wanted, ("content", "longer", "shorter")),
    Template("get_as_kind", (ast.Call,), get_as_kind, ("content",)),
)
