"""Keyword arguments that other calls have: one that is not handed on, and one that is filled with another's text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import Final, NamedTuple

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.call_arguments import all_parameters, end_of_argument, lead_behind
from regreen.syntax import names_within

_MOST_KEYWORDS: Final = 3


def hand_on_parameter(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`make(key, **options)` becomes `make(key, salt=salt, **options)`: `salt` is a parameter, which nothing reads, or
    which other calls of the program are handed so."""
    if not node.keywords or all_parameters(node, context):
        # Of a callable that the program defines it is known what it takes.
        return
    given = {keyword.arg for keyword in node.keywords} | names_within(node)
    elsewhere = context.cached_of_program("keywords by their own names", lambda: _handed_by_name(context))
    wanted = [name for name in context.scope.parameters if name not in given and name != context.scope.receiver]
    for name in sorted(wanted, key=lambda name: name not in context.scope.unused)[:_MOST_KEYWORDS]:
        if name in context.scope.unused or name in elsewhere:
            weight = 1.0 if name in elsewhere else LIKELY
            yield _with_keyword(node, f"{name}={name}", weight, context)


def _handed_by_name(context: TemplateContext) -> frozenset[str]:
    """The variables that some call is handed by a keyword of the same name."""
    keywords = (part for part in context.program.nodes if isinstance(part, ast.keyword))
    named = ((each.arg, each.value) for each in keywords)
    return frozenset(value.id for name, value in named if isinstance(value, ast.Name) and value.id == name)


def _with_keyword(node: ast.Call, text: str, weight: float, context: TemplateContext) -> WeightedEdits:
    """A call with one keyword more, before `**options`."""
    options = [keyword for keyword in node.keywords if keyword.arg is None]
    if options:
        at = context.program.spans[options[0]][0]
        return context.replace(at, at, f"{text}, ", weight)
    last = node.keywords[-1]
    end = end_of_argument(context, last)
    return context.replace(end, end, f"{lead_behind(context, last)}{text}", weight)


class _Named(NamedTuple):
    """A value and the name that it is given."""

    name: str
    value: ast.expr


class _Asked(NamedTuple):
    """One word in a value, and all that stands around it."""

    word: str
    before: str
    after: str
    start: int
    end: int


def word_as_named(node: ast.Call | ast.Dict | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Size(width=row["width"], height=row["width"])` becomes `height=row["height"]`, and `y=p.x` becomes `y=p.y`, as
    another one has its own name in it."""
    group = _named(node, context)
    asked = [(named, one) for named in group if (one := _asked(named, context))]
    shapes = {(one.before, one.after) for named, one in asked if one.word == named.name}
    for named, one in asked:
        is_this = not isinstance(node, ast.Assign) or named.value is node.value
        is_name = named.name.isidentifier() and not iskeyword(named.name)
        if is_this and is_name and one.word != named.name and (one.before, one.after) in shapes:
            yield context.replace(one.start, one.end, named.name)


def _named(node: ast.Call | ast.Dict | ast.Assign, context: TemplateContext) -> Sequence[_Named]:
    """The values that are given names beside one another."""
    if isinstance(node, ast.Call):
        return [_Named(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg]
    if isinstance(node, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        return [_Named(key, value) for key, value in zip(keys, node.values, strict=True) if isinstance(key, str)]
    beside = [part for part in context.program.block(node) if isinstance(part, ast.Assign)]
    return [_Named(name, part.value) for part in beside if (name := _name_of(part.targets[0]))]


def _name_of(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""


def _asked(named: _Named, context: TemplateContext) -> _Asked | None:
    """The one text in a value, or the attribute that it is, if that could be a name."""
    value, spans, source = named.value, context.program.spans, context.program.source
    if value not in spans or isinstance(value, ast.Constant):
        return None
    first, last = spans[value]
    if isinstance(value, ast.Attribute):
        start, end = last - len(value.attr), last
    else:
        texts = [part for part in ast.walk(value) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if len(texts) != 1 or texts[0] not in spans or not str(texts[0].value).isidentifier():
            return None
        start, end = spans[texts[0]][0] + 1, spans[texts[0]][1] - 1
        if source[start:end] != texts[0].value:
            return None
    return _Asked(source[start:end], source[first:start], source[end:last], start, end)


TEMPLATES = (
    Template("hand_on_parameter", (ast.Call,), hand_on_parameter),
    Template("word_as_named", (ast.Call, ast.Dict, ast.Assign), word_as_named, ("content", "key")),
)
