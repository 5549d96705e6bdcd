"""Missing statements at the ends of a function: guards, base cases, conversions, a final return."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.constants import (
    GUARD_RESULT_RATIO,
    HALF,
    IMPROBABLE,
    MAX_EXPECTED_RESULTS,
    MAX_NUMBER_RESULTS,
    MAX_RESULTS,
    POSSIBLE,
    VERY_LIKELY,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.raise_lines import raise_lines
from regreen.syntax import FUNCTIONS, Function, python_literal, whole_number

_EMPTY = {
    "list": "[]",
    "str": "''",
    "dict": "{}",
    "set": "set()",
    "tuple": "()",
    "int": "0",
    "float": "0.0",
    "bool": "False",
}


def guard(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not xs: return []`, `if n <= 1: return 1`, ... as the first statement: base cases and empty inputs."""
    first = statements_after_docstring(node)[0]
    for condition, results, weight in _guards(context):
        for rank, result in enumerate(results):
            yield from context.before(
                first, (f"if {condition}:", f"\treturn {result}"), weight * GUARD_RESULT_RATIO**rank
            )


def _guards(context: TemplateContext) -> Iterator[tuple[str, tuple[str, ...], float]]:
    results = likely_results(context)
    parameters = [p for p in context.scope.parameters if p != context.scope.receiver]
    for name in parameters:
        kind = context.scope.kinds.get(name, "")
        if kind not in ("int", "float"):
            yield f"not {name}", tuple(dict.fromkeys((*results, name))), 1.0
            yield f"{name} is None", tuple(dict.fromkeys((*results, name))), HALF
            yield f"len({name}) <= 1", tuple(dict.fromkeys((name, *results, f"{name}[0]"))), HALF
            yield f"len({name}) == 1", (*_answers_of_one(name, context), f"{name}[0]"), HALF
        if kind in ("int", "float", ""):
            for test in ("== 0", "<= 1", "< 0", "== 1", "<= 0", "< 2", "== 2"):
                yield (
                    f"{name} {test}",
                    tuple(dict.fromkeys((*results[:MAX_NUMBER_RESULTS], name, "1", "0"))),
                    VERY_LIKELY,
                )
    for one in parameters:
        for other in parameters:
            if one != other:
                yield from ((f"{one} {symbol} {other}", results, HALF) for symbol in ("==", ">", "<", "in"))
                yield f"not {one} or not {other}", results, IMPROBABLE


def _answers_of_one(name: str, context: TemplateContext) -> Iterator[str]:
    """The one item of a list, made what the function's last `return` makes of its answer: `round(marks[0], 1)`."""
    function = context.scope.function
    last = function.body[-1] if function is not None else None
    made = last.value if isinstance(last, ast.Return) else None
    if isinstance(made, ast.Call) and made.args and isinstance(made.func, ast.Name) and made.func.id in PYTHON_BUILTINS:
        start, end = (end - context.program.spans[made][0] for end in context.program.outer(made.args[0]))
        text = context.text(made)
        yield f"{text[:start]}{name}[0]{text[end:]}"


def likely_results(context: TemplateContext) -> tuple[str, ...]:
    """Values that a function may return early: those it returns elsewhere, empty ones, and those that prose names.

    What the checks expect is none by itself: a branch that returns it is made for that check.
    """
    returned = [n.value for n in context.scope.nodes if isinstance(n, ast.Return) and n.value is not None]
    constants = [
        context.text(value) for value in returned if isinstance(value, ast.Constant) or whole_number(value) is not None
    ]
    kinds = [context.kind(value) for value in returned]
    empty = [_EMPTY[kind] for kind in kinds if kind in _EMPTY]
    clues = context.clues
    numbers = [value for value in clues.outputs if value in clues.numbers][:MAX_EXPECTED_RESULTS]
    texts = [repr(value) for value in clues.output_strings if value in clues.strings][:MAX_EXPECTED_RESULTS]
    usual = ("None", *(() if _gives_numbers(kinds, context) else ("False", "True")), "0", "[]", "''", "1", "-1")
    return tuple(dict.fromkeys((*empty, *constants, *usual, *numbers, *texts)))[:MAX_RESULTS]


def _gives_numbers(kinds: Sequence[str], context: TemplateContext) -> bool:
    """Whether a function gives numbers alone, as far as its results and the checks tell: False would pass for 0."""
    given = {kind for kind in kinds if kind}
    return given <= {"int", "float"} and bool(given or context.clues.outputs)


def guard_raise(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n < 0: raise ValueError` as the first statement, for exceptions that the checks or the prose name."""
    for place, share in places_of_guards(node):
        for line in raise_lines(context):
            for condition, _, weight in _guards(context):
                yield from context.before(place, (f"if {condition}:", f"\t{line}"), weight * share)


def places_of_guards(node: Function) -> Iterator[tuple[ast.stmt, float]]:
    """Before which statements a function may refuse, with how likely that is: the first one, and those of its own block
    that change something or leave, behind others that get ready, as `name = name.strip()` or `self._refill()` do."""
    first, *rest = statements_after_docstring(node)
    yield first, 1.0
    found = (statement for statement in rest if _changes_something(statement) or not isinstance(statement, _READYING))
    yield from zip(found, _LATER_PLACES, strict=False)


_READYING: Final = (ast.Assign, ast.AnnAssign, ast.Expr)
_LATER_PLACES: Final = (VERY_LIKELY, HALF)


def _changes_something(statement: ast.stmt) -> bool:
    """Whether a statement stores in an object, or hands something over to a function that may."""
    stores = (ast.Attribute, ast.Subscript)
    parts = [part for part in ast.walk(statement) if isinstance(part, stores) and not isinstance(part.ctx, ast.Load)]
    handed = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args
    return bool(parts) or bool(handed)


def default_value(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if x is None: x = []` as the first statement, likelier for parameters with a default."""
    first = statements_after_docstring(node)[0]
    given = [*node.args.posonlyargs, *node.args.args]
    optional = {argument.arg for argument in given[len(given) - len(node.args.defaults) :]}
    for name in context.scope.parameters:
        if name == context.scope.receiver:
            continue
        share = 1.0 if name in optional else IMPROBABLE
        kind = context.scope.kinds.get(name, "")
        for value in dict.fromkeys((_EMPTY.get(kind, "[]"), "[]", "{}", "set()", "0", "''")):
            yield from context.before(first, (f"if {name} is None:", f"\t{name} = {value}"), share)


def convert_parameter(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`s = s.lower()`, `xs = list(xs)`, `xs = sorted(xs)` as the first statement."""
    first = statements_after_docstring(node)[0]
    for name in context.scope.parameters:
        if name == context.scope.receiver:
            continue
        for shape in _CONVERSIONS.get(context.scope.kinds.get(name, ""), _ANY):
            yield from context.before(first, (f"{name} = {shape.format(name)}",))


_CONVERSIONS = {
    "str": ("{}.lower()", "{}.strip()", "{}.replace(' ', '')", "{}.upper()", "{}.split()", "str({})"),
    "list": ("sorted({})", "list({})", "{}[:]", "list(set({}))", "set({})"),
    "int": ("abs({})", "int({})", "str({})"),
    "float": ("abs({})", "float({})", "round({})"),
    "dict": ("dict({})", "{}.copy()"),
    "set": ("set({})",),
    "tuple": ("list({})", "sorted({})"),
}
_ANY = ("sorted({})", "list({})", "{}.lower()", "{}.strip()", "abs({})", "str({})", "int({})", "{}.copy()")


def final_return(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return x` at the end of a function that ends without one; `return True` where it says `return False`
    elsewhere."""
    last = node.body[-1]
    if (
        isinstance(last, ast.Return | ast.Raise)
        or node.name == "__init__"
        or any(isinstance(n, ast.Yield) for n in context.scope.nodes)
    ):
        return
    stored = [n for n in context.scope.locals if n in context.scope.assigned]
    names = [*reversed(stored), *(n for n in context.scope.locals if n not in stored)]
    returned = [n.value for n in context.scope.nodes if isinstance(n, ast.Return) and n.value is not None]
    answers = {context.text(value) for value in returned}
    if len(answers) == 1 and answers <= {"True", "False"}:
        # It says yes or no: the other answer is what is left.
        yield from context.after(last, (f"return {answers == {'False'}}",))
        names = []
    for name in names:
        yield from context.after(last, (f"return {name}",), POSSIBLE if name == context.scope.receiver else 1.0)
    for value in ("True", "False", "0", "[]", "''", "-1", "1", "{}"):
        yield from context.after(last, (f"return {value}",), HALF)
    for attribute in context.scope.attributes:
        yield from context.after(last, (f"return {context.scope.receiver}.{attribute}",), POSSIBLE)


def return_after_yields(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`yield from rest` at the end of a branch is followed by `return`, where more follows behind the branch: that is
    for the other case."""
    block, around = context.program.block(node), context.parent(node)
    if not isinstance(node.value, ast.Yield | ast.YieldFrom) or block[-1] is not node:
        return
    while isinstance(around, ast.ExceptHandler):
        around = context.parent(around)
    if isinstance(around, ast.If | ast.Try | ast.For | ast.While):
        is_followed = context.program.block(around)[-1] is not around
        if is_followed and not any(context.loops_around(around)):
            yield from context.after(node, ("return",))


def sides_of_triangle(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Where a triangle is spoken of, a function of three sides begins with `if a + b <= c or a + c <= b or b + c <= a:
    return False`, or another result: two sides are longer than the third."""
    sides = [name for name in context.scope.parameters if name != context.scope.receiver]
    if len(sides) != len("abc") or "triangle" not in context.program.source.lower():
        return
    first, a, b, c = statements_after_docstring(node)[0], *sides
    asked = f"if {a} + {b} <= {c} or {a} + {c} <= {b} or {b} + {c} <= {a}:"
    for result in dict.fromkeys((*unsaid_texts(context), *likely_results(context))):
        yield from context.before(first, (asked, f"\treturn {result}"))


def unsaid_texts(context: TemplateContext) -> list[str]:
    """The texts that the prose names and that the function has nowhere, as literals: `'none' where ...`."""
    texts = (
        part.value for part in context.scope.nodes if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
    known = frozenset(texts)
    return [python_literal(text) for text in context.clues.strings if text not in known]


TEMPLATES = (
    Template("sides_of_triangle", FUNCTIONS, sides_of_triangle, ("content", "negated")),
    Template("return_after_yields", (ast.Expr,), return_after_yields, ("longer",)),
    Template("guard", FUNCTIONS, guard, ("recursion", "zero", "index", "empty", "none", "type", "value")),
    Template("guard_raise", FUNCTIONS, guard_raise),
    Template("default_value", FUNCTIONS, default_value, ("type", "none", "attribute")),
    Template("convert_parameter", FUNCTIONS, convert_parameter, ("case", "space", "order", "copy")),
    Template("final_return", FUNCTIONS, final_return, ("none",)),
)
