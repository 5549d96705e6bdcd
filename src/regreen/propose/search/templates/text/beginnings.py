"""Beginnings of texts that may end within a word or a path; numbers that should be the length of another text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, PROBABLE, SLOW_DECLINE
from regreen.propose.search.expressions import Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within, whole_number

_SEPARATORS = ("/", ".", ":", "-", "_", " ", "::")


def end_beginning(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tag.startswith(root)` becomes `tag == root or tag.startswith(root + "/")`: a part is whole, or no part."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "startswith" or len(node.args) != 1:
        return
    text, begun = context.text(node.func.value), node.args[0]
    if not isinstance(begun, ast.Name | ast.Attribute):
        return
    name = context.text(begun)
    for rank, mark in enumerate(context.cached_of_program("marks of parts", lambda: _marks_of_parts(context))):
        weight = 1.0 - SLOW_DECLINE * rank
        further = Expression(f"{text}.startswith({name} + {mark})")
        yield context.put(node, bool_operation(Expression(f"{text} == {name}"), "or", further), weight)
        yield context.put(node, further, weight * PROBABLE)


def _marks_of_parts(context: TemplateContext) -> tuple[str, ...]:
    """What may stand between parts of a text, as source: what the program has among its texts first."""
    source = context.program.source
    known = [mark for mark in _SEPARATORS if re.search(rf"""(["']){re.escape(mark)}\1""", source)]
    of_paths = ["os.sep"] if re.search(r"^import os\b", source, re.MULTILINE) else []
    return (*(f'"{mark}"' for mark in known), *of_paths, *(f'"{m}"' for m in _SEPARATORS if m not in known))


def length_for_number(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(marks) >= 3` becomes `len(marks) >= len(fence)`: a number that holds for one length alone."""
    compared = context.parent(node)
    if (whole_number(node) or 0) < 1 or not isinstance(compared, ast.Compare | ast.Slice | ast.BinOp):
        return
    texts = names_within(compared)
    for name in context.scope.parameters:
        if name != context.scope.receiver and name not in texts and context.scope.kinds.get(name, "") in _SIZED:
            yield context.put(node, f"len({name})", 1.0 if isinstance(compared, ast.Compare) else HALF)


_SIZED = frozenset(("", "str", "list", "tuple", "set", "dict", "bytes"))

TEMPLATES = (
    Template("end_beginning", (ast.Call,), end_beginning, ("longer", "negated")),
    Template("length_for_number", (ast.Constant,), length_for_number),
)
