"""Calls that a value goes through elsewhere, with something beside it: the folder of a path, the page of a link."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.propose.search.constants import HALF, MAX_EXPRESSION_CHARACTERS
from regreen.propose.search.expressions import OPERATOR_SYMBOLS
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext

_VALUES: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_MOST_CALLS: Final = 3
"""Calls that one value may go through which are tried."""


class _CallOfTwo(NamedTuple):
    """A call of a function with two values, one of which is looked for elsewhere."""

    function: str
    beside: str
    is_first: bool
    """Whether the value comes first, and what is beside it second."""
    names: frozenset[str]
    """What it reads, the value aside."""


def call_as_elsewhere(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`open(name)` becomes `open(join(self.root, name))`, as a `name` is joined elsewhere, or to `self.other_root`."""
    around = context.parent(node)
    if not _is_given(node, context) or len(context.text(node)) > MAX_EXPRESSION_CHARACTERS:
        return
    calls = context.cached_of_program("calls of two", lambda: _calls_of_two(context))
    alike = dict.fromkeys(call for word in _words(node) for call in calls.get(word, {}))
    known = [call for call in alike if call.names <= context.scope.visible]
    if isinstance(around, ast.Call) and any(context.text(around.func) == call.function for call in known):
        return
    for call in known[:_MOST_CALLS]:
        if call.beside.startswith("*") or len(call.beside) > MAX_EXPRESSION_CHARACTERS:
            continue
        for beside in (call.beside, *_alike(call.beside, context)):
            values = (context.text(node), beside) if call.is_first else (beside, context.text(node))
            yield context.put(node, f"{call.function}({', '.join(values)})", 1.0 if beside == call.beside else HALF)


def _words(node: ast.expr) -> tuple[str, ...]:
    """What two values have in common that are alike: what is worked with, then what is done with it, as `.strip()`."""
    called = node.func if isinstance(node, ast.Call) and not node.args else None
    done = (f".{called.attr}()",) if isinstance(called, ast.Attribute) else ()
    return (*((word,) if (word := _word(node)) else ()), *done)


def _word(node: ast.expr) -> str:
    """The name of what is worked with: `href` of `href`, `self.href`, `href.strip()` and `href[1:]`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return _word(node.value)
    called = node.func if isinstance(node, ast.Call) else None
    return _word(called.value) if isinstance(called, ast.Attribute) else ""


def _is_given(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a value is handed on whole: to a name, a call, or the caller."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or context.is_called(node):
        return False
    return isinstance(context.parent(node), ast.Assign | ast.Return | ast.Call | ast.keyword | ast.NamedExpr)


def _calls_of_two(context: TemplateContext) -> dict[str, dict[_CallOfTwo, None]]:
    """By the word of one of its values: the calls of functions of modules, or of the program, with two values."""
    found: dict[str, dict[_CallOfTwo, None]] = {}
    for node in context.program.nodes:
        if (
            isinstance(node, ast.Call)
            and len(node.args) == 2
            and not node.keywords
            and _is_function(node.func, context)
        ):
            for place, value in enumerate(node.args):
                for word in _words(value):
                    found.setdefault(word, {}).setdefault(_call_of_two(node, place, context))
    return found


def _call_of_two(node: ast.Call, place: int, context: TemplateContext) -> _CallOfTwo:
    other = node.args[1 - place]
    names = frozenset(part.id for part in ast.walk(other) if isinstance(part, ast.Name))
    return _CallOfTwo(context.text(node.func), context.text(other), place == 0, names)


def _is_function(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a call is of what the whole program knows, `join` or `os.path.join`, and not of a method."""
    if isinstance(node, ast.Attribute):
        return _is_function(node.value, context)
    return isinstance(node, ast.Name) and node.id in context.scope.globals and node.id not in PYTHON_BUILTINS


def _alike(beside: str, context: TemplateContext) -> list[str]:
    """Other attributes of the object whose last word is that of this one: `self.page_url` for `self.base_url`."""
    receiver = context.scope.receiver
    owner, _, name = beside.rpartition(".")
    if not receiver or owner != receiver:
        return []
    last = name.rpartition("_")[2]
    return [
        f"{receiver}.{each}" for each in context.scope.attributes if each != name and each.rpartition("_")[2] == last
    ]


def take_result_as_elsewhere(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`unite(i)` becomes `groups -= unite(i)`, where another line takes off what `unite` gives."""
    call = node.value
    if not isinstance(call, ast.Call):
        return
    taken: dict[str, None] = {}
    for part in context.scope.nodes:
        match part:
            case ast.AugAssign(target=target, op=op, value=ast.Call(func=function)):
                if context.text(function) == context.text(call.func):
                    taken[f"{context.text(target)} {OPERATOR_SYMBOLS[type(op)][0]}="] = None
    for begin in taken:
        yield from context.restate(node, (f"{begin} {context.text(call)}",))


TEMPLATES = (
    Template("call_as_elsewhere", _VALUES, call_as_elsewhere),
    Template("take_result_as_elsewhere", (ast.Expr,), take_result_as_elsewhere, ("larger", "smaller", "content")),
)
