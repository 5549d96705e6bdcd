"""Signs that are written otherwise, one after the other: what one replacement writes, the next must leave alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from regreen.propose.search.expressions import ATOM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name

_Pair = tuple[ast.expr, ast.expr]
"""What is replaced, and what takes its place."""


def escape_first(node: ast.Tuple | ast.List | ast.Dict | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.replace("<", "&lt;").replace("&", "&amp;")` replaces the `&` first, which all others write; so does a table
    of such pairs."""
    pairs = _pairs(node, context)
    for number in range(1, len(pairs)):
        sign = _text_of(pairs[number][0])
        if sign and all(sign in _text_of(new) for _, new in pairs[:number]):
            yield WeightedEdits(
                tuple(
                    context.edit(old, context.expression(other))
                    for one, another in zip(pairs[: number + 1], [pairs[number], *pairs[:number]], strict=True)
                    for old, other in zip(one, another, strict=True)
                )
            )


def _pairs(node: ast.expr, context: TemplateContext) -> Sequence[_Pair]:
    """The pairs of a table, or of a chain of `replace`, in the order in which they are used."""
    match node:
        case ast.Dict(keys=keys, values=values):
            return [(key, value) for key, value in zip(keys, values, strict=True) if key is not None]
        case ast.Tuple(elts=rows) | ast.List(elts=rows):
            parts = [row.elts for row in rows if isinstance(row, ast.Tuple | ast.List)]
            return [(row[0], row[1]) for row in parts] if all(len(row) == 2 for row in parts) else []
    return [] if isinstance(context.parent(node), ast.Attribute) else [*_chain(node)][::-1]


def _chain(node: ast.expr) -> Iterator[_Pair]:
    """The arguments of a chain of `replace`, those of the last call first."""
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr="replace"), args=[old, new]):
                yield old, new
                node = inner
            case _:
                return


def _text_of(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def cut_before_ending(node: ast.Call | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cut(name + ending, width)` becomes `cut(name, width - len(ending)) + ending`, and `(name + ending)[:width]`
    `name[:width - len(ending)] + ending`: the ending is there, however long the name is."""
    match node:
        case ast.Call(func=ast.Name() | ast.Attribute(), args=[ast.BinOp(op=ast.Add()) as whole, most], keywords=[]):
            pass
        case ast.Subscript(
            value=ast.BinOp(op=ast.Add()) as whole, slice=ast.Slice(lower=None, upper=ast.expr() as most)
        ):
            pass
        case _:
            return
    ending = context.expression(whole.right)
    room = binary_operation(context.expression(most), "-", Expression(f"len({ending.text})", ATOM)).text
    if isinstance(node, ast.Call):
        cut = f"{context.text(node.func)}({context.text(whole.left)}, {room})"
    else:
        cut = f"{context.expression(whole.left).at(ATOM)}[:{room}]"
    yield context.put(node, binary_operation(Expression(cut, ATOM), "+", ending))


def _cuts(call: ast.Call, context: TemplateContext) -> bool:
    """Whether a call is of a function of the program that takes parts of texts or lists."""
    name = callee_name(call)
    named = (part for part in context.program.nodes if isinstance(part, FUNCTIONS) and part.name == name)
    return any(isinstance(part, ast.Slice) for function in named for part in context.program.below(function))


def escape_the_mark_itself(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{'"': '\\\\"'}` gains an entry for the backslash with which all the others are written."""
    pairs = [
        (key.value, value.value)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant)
    ]
    escaped = [(key, value) for key, value in pairs if isinstance(value, str) and value.startswith("\\")]
    if escaped and len(escaped) == len(node.keys) and all(key != "\\" for key, _ in escaped):
        start = context.program.spans[node][0] + 1
        yield context.replace(start, start, '"\\\\": "\\\\\\\\", ')


def each_escape_once(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for letter, char in table.items(): text = text.replace("\\\\" + letter, char)` becomes one look at each sign
    with what follows, `re.sub`: a backslash behind another begins nothing."""
    match node:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=value)]),
            iter=ast.Call(func=ast.Attribute(value=table, attr="items")),
            body=[
                ast.Assign(
                    targets=[ast.Name(id=text)], value=ast.Call(func=ast.Attribute(attr="replace"), args=[old, new])
                )
            ],
        ) if context.text(new) == value:
            pass
        case _:
            return
    match old:
        case ast.BinOp(left=ast.Constant(value=str(sign)), op=ast.Add(), right=ast.Name(id=name)) if name == key:
            pass
        case ast.JoinedStr(values=[ast.Constant(value=str(sign)), ast.FormattedValue(value=ast.Name(id=name))]) if (
            name == key
        ):
            pass
        case _:
            return
    substitute, imports = context.member_of("re", "sub")
    pattern, known = re.escape(sign), context.text(table)
    line = f'{text} = {substitute}(r"{pattern}(.)", lambda found: {known}.get(found.group(1), found.group(0)), {text})'
    for changed in context.restate(node, (line,)) if '"' not in pattern else ():
        yield WeightedEdits((*imports, *changed.edits))


def put_in_at_once(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for match in PLACE.finditer(text): out = re.sub(re.escape(match[0]), value(match), out)` becomes `out =
    PLACE.sub(lambda match: value(match), text)`: what was put in is no pattern, and is not gone through again."""
    match node:
        case ast.For(
            target=ast.Name(id=found),
            iter=ast.Call(func=ast.Attribute(value=pattern, attr="finditer"), args=[text]),
            body=[
                ast.Assign(
                    targets=[ast.Name(id=out)],
                    value=ast.Call(func=ast.Attribute(attr="sub"), args=[_, value, ast.Name(id=before)])
                    | ast.Call(func=ast.Attribute(value=ast.Name(id=before), attr="replace"), args=[_, value]),
                )
            ],
            orelse=[],
        ) if out == before:
            put_in = f"lambda {found}: {context.text(value)}"
            line = f"{out} = {context.text(pattern)}.sub({put_in}, {context.text(text)})"
            yield from context.restate(node, (line,))


TEMPLATES = (
    Template("each_escape_once", (ast.For,), each_escape_once, ("content",)),
    Template("escape_the_mark_itself", (ast.Dict,), escape_the_mark_itself, ("content",)),
    Template("escape_first", (ast.Tuple, ast.List, ast.Dict, ast.Call), escape_first, ("content",)),
    Template("cut_before_ending", (ast.Call, ast.Subscript), cut_before_ending, ("shorter", "longer", "content")),
    Template("put_in_at_once", (ast.For,), put_in_at_once, ("content", "raises", "longer")),
)
