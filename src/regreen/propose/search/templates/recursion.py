"""Wrong recursion: an argument that does not move on, a step whose own part is lost."""

from __future__ import annotations

import ast

from regreen.propose.search.code import ATOM, TERM, Code, binary, unary
from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template
from regreen.propose.search.templates.calls import called_name


def recursive_argument(node: ast.Call, place: Place) -> Drafts:
    """An argument of a recursive call moves on: `f(n)` becomes `f(n - 1)`, `f(xs)` becomes `f(xs[1:])`."""
    function = place.scope.function
    name = called_name(node)
    if function is None or name != function.name:
        return
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            continue
        code = place.code(argument)
        for symbol, number in (("-", "1"), ("+", "1"), ("//", "2"), ("-", "2"), ("//", "10")):
            yield place.put(argument, binary(code, symbol, Code(number)))
        for part in ("1:", ":-1", "0"):
            yield place.put(argument, f"{code.at(ATOM)}[{part}]", 0.7)
        for parameter in place.scope.parameters:
            if parameter != place.scope.receiver and parameter != code.text:
                yield place.put(argument, binary(code, "-", Code(parameter)), 0.5)
                yield place.put(argument, binary(code, "+", Code(parameter)), 0.5)
                yield place.put(argument, binary(code, "%", Code(parameter)), 0.4)


def around_recursion(node: ast.Call, place: Place) -> Drafts:
    """The result of a recursive call gains what one step adds: `1 + f(...)`, `x + f(...)`, `[x] + f(...)`."""
    function = place.scope.function
    name = called_name(node)
    if function is None or name != function.name:
        return
    code = place.code(node)
    yield place.put(node, binary(Code("1"), "+", code))
    yield place.put(node, binary(code, "+", Code("1")), 0.5)
    yield place.put(node, unary("not", code), 0.4)
    for variable in place.scope.locals:
        if variable != place.scope.receiver:
            yield place.put(node, binary(Code(variable), "+", code), 0.5)
            yield place.put(node, binary(code, "+", Code(variable)), 0.3)
            yield place.put(node, Code(f"{variable} * {code.at(TERM)}", TERM), 0.4)
            yield place.put(node, binary(Code(f"[{variable}]"), "+", code), 0.3)


TEMPLATES = (
    Template("recursive_argument", (ast.Call,), 0.05, recursive_argument, 8, ("recursion", "hang")),
    Template("around_recursion", (ast.Call,), 0.03, around_recursion, 8, ("off_by_one",)),
)
