"""Wrong words in the texts that a program makes: what a failing check wants in their place, and names of neighbours."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.restricted_syntax import fstring_fields, fstring_quote
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS

_ESCAPED = re.compile(r"[\\'\"{}\n\r\0]")
"""Characters that would have to be written otherwise within quotes."""


def wanted_text(node: ast.Constant | ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"Hello"` becomes `"Hi"` where a failing check had `"Hello, Ann"` and wanted `"Hi, Ann"`."""
    for number, (came, wanted) in enumerate(context.clues.differing_texts):
        if wanted.lstrip("-").isdecimal() and not any(letter.isdecimal() for letter in came):
            # A number in the place of a word is worked out.
            continue
        yield from _replaced(node, context, came, wanted, HALF if number else 1.0)


def own_name_in_text(node: ast.Constant | ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In `def withdraw`, `"deposit"` becomes `"withdraw"` where `deposit` is the function that it was copied from."""
    own = getattr(context.scope.function, "name", "")
    for other in _functions_beside(context):
        if own and other != own:
            yield from _replaced(node, context, other, own, 1.0)


def _functions_beside(context: TemplateContext) -> tuple[str, ...]:
    """The methods of the same class, or else the functions of the module."""
    module = (node.name for node in context.program.tree.body if isinstance(node, FUNCTIONS))
    return context.scope.methods or tuple(module)


def _replaced(
    node: ast.Constant | ast.JoinedStr, context: TemplateContext, came: str, wanted: str, weight: float
) -> Iterator[WeightedEdits]:
    """The literal with whole words in the place of others, once for each place."""
    if isinstance(context.parent(node), ast.Expr) or node not in context.program.spans:
        return
    if isinstance(node, ast.Constant) and not isinstance(node.value, str):
        return
    start, text = context.program.spans[node][0], context.text(node)
    if (
        came not in text
        or _ESCAPED.search(came + wanted)
        or (isinstance(node, ast.JoinedStr) and not fstring_quote(text))
    ):
        return
    fields = [(field.start - 1, field.close + 1) for field in fstring_fields(text)]
    for found in re.finditer(_whole(came), text):
        if not any(low < found.end() and found.start() < high for low, high in fields):
            yield context.replace(start + found.start(), start + found.end(), wanted, weight)


def _whole(words: str) -> str:
    """A pattern for words that are no part of longer ones."""
    before = r"(?<!\w)" if words[:1].isalnum() else ""
    after = r"(?!\w)" if words[-1:].isalnum() else ""
    return before + re.escape(words) + after


_LITERALS = (ast.Constant, ast.JoinedStr)
TEMPLATES = (
    Template("wanted_text", _LITERALS, wanted_text, ("content",)),
    Template("own_name_in_text", _LITERALS, own_name_in_text, ("content",)),
)
