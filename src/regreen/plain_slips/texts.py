"""Texts that are made in a way that cannot be meant: fields that are not filled in, endings that are taken off by
characters, escapes that come too late."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from regreen.plain_slips.located_program import (
    LocatedProgram,
    PlainSlip,
    list_variables,
    names_stored,
    nodes_within,
)
from regreen.syntax import blocks_in, walk
from regreen.types import Edit

_FIELD: Final = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)\}(?!\})")


def lost_prefixes(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`"Hello {name}"` in a function that has a variable `name`, in a program that formats no text otherwise."""
    if "format" in program.source or "Template" in program.source:
        return
    for function in program.functions():
        names = names_stored(function)
        for node in walk(function):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            fields = _FIELD.findall(node.value)
            text = program.text(node)
            if fields and names.issuperset(fields) and text[0] in "'\"" and _is_plain(node, program):
                start = program.span(node)[0]
                yield PlainSlip("lost_prefix", (Edit(start, start, "f"),))


def _is_plain(node: ast.Constant, program: LocatedProgram) -> bool:
    """Whether a text is handed on: given back, kept or an argument."""
    parent = program.parents[node]
    return isinstance(parent, ast.Return | ast.Assign) or (isinstance(parent, ast.Call) and node in parent.args)


def stripped_endings(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`name.strip(".txt")` where `name.endswith(".txt")` was asked: it takes off single characters, at both ends."""
    for node in program.nodes:
        if not isinstance(node, ast.If | ast.IfExp):
            continue
        asked = {
            (program.text(part.func.value), part.func.attr, program.text(part.args[0]))
            for part in walk(node.test)
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and len(part.args) == 1
        }
        body = node.body if isinstance(node.body, list) else [node.body]
        for call in (part for stmt in body for part in walk(stmt) if isinstance(part, ast.Call)):
            function = call.func
            if not isinstance(function, ast.Attribute) or len(call.args) != 1 or not _is_several(call.args[0]):
                continue
            for question, method in _WHOLE.get(function.attr, ()):
                if (program.text(function.value), question, program.text(call.args[0])) in asked:
                    end = program.span(function)[1]
                    yield PlainSlip("stripped_ending", (Edit(end - len(function.attr), end, method),))
                    break


def stripped_words(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`line.lstrip("export ")`, which takes off any of these letters: `line.removeprefix("export ")`."""
    for node in program.nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(attr="lstrip" | "rstrip" as name) as function,
                args=[ast.Constant(value=str(word))],
                keywords=[],
            ) if _WORD.fullmatch(word) and [*word.strip()] != sorted(word.strip()):
                end = program.span(function)[1]
                whole = "removeprefix" if name == "lstrip" else "removesuffix"
                yield PlainSlip("stripped_word", (Edit(end - len(name), end, whole),))


_WORD: Final = re.compile(r"[A-Za-z][a-z]{4,}[ :=/._-]+|[ ._-][a-z]{5,}|[a-z]{6,}")
"""A text that is a word, and no choice of characters: these are written in order."""
_WHOLE: Final = {
    "strip": (("endswith", "removesuffix"), ("startswith", "removeprefix")),
    "rstrip": (("endswith", "removesuffix"),),
    "lstrip": (("startswith", "removeprefix"),),
}
"""By method that takes off characters: what asks for a text at an end, and the method that takes off that text."""


def _is_several(node: ast.expr) -> bool:
    """Whether an expression is a text of several characters, not all alike."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(set(node.value)) > 1


def late_escapes(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`text.replace("<", "&lt;")` and then `.replace("&", "&amp;")`, which escapes what escapes: it belongs first."""
    for block in _blocks_of(program):
        calls = [call for stmt in block for call in _replacements(stmt)]
        for place, call in enumerate(calls):
            old, new = _replaced(call)
            before = [(n, _replaced(other)[1]) for n, other in enumerate(calls[:place])]
            late = [n for n, made in before if old in made and len(made) > len(old)]
            if late and old in new and len(new) > len(old):
                moved = [calls[place], *calls[late[0] : place]]
                texts = [", ".join(map(program.text, one.args)) for one in moved]
                spans = [
                    (program.span(one.args[0])[0], program.span(one.args[1])[1]) for one in calls[late[0] : place + 1]
                ]
                edits = (Edit(*span, text) for span, text in zip(spans, texts, strict=True))
                yield PlainSlip("late_escape", tuple(sorted(edits, key=lambda edit: edit.start)))
                break


def _blocks_of(program: LocatedProgram) -> Iterator[list[ast.stmt]]:
    """The runs of statements of a program, each of which keeps or returns what `replace` makes."""
    for block in blocks_in(program.nodes):
        for makes, run in groupby(block, key=lambda stmt: bool(_replacements(stmt))):
            if makes:
                yield list(run)


def _replacements(stmt: ast.AST) -> list[ast.Call]:
    """The calls of `replace` with two texts that a statement makes of one value, the first one first."""
    value = stmt.value if isinstance(stmt, ast.Assign | ast.Return) else None
    found: list[ast.Call] = []
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "replace":
        is_plain = len(value.args) == 2 and all(_is_text(arg) for arg in value.args)
        if not is_plain:
            return []
        found.append(value)
        value = value.func.value
    return found[::-1]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""


def _replaced(call: ast.Call) -> tuple[str, str]:
    old, new = (arg.value if isinstance(arg, ast.Constant) else "" for arg in call.args)
    return str(old), str(new)


def turned_joins(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`words.join(" ")` of a list."""
    for function in program.functions():
        lists = list_variables(function)
        for node in nodes_within(function):
            called = node.func if isinstance(node, ast.Call) and len(node.args) == 1 else None
            if not isinstance(node, ast.Call) or not isinstance(called, ast.Attribute) or called.attr != "join":
                continue
            owner, between = called.value, node.args[0]
            is_text = isinstance(between, ast.Constant) and isinstance(between.value, str)
            if isinstance(owner, ast.Name) and owner.id in lists and is_text:
                yield PlainSlip("turned_join", program.put(node, f"{program.text(between)}.join({owner.id})"))


def gaps_in_alphabets(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`"abcdefghijklmnopqrstuvwxy"`: all letters but one. Ciphers in a square do without `j` or `q`."""
    for node in program.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) == len(_LETTERS) - 1:
            for letters in (_LETTERS, _LETTERS.upper()):
                lost = set(letters) - set(node.value)
                rest = "".join(letter for letter in letters if letter not in lost)
                if len(lost) == 1 and not lost & set("jqJQ") and rest == node.value:
                    yield PlainSlip("gap_in_alphabet", program.put(node, repr(letters)))


_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


TEXTS: Final = (lost_prefixes, stripped_endings, stripped_words, late_escapes, turned_joins, gaps_in_alphabets)
