"""What stands in for what is missing: a key that is not there, a parameter that nobody gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import DECLINE, HALF, LIKELY, MAX_CHECK_STRING, VERY_IMPROBABLE
from regreen.propose.search.expressions import ATOM, OR, TEST, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name


def index_to_get(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`table[key]` becomes `table.get(key, 0)`, `table.get(key)`, `table.get(key, 8080)` where prose speaks of 8080."""
    if (
        not isinstance(node.ctx, ast.Load)
        or isinstance(node.slice, ast.Slice | ast.Tuple)
        or context.kind(node.value) not in ("dict", "")
    ):
        return
    share = 1.0 if context.kind(node.value) == "dict" else VERY_IMPROBABLE
    owner, key = context.expression(node.value).at(ATOM), context.text(node.slice)
    for rank, default in enumerate((", 0", "", ", []", ", ''", ", 1", ", {}", ", False", ", set()", ", float('inf')")):
        yield context.put(node, Expression(f"{owner}.get({key}{default})"), share * (1.0 - DECLINE * rank))
    if isinstance(found := getattr(node.slice, "func", None), ast.Attribute) and found.attr == "group":
        # What was found is left as it is.
        yield context.put(node, Expression(f"{owner}.get({key}, {context.text(found.value)}.group(0))"), LIKELY)
    if isinstance(node.slice, ast.Constant):
        for told in _told_defaults(context):
            yield context.put(node, Expression(f"{owner}.get({key}, {told})"), HALF)


def _told_defaults(context: TemplateContext) -> list[str]:
    """The numbers and the short texts that prose speaks of or that checks expect, as source text."""
    clues = context.clues
    numbers = (number for number in (*clues.numbers, *clues.outputs) if number.isdigit() and number not in ("0", "1"))
    texts = (repr(text) for text in (*clues.strings, *clues.output_strings) if 0 < len(text) <= MAX_CHECK_STRING)
    return list(dict.fromkeys((*numbers, *texts)))[:_MOST_DEFAULTS]


_MOST_DEFAULTS: Final = 8


def key_as_default(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`aliases.get(name)` becomes `aliases.get(name, name)`: what has no other name keeps its own."""
    if callee_name(node) == "get" and len(node.args) == 1 and not node.keywords:
        key = context.text(node.args[0])
        if isinstance(node.args[0], ast.Name | ast.Attribute | ast.Subscript):
            end = context.program.spans[node][1] - 1
            yield context.replace(end, end, f", {key}")


def given_or_own(node: ast.Name | ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.ttl`, or `ttl`, becomes `self.ttl if ttl is None else ttl`, for a parameter that may be left out and that
    is called as the attribute: the object's own stands in for it."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    own = f"{context.scope.receiver}.{name}"
    is_own = isinstance(node, ast.Name) or context.text(node) == own
    if not context.is_read(node) or not is_own or name not in _optional(context.scope.function):
        return
    if name in context.scope.attributes and not isinstance(context.parent(node), ast.Compare | ast.Attribute):
        yield context.put(node, Expression(f"{own} if {name} is None else {name}", TEST))
        yield context.put(node, Expression(f"{name} or {own}", OR), HALF)


def none_as_empty(node: ast.Name | ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found.update(extra)` becomes `found.update(extra or {})` for a parameter `extra=None`; `or []` in a loop."""
    if not context.is_read(node) or not _may_be_none(node, context):
        return
    for empty, weight in _empty_for(node, context):
        yield context.put(node, bool_operation(context.expression(node), "or", Expression(empty)), weight)


def _may_be_none(node: ast.Name | ast.Attribute, context: TemplateContext) -> bool:
    """Whether a name is a parameter that is None where nobody gives it, or an attribute that holds such a one."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    if isinstance(node, ast.Name):
        return name in _optional(context.scope.function)
    constructors = (part for part in context.program.nodes if isinstance(part, FUNCTIONS) and part.name == "__init__")
    return any(name.lstrip("_") in _optional(part) for part in constructors)


def _optional(function: ast.AST | None) -> frozenset[str]:
    if not isinstance(function, FUNCTIONS):
        return frozenset()
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(named[::-1], arguments.defaults[::-1], strict=False)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    return frozenset(a.arg for a, default in pairs if isinstance(default, ast.Constant) and default.value is None)


def _empty_for(node: ast.expr, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What is empty in the place of a value: by what is done with it."""
    around = context.parent(node)
    if (isinstance(around, ast.keyword) and around.arg is None) or isinstance(around, ast.Dict):
        yield "{}", 1.0
    elif isinstance(around, ast.For | ast.comprehension) and around.iter is node:
        yield "()", LIKELY
        yield "[]", 1.0
    elif isinstance(around, ast.Starred) or (isinstance(around, ast.Compare) and node in around.comparators):
        yield "()", 1.0
    elif isinstance(around, ast.Call) and node in around.args:
        yield from _EMPTY_ARGUMENTS.get(callee_name(around), ())
    elif isinstance(around, ast.BinOp | ast.FormattedValue):
        yield '""', LIKELY
        yield "[]", HALF
    elif isinstance(around, ast.Tuple | ast.Return | ast.keyword | ast.Assign) and context.kind(node) in ("dict", ""):
        yield from (("{}", LIKELY), ("[]", LIKELY), ('""', HALF))


_EMPTY_ARGUMENTS: Final[dict[str, tuple[tuple[str, float], ...]]] = {
    "update": (("{}", 1.0),),
    "dict": (("{}", 1.0),),
    "ChainMap": (("{}", 1.0),),
    "extend": (("[]", 1.0),),
    "list": (("[]", 1.0),),
    "tuple": (("()", 1.0),),
    "set": (("()", 1.0),),
    "frozenset": (("()", 1.0),),
    "sorted": (("[]", 1.0),),
    "len": (("[]", 1.0), ('""', HALF)),
    "join": (("[]", 1.0),),
    "sum": (("[]", 1.0),),
    "map": (("[]", 1.0),),
    "enumerate": (("[]", 1.0),),
    "any": (("()", 1.0),),
    "all": (("()", 1.0),),
    "int": (("0", 1.0),),
    "float": (("0", 1.0),),
    "str": (('""', 1.0),),
    "deepcopy": (("{}", 1.0), ("[]", LIKELY)),
}
"""By the function that is handed the value."""


def stay_where_absent(node: ast.AugAssign | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`place += jumps.get(place, 0)` becomes `place = jumps.get(place, place)`, and `place = jumps.get(place)` gets it
    as its default: where nothing leads on, one stays."""
    if isinstance(node, ast.Call):
        around = context.parent(node)
        target = around.targets[0] if isinstance(around, ast.Assign) and around.value is node else None
        is_looked_up = callee_name(node) == "get" and len(node.args) in (1, 2) and isinstance(target, ast.Name)
        if is_looked_up and context.text(node.args[0]) == context.text(target):  # type: ignore[arg-type]
            name = context.text(node.args[0])
            if context.text(node.args[-1]) != name or len(node.args) == 1:
                yield context.put(node, f"{context.text(node.func)}({name}, {name})")
        return
    match node:
        case ast.AugAssign(
            target=ast.Name(id=name),
            op=ast.Add(),
            value=ast.Call(func=ast.Attribute(attr="get") as getter, args=[ast.Name(id=key), *_]),
        ) if key == name:
            yield from context.restate(node, (f"{name} = {context.text(getter)}({name}, {name})",))


def fill_in_if_empty(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text = values.get(name, default)` in a loop becomes `text = text or default`, where `text` was made of it
    before: what has been done to it since may have left nothing."""
    match node:
        case ast.Assign(targets=[ast.Name(id=text)], value=ast.Call(func=ast.Attribute(attr="get"), args=[_, default])):
            read = (part for part in context.scope.nodes if isinstance(part, ast.Name) and part.id == text)
            if any(isinstance(part.ctx, ast.Load) and part.lineno < node.lineno for part in read):
                other = Expression(text)
                yield context.put(node.value, bool_operation(other, "or", context.expression(default)))


TEMPLATES = (
    Template("fill_in_if_empty", (ast.Assign,), fill_in_if_empty, ("content", "empty")),
    Template("stay_where_absent", (ast.AugAssign, ast.Call), stay_where_absent, ("larger", "none", "content")),
    Template("given_or_own", (ast.Name, ast.Attribute), given_or_own, ("none", "type", "content")),
    Template("key_as_default", (ast.Call,), key_as_default, ("none", "content")),
    Template("index_to_get", (ast.Subscript,), index_to_get, ("key",)),
    Template("none_as_empty", (ast.Name, ast.Attribute), none_as_empty, ("none", "kind")),
)
