"""Methods that a value does not have, and other languages or libraries know: `xs.flatten()`, `text.substring(1, 3)`."""

from __future__ import annotations

import ast
import builtins
import math
import re
import statistics
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.foreign_names import FOREIGN_FORMS, arguments_in
from regreen.propose.search.constants import FAST_DECLINE, LIKELY, UNLIKELY
from regreen.propose.search.expressions import ATOM, COMPARISON, NOT, POWER, SUM, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, whole_number

_LEVELS: Final = {" in ": COMPARISON, " == ": COMPARISON, " + ": SUM, "not ": NOT}
"""How a form binds that holds one of these; any other binds as a name does."""


def _level_of(form: str) -> int:
    return next((level for sign, level in _LEVELS.items() if sign in form), ATOM)


_FORMS: Final[dict[str, tuple[tuple[str, int], ...]]] = {
    **{name: ((form, _level_of(form)),) for name, form in FOREIGN_FORMS.items()},
    "flatten": (("[item for row in {x} for item in row]", ATOM),),
    "mean": (("sum({x}) / len({x})", TERM),),
    "average": (("sum({x}) / len({x})", TERM),),
    "avg": (("sum({x}) / len({x})", TERM),),
    "substring": (("{x}[{0}:{1}]", ATOM), ("{x}[{0}:]", ATOM)),
    "substr": (("{x}[{0}:{0} + {1}]", ATOM), ("{x}[{0}:{1}]", ATOM), ("{x}[{0}:]", ATOM)),
    "slice": (("{x}[{0}:{1}]", ATOM), ("{x}[{0}:]", ATOM)),
    "at": (("{x}[{0}]", ATOM),),
    "first": (("{x}[0]", ATOM),),
    "peek": (("{x}[-1]", ATOM), ("{x}[0]", ATOM)),
    "unique": (("list(dict.fromkeys({x}))", ATOM), ("set({x})", ATOM)),
    "distinct": (("list(dict.fromkeys({x}))", ATOM), ("set({x})", ATOM)),
    "filter": (("[item for item in {x} if ({0})(item)]", ATOM),),
    "map": (("[({0})(item) for item in {x}]", ATOM),),
    "is_even": (("{x} % 2 == 0", COMPARISON),),
    "is_odd": (("{x} % 2 == 1", COMPARISON),),
    "isPalindrome": (("{x} == {x}[::-1]", COMPARISON),),
    "is_palindrome": (("{x} == {x}[::-1]", COMPARISON),),
    "equalsIgnoreCase": (("{x}.lower() == {0}.lower()", COMPARISON),),
    "sort_by": (("sorted({x}, key={0})", ATOM),),
    "sqrt": (("{x} ** 0.5", POWER),),
    "remove": (('{x}.replace({0}, "")', ATOM),),
    "delete": (('{x}.replace({0}, "")', ATOM),),
    "title_case": (("{x}.title()", ATOM),),
    "capitalize_words": (("{x}.title()", ATOM),),
    "words": (("{x}.split()", ATOM),),
    "lines": (("{x}.splitlines()", ATOM),),
    "is_integer": (("isinstance({x}, int)", ATOM),),
    "copy": (("{x}[:]", ATOM),),
}
"""How Python writes what other languages and libraries have a method for, and the level at which each form binds: `{x}`
is the value, `{0}` and `{1}` are the arguments."""

_FUNCTIONS: Final = frozenset("sum min max sorted abs round any all set list tuple str int float reversed".split())
"""Functions of Python that are methods elsewhere."""


def foreign_method(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`grid.flatten()` becomes `[item for row in grid for item in row]`, `xs.sum()` becomes `sum(xs)`."""
    method = node.func
    if not isinstance(method, ast.Attribute) or node.keywords or method.attr in _defined(context):
        return
    if isinstance(method.value, ast.Name) and method.value.id in context.scope.globals:
        return
    value = context.expression(method.value)
    given = [context.expression(argument).at(TEST) for argument in node.args]
    forms = _FORMS.get(method.attr, ())
    if method.attr in _FUNCTIONS:
        forms = ((f"{method.attr}({', '.join(('{x}', *given))})", ATOM),)
    for rank, (form, level) in enumerate(forms):
        if len(given) == arguments_in(form):
            text = form.format(*given, x=value.at(ATOM))
            yield context.put(node, Expression(text, level), 1.0 - FAST_DECLINE * rank)


def _defined(context: TemplateContext) -> frozenset[str]:
    """The methods that the program defines itself."""
    return context.cached_of_program("defined methods", lambda: frozenset(f.name for f in context.program.functions))


def foreign_function(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`math.mean(xs)` becomes `statistics.mean(xs)`, and `math.max(a, b)` becomes `max(a, b)`."""
    function = node.func
    if not isinstance(function, ast.Attribute) or context.text(function.value) != "math":
        return
    if function.attr in dir(statistics):
        name, imported = context.member_of("statistics", function.attr)
        yield WeightedEdits((*imported, context.edit(function, Expression(name))))
    elif function.attr in dir(builtins) and function.attr not in dir(math):
        yield context.put(function, function.attr)


def append_to_text(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out.append(c)` of a text becomes `out += c`, or `out += str(c)`."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
        return
    if call.func.attr in ("append", "add", "push", "extend") and context.kind(call.func.value) == "str":
        out, added = context.text(call.func.value), context.text(call.args[0])
        yield from context.restate(node, (f"{out} += {added}",))
        yield from context.restate(node, (f"{out} += str({added})",), LIKELY)


def take_first_off(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`queue.pop(0)` of a deque becomes `queue.popleft()`, and `xs.popleft()` of a list `xs.pop(0)`."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if owner is None or callee_name(node) not in ("pop", "popleft"):
        return
    text, source = context.text(owner), context.program.source
    is_queue = bool(re.search(rf"(?<![\w.]){re.escape(text)}\b[^\n=]*=[^\n]*\bdeque\(", source))
    if callee_name(node) == "pop" and is_queue and node.args:
        last = whole_number(node.args[0]) == -1
        yield context.put(node, f"{text}.{'pop' if last else 'popleft'}()")
    if callee_name(node) == "popleft" and not is_queue and "deque" not in source:
        yield context.put(node, f"{text}.pop(0)")


def sort_what_is_no_list(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found[length].sort()` of a set becomes `found[length] = sorted(found[length])`: only a list has an order."""
    match node.value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name() | ast.Subscript() | ast.Attribute() as held, attr="sort"), args=[]
        ):
            call, held_text = context.text(node.value), context.text(held)
            options = call[len(held_text) + len(".sort(") : -1]
            if context.kind(held) != "list":
                given = f"{held_text}, {options}" if options else held_text
                share = 1.0 if "no attribute 'sort'" in context.clues.details else UNLIKELY
                yield from context.restate(node, (f"{held_text} = sorted({given})",), share)


def places_for_attributes(function: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`span.start` and `span.end` of a list or a tuple become `span[0]` and `span[1]`."""
    lacking = frozenset(_LACKING.findall(context.clues.details))
    reads = [
        node for node in context.scope.nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]
    for owner in dict.fromkeys(node.value.id for node in reads if node.attr in lacking):  # type: ignore[attr-defined]
        of_owner = [node for node in reads if context.text(node.value) == owner and not context.is_called(node)]
        names = list(dict.fromkeys(node.attr for node in of_owner))
        if of_owner and len(names) <= _MOST_PLACES:
            # Of a single one the name may tell which.
            first = 1 if names[0] in _NAMES_OF_SECONDS and len(names) == 1 else 0
            edits = (context.edit(n, Expression(f"{owner}[{first + names.index(n.attr)}]")) for n in of_owner)
            yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


_LACKING: Final = re.compile(r"'(?:list|tuple)' object has no attribute '(\w+)'")
_MOST_PLACES: Final = 4
_NAMES_OF_SECONDS: Final = frozenset({"end", "second", "y", "right", "value", "col", "stop", "last", "high", "weight"})


TEMPLATES = (
    Template("places_for_attributes", FUNCTIONS, places_for_attributes, ("attribute",)),
    Template("sort_what_is_no_list", (ast.Expr,), sort_what_is_no_list, ("attribute",)),
    Template("take_first_off", (ast.Call,), take_first_off, ("type", "attribute")),
    Template("foreign_method", (ast.Call,), foreign_method, ("attribute",)),
    Template("foreign_function", (ast.Call,), foreign_function, ("attribute",)),
    Template("append_to_text", (ast.Expr,), append_to_text, ("attribute",)),
)
