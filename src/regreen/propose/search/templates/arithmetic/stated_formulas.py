"""Formulas that the prose gives, as it writes them: `n (n + 1) / 2`, `2x^2 - 1`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY, PROBABLE
from regreen.propose.search.expressions import TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within, parsed_or_none

_TOKEN: Final = re.compile(r"\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|\*\*|//|[-+*/%^()\u00d7\u00b7\u2212])")
_AS_PYTHON: Final = {"^": "**", "\u00d7": "*", "\u00b7": "*", "\u2212": "-"}
_OPERATORS: Final = frozenset({"+", "-", "*", "/", "//", "%", "**"})
_FEWEST_TOKENS: Final = 3
_MOST_TOKENS: Final = 40
_PI: Final = "pi"


def stated_formula(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return n * n + 1 * n + 2 // 6` becomes `return n * (n + 1) * (n + 2) / 6`, or with `//`, for "n (n + 1) (n + 2)
    / 6" in the prose."""
    value = node.value
    if not isinstance(value, ast.BinOp | ast.UnaryOp | ast.Call) or context.kind(value) not in ("int", "float", ""):
        return
    for formula in context.cached("stated formulas", lambda: _formulas(context)):
        names = names_within(ast.parse(formula, mode="eval"))
        pi, imports = context.member_of("math", "pi") if _PI in names - context.scope.visible else (_PI, ())
        if not names & names_within(value):
            continue
        weight = 1.0 if isinstance(node, ast.Return) else LIKELY
        for written in dict.fromkeys((formula, re.sub(r"(?<!/)/(?!/)", "//", formula))):
            if written != context.text(value):
                edit = context.edit(value, Expression(re.sub(rf"\b{_PI}\b", pi, written), TEST))
                yield WeightedEdits((*imports, edit), weight if written == formula else weight * PROBABLE)


def _formulas(context: TemplateContext) -> tuple[str, ...]:
    """What the prose writes of the function's variables and of numbers with operators, as Python has it."""
    known = {*context.scope.locals, *context.scope.parameters, _PI}
    found: dict[str, None] = {}
    run: list[str] = []
    at, prose = 0, context.clues.prose
    while at < len(prose):
        token = _TOKEN.match(prose, at)
        text = _AS_PYTHON.get(token[1], token[1]) if token else ""
        if token and (text in known or not _is_name(text)):
            run.append(text)
            at = token.end()
            continue
        found.update(dict.fromkeys(_longest(run)))
        run = []
        # Of a word that is no variable, nothing is looked at.
        at = token.end() if token else at + 1
    found.update(dict.fromkeys(_longest(run)))
    return tuple(found)


def _longest(run: list[str]) -> Iterator[str]:
    """The longest formula within a row of tokens, if there is any with an operator and a variable in it."""
    # A table of numbers is no formula, and whoever writes one this long writes it in a program.
    if len(run) > _MOST_TOKENS or not _has_both(run):
        return
    for length in range(len(run), _FEWEST_TOKENS - 1, -1):
        for start in range(len(run) - length + 1):
            part = run[start : start + length]
            module = parsed_or_none(_multiplied(part)) if _has_both(part) else None
            match module:
                case ast.Module(body=[ast.Expr(value=ast.BinOp())]):
                    yield _multiplied(part)
                    return


def _has_both(tokens: list[str]) -> bool:
    """Whether there are an operator and a variable among the tokens."""
    return not _OPERATORS.isdisjoint(tokens) and any(map(_is_name, tokens))


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _multiplied(tokens: list[str]) -> str:
    """The tokens as Python has them: what stands side by side is multiplied, `2n`, `n (n + 1)`."""
    written: list[str] = []
    for before, token in zip(["", *tokens], tokens, strict=False):
        ends = before and (before[0].isdigit() or _is_name(before) or before == ")")
        begins = token[0].isdigit() or _is_name(token) or token == "("
        written += ["*", token] if ends and begins else [token]
    text = " ".join(written)
    return text.replace("( ", "(").replace(" )", ")")


TEMPLATES = (Template("stated_formula", (ast.Return, ast.Assign), stated_formula, ("content",)),)
