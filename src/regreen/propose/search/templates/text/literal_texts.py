"""Texts that are taken for more than they are: what stands for a pattern's groups, a text that has to leave room."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import AND, ATOM, SUM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name


def put_in_as_it_is(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pattern.sub(r"\1" + body + r"\3", text)` becomes `pattern.sub(lambda match: match[1] + body + match[3], text)`:
    a backslash in `body` means nothing."""
    call = context.parent(node)
    if not isinstance(call, ast.Call) or callee_name(call) not in ("sub", "subn") or node not in call.args[:2]:
        return
    parts = [_group_or_text(part, context) for part in _added(node)]
    if any(part.startswith("match[") for part in parts):
        yield context.put(node, Expression(f"lambda match: {' + '.join(parts)}", TEST))


def _added(node: ast.expr) -> list[ast.expr]:
    """The operands of a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_added(node.left), *_added(node.right)]
    return [node]


def _group_or_text(node: ast.expr, context: TemplateContext) -> str:
    r"""`match[1]` for `r"\1"`; another expression as it is written."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    found = re.fullmatch(r"\\(\d)|\\g<(\w+)>", text)
    if found is None:
        return context.expression(node).at(SUM)
    return f"match[{found[1]}]" if found[1] else f'match["{found[2]}"]'


def room_for_the_ending(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return f"{base}-{number}"` becomes `suffix = f"-{number}"` and `return base[: self.limit - len(suffix)] +
    suffix`: the whole is to be no longer than that."""
    match node.value:
        case ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name(id=base), format_spec=None), *rest]):
            pass
        case _:
            return
    limits = context.cached_of_program("limits of length", lambda: _limits(context))
    written = context.text(node.value)
    head = "{" + base + "}"
    if not rest or written.count(head) != 1:
        return
    suffix = context.new_name("suffix", "ending", "tail")
    for limit in limits:
        lines = (
            f"{suffix} = {written.replace(head, '')}",
            f"return {base}[:{limit} - len({suffix})] + {suffix}",
        )
        yield from context.restate(node, lines)
        for sign in ("-", "_", " "):
            if sign in written:
                cut = f'return {base}[:{limit} - len({suffix})].rstrip("{sign}") + {suffix}'
                yield from context.restate(node, (lines[0], cut), HALF)


def _limits(context: TemplateContext) -> tuple[str, ...]:
    """The attributes and parameters that are called as a limit is."""
    names = (
        context.text(part)
        for part in context.program.nodes
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Load)
    )
    return tuple(dict.fromkeys(name for name in names if _LIMIT.search(name)))[:3]


_LIMIT: Final = re.compile(r"(?:^|\.)_?(?:limit|width|max_?len\w*|max_?length|length|size|room)$", re.IGNORECASE)


def spread_another(node: ast.Starred, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`zip(head, *body)` becomes `zip(head, *body, *foot)`: another list of the function belongs to it."""
    call = context.parent(node)
    if not isinstance(call, ast.Call | ast.List | ast.Tuple) or not isinstance(node.value, ast.Name):
        return
    spread = {context.text(part) for part in ast.walk(call) if isinstance(part, ast.Name)}
    end = context.program.spans[node][1]
    known = (part for part in context.scope.nodes if isinstance(part, ast.Assign) and part.lineno < node.lineno)
    for name in dict.fromkeys(context.text(part.targets[0]) for part in known):
        if name.isidentifier() and name not in spread and context.scope.kinds.get(name, "list") in ("list", "tuple"):
            yield context.replace(end, end, f", *{name}")


def keep_the_rest_of_the_row(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`INSERT OR REPLACE INTO t (name, value, made) VALUES (?, ?, ?)` becomes `INSERT INTO ... ON CONFLICT (name) DO
    UPDATE SET value = excluded.value`: what the row has otherwise stays."""
    found = _REPLACING.fullmatch(node.value) if isinstance(node.value, str) else None
    if found is None:
        return
    key, *others = [name.strip() for name in found["columns"].split(",")]
    for left_out in ("", *others):
        settings = ", ".join(f"{name} = excluded.{name}" for name in others if name != left_out)
        if settings:
            ending = f" ON CONFLICT ({key}) DO UPDATE SET {settings}"
            yield context.put(node, f'"INSERT{found["rest"]}{ending}"')


_REPLACING: Final = re.compile(
    r"(?:INSERT OR REPLACE|REPLACE)(?P<rest> INTO \w+ ?\((?P<columns>[\w, ]+)\) VALUES ?\([?:\w, ]+\))", re.IGNORECASE
)


def letters_alone(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`code.isupper()` becomes `code.isalpha() and code.isupper()`: signs beside a capital are upper, too."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("isupper", "islower") and not node.args:
        text = context.expression(node.func.value).at(ATOM)
        yield context.put(node, Expression(f"{text}.isalpha() and {text}.{node.func.attr}()", AND))


TEMPLATES: Final = (
    Template("put_in_as_it_is", (ast.BinOp,), put_in_as_it_is, ("content", "convert")),
    Template("room_for_the_ending", (ast.Return,), room_for_the_ending, ("longer", "content")),
    Template("spread_another", (ast.Starred,), spread_another, ("shorter", "content", "smaller")),
    Template("keep_the_rest_of_the_row", (ast.Constant,), keep_the_rest_of_the_row, ("content", "none", "zero")),
    Template("letters_alone", (ast.Call,), letters_alone, ("negated",)),
)
