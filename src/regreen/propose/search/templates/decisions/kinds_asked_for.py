"""Of which kinds a condition wants a value to be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import COMPARISON, Expression, bool_operation
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


def truth_is_no_number(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`old == new` becomes `isinstance(old, bool) == isinstance(new, bool) and old == new`: to Python, True is 1."""
    sides = (node.left, node.comparators[0])
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return
    if all(isinstance(side, ast.Name) for side in sides) and _has_truths(context):
        one, other = map(context.text, sides)
        sign, word = ("==", "and") if isinstance(node.ops[0], ast.Eq) else ("!=", "or")
        alike = Expression(f"isinstance({one}, bool) {sign} isinstance({other}, bool)", COMPARISON)
        yield context.put(node, bool_operation(alike, word, context.expression(node)))


def _has_truths(context: TemplateContext) -> bool:
    """Whether the prose, or the program, tells truths from numbers."""
    return re.search(r"\b(?:bools?|booleans?|true|false)\b", context.clues.prose + context.program.source) is not None


def ask_by_unread_pattern(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cell.isdigit()` becomes `NUMBER.fullmatch(cell)` for a pattern of the module that nothing reads."""
    match node:
        case ast.Call(func=ast.Attribute(value=asked, attr=method), args=[]) if method.startswith("is"):
            for name in context.cached_of_program("patterns that nothing reads", lambda: _unread_patterns(context)):
                yield context.put(node, f"{name}.fullmatch({context.text(asked)})")


def _unread_patterns(context: TemplateContext) -> list[str]:
    """The compiled patterns of the module that nothing reads."""
    made = (part for part in context.program.tree.body if isinstance(part, ast.Assign))
    names = (context.text(part.targets[0]) for part in made if context.text(part.value).startswith("re.compile("))
    return [name for name in names if name not in context.program.names_read]


TEMPLATES = (
    Template("ask_by_unread_pattern", (ast.Call,), ask_by_unread_pattern, ("content", "negated")),
    Template("truth_is_no_number", (ast.Compare,), truth_is_no_number, ("content", "negated")),
    Template("kind_in_classes", (ast.Compare,), kind_in_classes, ("negated", "kind")),
    Template("widen_type", (ast.Call,), widen_type, ("kind", "type", "content")),
)
