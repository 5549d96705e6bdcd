"""Objects that a method is handed and never asks, since it asks its own instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY, PROBABLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def ask_the_other(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.deposit(amount)` becomes `account.deposit(amount)`, where nothing reads the parameter `account`."""
    owner, receiver = node.value, context.scope.receiver
    if not receiver or not isinstance(owner, ast.Name) or owner.id != receiver:
        return
    for parameter in sorted(context.scope.unused.intersection(context.scope.parameters)):
        if context.scope.kinds.get(parameter, "") == "":
            is_changed = isinstance(node.ctx, ast.Store)
            weight = 1.0 if context.is_called(node) else PROBABLE if is_changed else LIKELY
            yield context.put(owner, parameter, weight)


TEMPLATES = (Template("ask_the_other", (ast.Attribute,), ask_the_other, ("content", "attribute")),)
