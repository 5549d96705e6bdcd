"""Wrong recursion: an argument that does not move on, a step whose own part is lost."""

from __future__ import annotations

import ast

from regreen.propose.search.code import ATOM, TERM, Code, binary, unary
from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template, here_or_everywhere
from regreen.propose.search.templates.calls import called_name
from regreen.types import Edit


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


def store_result(node: ast.Expr, place: Place) -> Drafts:
    """`insert(root.left, x)` becomes `root.left = insert(root.left, x)`, wherever the function lets it go."""
    function = _called(node, place)
    alike = [n for n in place.scope.nodes if isinstance(n, ast.Expr) and function and _called(n, place) == function]
    yield from here_or_everywhere(node, {n: _stored(n, place) for n in alike})


def _called(node: ast.Expr, place: Place) -> str:
    """The program's own function that is called, where what it is first given could hold the result too."""
    call = node.value
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and isinstance(_first(call), _HOLDERS)):
        return ""
    own = (*place.scope.globals, getattr(place.scope.function, "name", ""))
    return call.func.id if call.func.id in own else ""


def _stored(node: ast.Expr, place: Place) -> Edit:
    start = place.program.spans[node][0]
    assert isinstance(node.value, ast.Call), "only calls are stored"
    return Edit(start, start, f"{place.text(node.value.args[0])} = ")


def _first(call: ast.Call) -> ast.expr | None:
    return call.args[0] if call.args else None


_HOLDERS = (ast.Name, ast.Attribute, ast.Subscript)

TEMPLATES = (
    Template("recursive_argument", (ast.Call,), 0.05, recursive_argument, 8, ("recursion", "hang")),
    Template("store_result", (ast.Expr,), 0.04, store_result, 1, ("recursion", "none", "attribute")),
    Template("around_recursion", (ast.Call,), 0.03, around_recursion, 8, ("off_by_one",)),
)
