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


TEMPLATES = (Template("widen_type", (ast.Call,), widen_type, ("kind", "type", "content")),)
