"""Special methods: equality without a hash, operators that assume an operand of their own class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import POSSIBLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function

_COMPARING = frozenset(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"))
_WITH_ANOTHER = _COMPARING | {"__add__", "__sub__", "__mul__", "__truediv__", "__radd__", "__and__", "__or__"}


def hash_of_equals(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A class with `__eq__` gets a `__hash__` of the attributes that are compared there."""
    owner = context.parent(node)
    if node.name != "__eq__" or not isinstance(owner, ast.ClassDef):
        return
    if any(isinstance(s, FUNCTIONS) and s.name == "__hash__" for s in owner.body):
        return
    own = context.scope.receiver
    read = (n for n in context.scope.nodes if isinstance(n, ast.Attribute) and n.attr != "__class__")
    names = dict.fromkeys(text for n in read if own and (text := context.text(n)) == f"{own}.{n.attr}")
    if names:
        value = ", ".join(names)
        hashed = f"({value})" if len(names) > 1 else value
        yield from context.after(node, ("", f"def __hash__({own}):", f"\treturn hash({hashed})"))


def foreign_operand(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A binary special method returns `NotImplemented` for an operand of another class."""
    owner = context.parent(node)
    if node.name not in _WITH_ANOTHER or not isinstance(owner, ast.ClassDef) or len(node.args.args) != 2:
        return
    other = node.args.args[1].arg
    for given, weight in (("NotImplemented", 1.0), ("False", POSSIBLE)):
        if given == "NotImplemented" or node.name in _COMPARING:
            lines = (f"if not isinstance({other}, {owner.name}):", f"\treturn {given}")
            yield from context.before(statements_after_docstring(node)[0], lines, weight)


TEMPLATES = (
    Template("hash_of_equals", FUNCTIONS, hash_of_equals, ("type",)),
    Template("foreign_operand", FUNCTIONS, foreign_operand, ("attribute", "type")),
)
