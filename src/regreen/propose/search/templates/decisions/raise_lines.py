"""How a program raises the exceptions that its checks or its prose name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import MAX_COPIED_CHARACTERS, MAX_EXCEPTIONS
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within


def raise_lines(context: TemplateContext) -> tuple[str, ...]:
    """`raise ValueError`, `raise Closed(self.item)`: bare, or with what the program's own class asks for.

    Of exceptions that failing checks waited for in vain alone, where there are any.
    """
    return context.cached("raise lines", lambda: tuple(dict.fromkeys(_raise_lines(context))))


def copied_raises(name: str, context: TemplateContext) -> Iterator[str]:
    """The `raise name(...)` of other places that say nothing but what is known here, too."""
    for raised, line, names in context.cached_of_program("raised", lambda: list(_raised(context))):
        if raised == name and names <= context.scope.visible:
            yield line


def _raise_lines(context: TemplateContext) -> Iterator[str]:
    constructors = context.cached_of_program("own constructors", lambda: _constructors(context))
    for name in (context.clues.not_raised or context.clues.exceptions)[:MAX_EXCEPTIONS]:
        if wanted := constructors.get(name, ()):
            yield from copied_raises(name, context)
            yield f"raise {name}({', '.join(_arguments(wanted, context))})"
        else:
            yield f"raise {name}"


def _raised(context: TemplateContext) -> Iterator[tuple[str, str, set[str]]]:
    """Of each `raise E(...)` of the program: the class, the text, and the names in it."""
    for part in context.program.nodes:
        if isinstance(part, ast.Raise) and isinstance(part.exc, ast.Call) and isinstance(part.exc.func, ast.Name):
            text = context.text(part)
            if len(text) <= MAX_COPIED_CHARACTERS and "\n" not in text:
                yield part.exc.func.id, text, names_within(part)


def _constructors(context: TemplateContext) -> dict[str, tuple[str, ...]]:
    """By class of the program: the parameters that its constructor, or that of its parent, cannot do without."""
    classes = {part.name: part for part in context.program.nodes if isinstance(part, ast.ClassDef)}
    found: dict[str, tuple[str, ...]] = {}
    for name, owner in classes.items():
        parents = (classes[base.id] for base in owner.bases if isinstance(base, ast.Name) and base.id in classes)
        for one in (owner, *parents):
            own = next((s for s in one.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
            if own is not None:
                given = own.args.args[1 : len(own.args.args) - len(own.args.defaults)]
                found[name] = tuple(argument.arg for argument in given)
                break
    return found


def _arguments(wanted: tuple[str, ...], context: TemplateContext) -> Iterator[str]:
    """What this function has for each parameter: a variable or an attribute of that name, or else one of its own."""
    scope = context.scope
    own = [name for name in scope.parameters if name != scope.receiver and name not in wanted]
    for name in wanted:
        if name in scope.parameters:
            yield name
        elif name in scope.attributes:
            yield f"{scope.receiver}.{name}"
        elif name in scope.locals:
            yield name
        else:
            yield own.pop(0) if own else repr(name)
