"""Descriptors: what one keeps on itself is shared by all objects of the class that it stands in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import ATOM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function


def keep_on_object(node: ast.ClassDef, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.value` in `__get__` and `__set__` becomes `instance.__dict__[self.name]`, where `__set_name__` keeps the
    name."""
    methods = {part.name: part for part in node.body if isinstance(part, FUNCTIONS)}
    setter = methods.get("__set__")
    name = _kept_name(methods.get("__set_name__"))
    if setter is None or not name or len(setter.args.args) != 3:
        return
    for kept in dict.fromkeys(_kept_on_itself(setter)):
        edits = []
        for method in (methods[each] for each in ("__get__", "__set__", "__delete__") if each in methods):
            itself, owner, *_ = (*(argument.arg for argument in method.args.args), "", "")
            place = Expression(f"{owner}.__dict__[{itself}.{name}]", ATOM)
            for part in context.program.below(method) if owner else ():
                if isinstance(part, ast.Attribute) and context.text(part) == f"{itself}.{kept}":
                    edits.append(context.edit(part, place))
        yield WeightedEdits(tuple(edits))


def _kept_name(method: Function | None) -> str:
    """The attribute in which `__set_name__` keeps the name; empty where there is none."""
    given = method.args.args[-1].arg if method is not None and method.args.args else ""
    for statement in method.body if method is not None else ():
        match statement:
            case ast.Assign(targets=[ast.Attribute(attr=kept)], value=ast.Name(id=name)) if name == given:
                return kept
    return ""


def _kept_on_itself(setter: Function) -> Iterator[str]:
    """The attributes of the descriptor itself that are set to the value."""
    itself, _, value = (argument.arg for argument in setter.args.args)
    for part in ast.walk(setter):
        match part:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=kept)], value=ast.Name(id=given)):
                if owner == itself and given == value:
                    yield kept


TEMPLATES = (Template("keep_on_object", (ast.ClassDef,), keep_on_object, ("content", "attribute")),)
