"""The shape of a template: a small generator over one syntax node, with its place in the order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit


def here_or_everywhere(node: ast.AST, edits: Mapping[Any, Edit]) -> Iterator[WeightedEdits]:
    """The same slip at several nodes of a function: undone at all of them, told once, or at this one alone."""
    if len(edits) > 1 and node is next(iter(edits)):
        yield WeightedEdits(tuple(edits.values()))
    if node in edits:
        yield WeightedEdits((edits[node],), 0.8)


@dataclass(frozen=True, slots=True)
class Template:
    """A family of slips and how to undo them."""

    name: str
    nodes: tuple[type[ast.AST], ...]
    """The kinds of syntax node that `function` is called with."""
    prior: float
    """The share of bugs that are of this family, roughly, where the program has a node of these kinds."""
    function: Callable[[Any, TemplateContext], Iterator[WeightedEdits]]
    """Called with a node and its place; yields mutations, likely ones first."""
    width: float = 2.0
    """How many mutations a node typically gets: the prior is shared among them."""
    helps: tuple[str, ...] = ()
    """Symptoms and hints (see Clues) that make the family likelier."""
