"""The numbers that an object holds: attributes that may stand in arithmetic, and as bounds, beside one another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import MAX_NUMBERS_BESIDE
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.value_kinds import ValueKinds, hinted_kind, parameters_of
from regreen.syntax import FUNCTIONS, Function, names_within

_CONSTRUCTORS: Final = ("__init__", "__post_init__")
_COMPUTED: Final = frozenset(("property", "cached_property", "functools.cached_property"))
_NUMBER_TYPES: Final = frozenset(("int", "float", "Decimal", "Fraction", "Number", "Real", "Any"))
NUMBER_KINDS: Final = frozenset(("int", "float", ""))
"""What may be a number; the kind of most attributes is not known."""


def numbers_of(text: str, context: TemplateContext) -> tuple[str, ...]:
    """The attributes that may hold numbers, of the object with this text: those that its class defines.

    The receiver of a method has the class around it; any other object, each class of the program that defines all the
    attributes that the function reads of it. Where none does, these are taken themselves.
    """
    return context.cached(f"numbers of {text}", lambda: _numbers_of(text, context)[:MAX_NUMBERS_BESIDE])


def _numbers_of(text: str, context: TemplateContext) -> tuple[str, ...]:
    known = _reads_of(text, context)
    if text == context.scope.receiver:
        owner = context.program.class_of(context.scope.function) if context.scope.function is not None else None
        owners = [] if owner is None else [owner]
    else:
        owners = [each for each in _classes(context) if known <= _fields(each, context).keys()] if known else []
    found = {name: kind for each in owners for name, kind in _fields(each, context).items()}
    if not owners:
        found = dict.fromkeys(sorted(known), "")
    own = context.scope.function.name if context.scope.function is not None else ""
    no_numbers = context.cached("no numbers", lambda: frozenset(_used_otherwise(context.program)))
    return tuple(name for name, kind in found.items() if kind in NUMBER_KINDS and name not in {own, *no_numbers})


def never_read(context: TemplateContext) -> frozenset[str]:
    """Attributes that the program sets and never reads: as with variables, the repair often does."""
    return context.cached("never read", lambda: _never_read(context))


def _never_read(context: TemplateContext) -> frozenset[str]:
    fields = {name for each in _classes(context) for name in _fields(each, context)}
    read = {n.attr for n in context.program.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)}
    return frozenset(fields - read)


def _reads_of(text: str, context: TemplateContext) -> frozenset[str]:
    """The attributes that the function reads of an object, without its methods."""
    return frozenset(
        n.attr
        for n in context.scope.nodes
        if isinstance(n, ast.Attribute) and context.text(n.value) == text and not context.is_called(n)
    )


def _classes(context: TemplateContext) -> list[ast.ClassDef]:
    return [node for node in context.program.nodes if isinstance(node, ast.ClassDef)]


def _fields(owner: ast.ClassDef, context: TemplateContext) -> dict[str, str]:
    """The attributes of the objects of a class, computed ones too, with the kind of value that each seems to hold."""
    return context.cached(f"fields of {context.program.spans[owner][0]}", lambda: dict(_found(owner, context.program)))


def _found(owner: ast.ClassDef, program: ParsedProgram) -> Iterator[tuple[str, str]]:
    for statement in owner.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, _annotated_kind(statement.annotation)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            kind = type(statement.value.value).__name__ if isinstance(statement.value, ast.Constant) else "object"
            yield statement.targets[0].id, kind
        elif isinstance(statement, FUNCTIONS) and statement.name in _CONSTRUCTORS:
            yield from _set_by(statement, program)
        elif isinstance(statement, FUNCTIONS) and any(program.text(d) in _COMPUTED for d in statement.decorator_list):
            yield statement.name, _annotated_kind(statement.returns)


def _annotated_kind(annotation: ast.expr | None) -> str:
    """The kind of an annotation; "object" for one that speaks of no number."""
    names = names_within(annotation or ast.Pass())
    return hinted_kind(annotation) or ("" if annotation is None or names & _NUMBER_TYPES else "object")


def _set_by(constructor: Function, program: ParsedProgram) -> Iterator[tuple[str, str]]:
    """The attributes that a constructor sets; a parameter with a default is of the default's kind."""
    parameters = parameters_of(constructor)
    kinds = ValueKinds(constructor, program.below(constructor), None)
    spec = constructor.args
    late = [*spec.posonlyargs, *spec.args][-len(spec.defaults) :] if spec.defaults else []
    defaults = (*zip(late, spec.defaults, strict=True), *zip(spec.kwonlyargs, spec.kw_defaults, strict=True))
    given = {argument.arg: kinds.kind(value) for argument, value in defaults}
    for part in program.below(constructor):
        targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
        if not isinstance(part, ast.Assign | ast.AnnAssign) or not isinstance(targets[0], ast.Attribute):
            continue
        holder, value = targets[0].value, part.value
        if isinstance(holder, ast.Name) and parameters and holder.id == parameters[0].arg:
            taken = given.get(value.id, "") if isinstance(value, ast.Name) else ""
            yield targets[0].attr, kinds.kind(value) or taken


def _used_otherwise(program: ParsedProgram) -> Iterator[str]:
    """Attributes that are used as no number is: with attributes of their own, indexed, iterated over or looked into."""
    for node in program.nodes:
        if isinstance(node, ast.Attribute) and _is_container(node, program.parents[node]):
            yield node.attr


def _is_container(node: ast.Attribute, parent: ast.AST) -> bool:
    if isinstance(parent, ast.Subscript):
        return parent.value is node
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is node
    if isinstance(parent, ast.Compare):
        return parent.left is not node and isinstance(parent.ops[0], ast.In | ast.NotIn)
    return isinstance(parent, ast.Attribute)
