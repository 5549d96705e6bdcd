"""What a template is: a generator of mutations of one syntax node."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from regreen.propose.search.constants import VERY_LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.priors import TEMPLATE_PRIORS, TemplatePrior
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit


def here_or_everywhere(node: ast.AST, edits: Mapping[Any, Edit]) -> Iterator[WeightedEdits]:
    """Mutations of a slip made at several nodes: one of all of them, yielded at the first, and one of this node."""
    if len(edits) > 1 and node is next(iter(edits)):
        yield WeightedEdits(tuple(edits.values()))
    if node in edits:
        yield WeightedEdits((edits[node],), VERY_LIKELY)


@dataclass(frozen=True, slots=True)
class Template:
    """A family of slips and how to undo them."""

    name: str
    nodes: tuple[type[ast.AST], ...]
    """The kinds of syntax node that `function` takes."""
    function: Callable[[Any, TemplateContext], Iterator[WeightedEdits]]
    """Yields mutations of a node, given its context, likely ones first."""
    helps: tuple[str, ...] = ()
    """Symptoms and hints (see Clues) that make the family likelier."""

    @property
    def prior(self) -> TemplatePrior:
        """How common the family is."""
        return TEMPLATE_PRIORS[self.name]
