"""Of which kinds a condition wants a value to be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def widen_type(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`isinstance(x, list)` becomes `isinstance(x, (list, tuple))`; kinds that the failures name come first."""
    if context.text(node.func) != "isinstance" or len(node.args) != 2:
        return
    asked = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else node.args[1:]
    kinds = [context.text(one) for one in asked]
    told = [kind for kind in _KINDS if re.search(rf"\b{kind}\b", context.clues.details)]
    for other in dict.fromkeys((*told, *(other for kind in kinds for other in _WIDER.get(kind, ())))):
        if other not in kinds:
            yield context.put(node.args[1], f"({', '.join((*kinds, other))})", 1.0 if other in told else LIKELY)


_KINDS = ("bytearray", "memoryview", "bytes", "str", "list", "tuple", "frozenset", "set", "dict", "slice", "range")
_WIDER = {
    "list": ("tuple", "set"),
    "tuple": ("list",),
    "int": ("float", "slice", "bool"),
    "float": ("int", "bool"),
    "str": ("bytes",),
    "bytes": ("bytearray", "str"),
    "set": ("frozenset", "list"),
    "dict": ("list",),
}


def kind_in_classes(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`kind in self.kinds` becomes `issubclass(kind, self.kinds)`, of classes: those below one of them count, too."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.Is | ast.Eq):
        return
    one, kinds = context.text(node.left), context.text(node.comparators[0])
    if _OF_CLASSES.search(one) and _OF_CLASSES.search(kinds):
        yield context.put(node, f"issubclass({one}, {kinds})")
        if isinstance(node.ops[0], ast.In):
            yield context.put(node, f"issubclass({one}, tuple({kinds}))", LIKELY)


_OF_CLASSES = re.compile(r"kind|type|class|cls|exc|error", re.IGNORECASE)


TEMPLATES = (
    Template("kind_in_classes", (ast.Compare,), kind_in_classes, ("negated", "kind")),
    Template("widen_type", (ast.Call,), widen_type, ("kind", "type", "content")),
)
