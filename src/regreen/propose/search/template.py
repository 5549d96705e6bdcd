"""The shape of a template: a small generator over one syntax node, with its place in the order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from regreen.types import Edit

if TYPE_CHECKING:
    from regreen.propose.search.place import Place


class Draft(NamedTuple):
    """One change that a template suggests."""

    edits: tuple[Edit, ...]
    weight: float = 1.0
    """How likely beside the other drafts of the same template, in (0, 1]."""


Drafts = Iterator[Draft]


def here_or_everywhere(node: ast.AST, edits: Mapping[Any, Edit]) -> Drafts:
    """The same slip at several nodes of a function: undone at all of them, told once, or at this one alone."""
    if len(edits) > 1 and node is next(iter(edits)):
        yield Draft(tuple(edits.values()))
    if node in edits:
        yield Draft((edits[node],), 0.8)


@dataclass(frozen=True, slots=True)
class Template:
    """A family of slips and how to undo them."""

    name: str
    nodes: tuple[type[ast.AST], ...]
    """The kinds of syntax node that `function` is called with."""
    prior: float
    """The share of bugs that are of this family, roughly, where the program has a node of these kinds."""
    function: Callable[[Any, Place], Drafts]
    """Called with a node and its place; yields drafts, likely ones first."""
    width: float = 2.0
    """How many drafts a node typically gets: the prior is shared among them."""
    helps: tuple[str, ...] = ()
    """Symptoms and hints (see Evidence) that make the family likelier."""
