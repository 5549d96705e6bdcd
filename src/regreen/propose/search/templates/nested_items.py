"""Methods of nested objects that should ask the items in them what they are asked themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, UNLIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp)


def ask_items(node: ast.ListComp | ast.GeneratorExp | ast.SetComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In `def size(self)`, `sum(part.own for part in self.parts)` becomes `sum(part.size() for part in self.parts)`."""
    function, loop = context.scope.function, node.generators[0]
    if function is None or not context.scope.receiver or len(node.generators) > 1:
        return
    if not isinstance(loop.iter, ast.Attribute | ast.Call) or not isinstance(loop.target, ast.Name):
        return
    required = len(context.scope.parameters) - len(function.args.defaults) - 1
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call))
    if required > 0 or any(callee_name(call) == function.name for call in calls):
        return
    is_property = any(isinstance(d, ast.Name) and d.id.endswith("property") for d in function.decorator_list)
    asked = f"{loop.target.id}.{function.name}" + ("" if is_property else "()")
    for part, weight in ((node.elt, 1.0), *((test, HALF) for test in loop.ifs)):
        yield context.put(part, asked, weight)
        yield context.put(part, f"not {asked}", weight * UNLIKELY)


TEMPLATES = (Template("ask_items", _COMPREHENSIONS, ask_items, ("shorter", "content")),)
