"""Methods of the program's own objects that nothing calls, and that somebody meant to be called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name


def begin_with_uncalled(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that asks `backoff = Backoff(...)` of a function around it, or of the module, begins with
    `backoff.reset()`, where nothing calls that method."""
    body = statements_after_docstring(node)
    asked = (part.value for part in context.scope.nodes if isinstance(part, ast.Attribute))
    used = {owner.id for owner in asked if isinstance(owner, ast.Name)}
    for name, kind in _made_elsewhere(context):
        for method in _uncalled(context).get(kind, ()) if name in used and body else ():
            yield from context.before(body[0], (f"{name}.{method}()",))


def end_with_uncalled(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After what is done with `parser = Parser()` comes `parser.flush()`, where nothing calls that method: at the end
    of the block, or before it is given back."""
    block = context.program.block(node)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind))):
            for method in _uncalled(context).get(kind, ()):
                line = f"{name}.{method}()"
                for statement in block[block.index(node) + 1 :]:
                    if isinstance(statement, ast.Return):
                        yield from context.before(statement, (line,))
                    else:
                        yield from context.after(statement, (line,), 1.0 if statement is block[-1] else HALF)


def _made_elsewhere(context: TemplateContext) -> Iterator[tuple[str, str]]:
    """Variable and class of objects of the program's own classes that other functions, or the module, make."""
    own = set(map(id, context.scope.nodes))
    for part in context.program.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind))) if id(part) not in own:
                yield name, kind


def _uncalled(context: TemplateContext) -> dict[str, list[str]]:
    """Class -> its methods that take nothing, whose names begin with no underscore, and that nothing calls."""
    return context.cached_of_program("uncalled methods", lambda: _found_uncalled(context))


def _found_uncalled(context: TemplateContext) -> dict[str, list[str]]:
    called = {callee_name(part) for part in context.program.nodes if isinstance(part, ast.Call)}
    found = {}
    for owner in (part for part in context.program.nodes if isinstance(part, ast.ClassDef)):
        methods = [part for part in owner.body if isinstance(part, FUNCTIONS) and not part.decorator_list]
        found[owner.name] = [
            method.name
            for method in methods
            if len(method.args.args) == 1 and method.name not in called and not method.name.startswith("_")
        ]
    return found


TEMPLATES = (
    Template("begin_with_uncalled", FUNCTIONS, begin_with_uncalled, ("content",)),
    Template("end_with_uncalled", (ast.Assign,), end_with_uncalled, ("content", "shorter")),
)
