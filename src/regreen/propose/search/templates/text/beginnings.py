"""Beginnings of texts that may end within a word or a path; numbers that should be the length of another text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, PROBABLE, SLOW_DECLINE
from regreen.propose.search.expressions import SUM, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within, python_literal, whole_number

_ENDS = ("startswith", "endswith")
_SEPARATORS = ("/", ".", ":", "-", "_", " ", "::")


def end_beginning(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tag.startswith(root)` becomes `tag == root or tag.startswith(root + "/")`, and `host.endswith(domain)` becomes
    `host == domain or host.endswith("." + domain)`: a part is whole, or no part."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _ENDS or len(node.args) != 1:
        return
    text, begun = context.text(node.func.value), node.args[0]
    if not isinstance(begun, ast.Name | ast.Attribute):
        return
    name = context.text(begun)
    for rank, mark in enumerate(context.cached_of_program("marks of parts", lambda: _marks_of_parts(context))):
        weight = 1.0 - SLOW_DECLINE * rank
        whole = f"{name} + {mark}" if node.func.attr == "startswith" else f"{mark} + {name}"
        further = Expression(f"{text}.{node.func.attr}({whole})")
        yield context.put(node, bool_operation(Expression(f"{text} == {name}"), "or", further), weight)
        yield context.put(node, further, weight * PROBABLE)


def _marks_of_parts(context: TemplateContext) -> tuple[str, ...]:
    """What may stand between parts of a text, as source: what the program has among its texts first."""
    source = context.program.source
    known = [mark for mark in _SEPARATORS if re.search(rf"""(["']){re.escape(mark)}\1""", source)]
    of_paths = ["os.sep"] if re.search(r"^import os\b", source, re.MULTILINE) else []
    return (*(f'"{mark}"' for mark in known), *of_paths, *(f'"{m}"' for m in _SEPARATORS if m not in known))


def length_for_number(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(marks) >= 3` becomes `len(marks) >= len(fence)`: a number that holds for one length alone."""
    compared = context.parent(node)
    if (whole_number(node) or 0) < 1 or not isinstance(compared, ast.Compare | ast.Slice | ast.BinOp):
        return
    texts = names_within(compared)
    for name in context.scope.parameters:
        if name != context.scope.receiver and name not in texts and context.scope.kinds.get(name, "") in _SIZED:
            yield context.put(node, f"len({name})", 1.0 if isinstance(compared, ast.Compare) else HALF)


_SIZED = frozenset(("", "str", "list", "tuple", "set", "dict", "bytes"))


def cut_asked_end(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Under `if name.startswith(prefix):`, `name` becomes `name[len(prefix):]`; under `endswith`, what is before the
    ending; where the first and the last sign were asked for, what stands between them."""
    if not context.is_read(node) or isinstance(context.parent(node), ast.Attribute | ast.Subscript):
        return
    text = context.text(node)
    for condition in (part for part in context.around(node) if isinstance(part, ast.If)):
        if any(part is node for part in ast.walk(condition.test)):
            return
        for call in (part for part in ast.walk(condition.test) if isinstance(part, ast.Call)):
            match call:
                case ast.Call(func=ast.Attribute(value=owner, attr=("startswith" | "endswith") as method), args=[end]):
                    if context.text(owner) == text and not isinstance(end, ast.Tuple):
                        yield context.put(node, text + _without(end, method, context))
        asked = {context.text(part) for part in ast.walk(condition.test) if isinstance(part, ast.Subscript)}
        if {f"{text}[0]", f"{text}[-1]"} <= asked:
            yield context.put(node, f"{text}[1:-1]")


def _without(end: ast.expr, method: str, context: TemplateContext) -> str:
    """The slice that leaves out a beginning or an ending."""
    is_text = isinstance(end, ast.Constant) and isinstance(end.value, str)
    length = str(len(end.value)) if is_text else f"len({context.text(end)})"  # type: ignore[attr-defined]
    return f"[{length}:]" if method == "startswith" else f"[:-{length}]"


def exact_before_beginnings(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[name for name in names if name.startswith(text)]` comes after `if text in names: return names[text]`, or after
    `return text`: who says all of a name means that one."""
    if context.scope.function is None or any(context.loops_around(node)):
        return
    for part in context.program.below(node):
        match part:
            case ast.comprehension(target=ast.Name(id=name), iter=ast.Name() | ast.Attribute() as names):
                asked = (one for test in part.ifs for one in ast.walk(test) if isinstance(one, ast.Call))
            case _:
                continue
        for call in asked:
            if context.text(call.func) == f"{name}.startswith" and len(call.args) == 1:
                table, text = context.text(names), context.text(call.args[0])
                answers = (f"{table}[{text}]", text) if context.kind(names) in ("dict", "") else (text,)
                for answer in answers:
                    yield from context.before(node, (f"if {text} in {table}:", f"\treturn {answer}"))


def up_to_the_first(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word[1:] + word[0]` becomes `word[first:] + word[:first]` behind `first = next((i for i, c in enumerate(word) if
    c in vowels), 1)`, where `word[0] in vowels` was asked before: all that stands before the first of them moves."""
    match node:
        case ast.BinOp(
            left=ast.Subscript(value=ast.Name(id=text), slice=ast.Slice(lower=ast.Constant(value=1), upper=None)),
            op=ast.Add(),
            right=ast.Subscript(value=ast.Name(id=other), slice=ast.Constant(value=0)),
        ) if text == other:
            statement = next(part for part in (node, *context.around(node)) if isinstance(part, ast.stmt))
            for kinds in _asked_of_first(text, context):
                first = context.new_name("first", "begin")
                sought = f"{first} = next((i for i, c in enumerate({text}) if c in {kinds}), 1)"
                moved = context.edit(node, Expression(f"{text}[{first}:] + {text}[:{first}]", SUM))
                yield from (WeightedEdits((*change.edits, moved)) for change in context.before(statement, (sought,)))


def _asked_of_first(text: str, context: TemplateContext) -> list[str]:
    """What the first character of a text is looked for in: `vowels` of `word[0] in vowels`."""
    asked = [part for part in context.scope.nodes if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In)]
    return [context.text(part.comparators[0]) for part in asked if context.text(part.left) == f"{text}[0]"]


def keep_leading_signs(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function with `name.split("_")` works with `stripped = name.lstrip("_")` and gives `name[: len(name) -
    len(stripped)]` in front of its result, where prose speaks of leading ones: they part nothing."""
    if node.value is None or "leading" not in context.clues.prose.lower():
        return
    for part in context.scope.nodes:
        match part:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=text) as owner, attr="split"), args=[ast.Constant(value=str(sign))]
            ):
                statement = next((step for step in context.around(part) if isinstance(step, ast.stmt)), None)
                if statement is None or text not in context.scope.parameters:
                    continue
                bare = context.new_name("stripped", "rest")
                result = f"{text}[: len({text}) - len({bare})] + {context.expression(node.value).at(SUM + 1)}"
                for begun in context.before(statement, (f"{bare} = {text}.lstrip({python_literal(sign)})",)):
                    edits = (
                        *begun.edits,
                        context.edit(owner, Expression(bare)),
                        context.edit(node.value, Expression(result, SUM)),
                    )
                    yield WeightedEdits(edits)


TEMPLATES = (
    Template("keep_leading_signs", (ast.Return,), keep_leading_signs, ("content",)),
    Template("up_to_the_first", (ast.BinOp,), up_to_the_first, ("content",)),
    Template("exact_before_beginnings", (ast.Assign, ast.Return), exact_before_beginnings, ("content", "longer")),
    Template("cut_asked_end", (ast.Name, ast.Attribute), cut_asked_end, ("longer", "content")),
    Template("end_beginning", (ast.Call,), end_beginning, ("longer", "negated")),
    Template("length_for_number", (ast.Constant,), length_for_number),
)
