"""Files and what is written in them: modes, ends of lines, values in quotes, JSON."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, UNLIKELY
from regreen.propose.search.expressions import SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.strings import quoted
from regreen.syntax import callee_name

_MODES: Final = {"w": ("a", "wb", "x"), "a": ("w",), "r": ("rb",), "rb": ("r",), "wb": ("w", "ab"), "r+": ("w+", "a+")}


def other_mode(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`open(path, "w")` becomes `open(path, "a")`."""
    call = context.parent(node)
    if isinstance(call, ast.keyword):
        call = context.parent(call)
    if isinstance(call, ast.Call) and callee_name(call) == "open" and isinstance(node.value, str):
        yield from (context.put(node, quoted(mode, context.text(node))) for mode in _MODES.get(node.value, ()))


def end_line(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`file.write(line)` becomes `file.write(line + "\\n")`."""
    if callee_name(node) != "write" or not isinstance(node.func, ast.Attribute) or len(node.args) != 1:
        return
    text = context.expression(node.args[0])
    yield context.put(node.args[0], Expression(f"{text.at(SUM)} + '\\n'", SUM))


def read_quoted(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`line.split(",")` becomes `next(csv.reader([line]))`: a value in quotes may hold a comma."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "split" or len(node.args) != 1 or node.keywords:
        return
    separator = node.args[0]
    if isinstance(separator, ast.Constant) and separator.value in (",", ";", "\t"):
        option = "" if separator.value == "," else f", delimiter={context.text(separator)}"
        reader, imports = context.member_of("csv", "reader")
        read = f"next({reader}([{context.text(node.func.value)}]{option}))"
        weight = 1.0 if '"' in context.clues.prose or "quote" in context.clues.prose else UNLIKELY
        around = context.parent(node)
        if isinstance(around, ast.ListComp | ast.GeneratorExp) and around.elt is node and len(around.generators) == 1:
            # A value in quotes may even hold the end of a line.
            lines = f"{reader}({context.text(around.generators[0].iter)}{option})"
            rows = f"list({lines})" if isinstance(around, ast.ListComp) else lines
            yield WeightedEdits((*imports, context.edit(around, Expression(rows))), weight)
        yield WeightedEdits((*imports, context.edit(node, Expression(read))), weight)


def lines_without_ends(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`file.readlines()` becomes `file.read().splitlines()`: each of its lines ends with "\\n"."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "readlines" and not node.args:
        yield context.put(node, f"{context.text(node.func.value)}.read().splitlines()")


def write_as_json(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`file.write(values)`, where the module imports `json`, becomes `json.dump(values, file)`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("write", "write_text") or len(node.args) != 1:
        return
    if "json" in context.scope.globals and isinstance(node.args[0], ast.Name | ast.Attribute):
        value, file = context.text(node.args[0]), context.text(node.func.value)
        if node.func.attr == "write":
            yield context.put(node, f"json.dump({value}, {file})")
        yield context.put(node.args[0], f"json.dumps({value})")


def skip_header(node: ast.For | ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before the lines of a file, or the rows of `csv.reader`, are gone through comes `next(rows, None)`: the first is
    a header."""
    loops: list[ast.For | ast.comprehension] = [node] if isinstance(node, ast.For) else []
    loops += [part for part in ast.walk(node) if isinstance(part, ast.comprehension)] if not loops else []
    for loop in loops:
        rows = loop.iter
        if isinstance(rows, ast.Call) and callee_name(rows) == "reader" and rows.args:
            rows = rows.args[0]
        if isinstance(rows, ast.Name) and rows.id in context.cached("readers", lambda: _readers(context)):
            yield from context.before(node, (f"next({rows.id}, None)",))


def _readers(context: TemplateContext) -> frozenset[str]:
    """The variables that stand for an open file or for a reader of one."""
    opened = (item for part in context.scope.nodes if isinstance(part, ast.With) for item in part.items)
    found = {context.text(item.optional_vars) for item in opened if item.optional_vars is not None}
    for part in context.scope.nodes:
        made = part.value if isinstance(part, ast.Assign) else None
        if isinstance(made, ast.Call) and callee_name(made) in ("reader", "open", "iter", "StringIO"):
            found.add(context.text(part.targets[0]))  # type: ignore[attr-defined]
    return frozenset(found)


def rows_of_lines(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`csv.reader(text)` becomes `csv.reader(text.splitlines())`: a text goes by character."""
    given = node.args[0] if node.args else None
    is_text = isinstance(given, ast.Name) and context.kind(given) in ("str", "")
    if isinstance(given, ast.Name) and is_text and callee_name(node) in ("reader", "DictReader"):
        yield context.put(given, f"{given.id}.splitlines()")
        stream, imports = context.member_of("io", "StringIO")
        yield WeightedEdits((*imports, context.edit(given, Expression(f"{stream}({given.id})"))), HALF)


def lines_with_their_ends(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`csv.reader(text.splitlines())` becomes `csv.reader(text.splitlines(keepends=True))`: a field in quotes may hold
    several lines."""
    match node:
        case ast.Call(args=[ast.Call(func=ast.Attribute(attr="splitlines"), args=[], keywords=[]) as lines, *_]):
            if callee_name(node) in ("reader", "DictReader"):
                yield from context.with_keyword(lines, "keepends=True")


def begin_behind_the_mark(node: ast.FunctionDef, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function begins with `text = text.removeprefix("\\ufeff")`, where a check hands over a text that begins so."""
    if any(text.startswith(_BYTE_ORDER_MARK) for text in context.clues.input_strings):
        for parameter in node.args.args:
            if context.scope.kinds.get(parameter.arg, "") in ("str", "") and parameter.arg != context.scope.receiver:
                name = parameter.arg
                first = statements_after_docstring(node)[:1]
                for step in first:
                    yield from context.before(step, (f'{name} = {name}.removeprefix("\\ufeff")',))


_BYTE_ORDER_MARK: Final = "\ufeff"


TEMPLATES = (
    Template("lines_with_their_ends", (ast.Call,), lines_with_their_ends, ("content", "value")),
    Template("rows_of_lines", (ast.Call,), rows_of_lines),
    Template("skip_header", (ast.For, ast.Return, ast.Assign), skip_header, ("value", "longer", "index")),
    Template("other_mode", (ast.Constant,), other_mode, ("shorter",)),
    Template("end_line", (ast.Call,), end_line, ("shorter", "space")),
    Template("read_quoted", (ast.Call,), read_quoted),
    Template("lines_without_ends", (ast.Call,), lines_without_ends, ("longer", "space")),
    Template("write_as_json", (ast.Call,), write_as_json, ("type",)),
    Template("begin_behind_the_mark", (ast.FunctionDef,), begin_behind_the_mark, ("content", "key", "raises")),
)
