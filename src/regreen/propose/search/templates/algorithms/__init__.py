"""Slips of well-known ways to a result: walks of graphs, grids, tables of results, idioms."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.algorithms import (
    disjoint_sets,
    ends_of_searches,
    first_entries,
    games,
    graph_walks,
    greed,
    grid_bounds,
    grid_steps,
    groups,
    heaps,
    idioms,
    linked_lists,
    lost_steps,
    path_lengths,
    prefix_tables,
    rows_of_tables,
    stacks,
    states,
    tables_of_results,
    trees,
    value_tables,
    windows,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *tables_of_results.TEMPLATES,
    *first_entries.TEMPLATES,
    *value_tables.TEMPLATES,
    *greed.TEMPLATES,
    *games.TEMPLATES,
    *grid_steps.TEMPLATES,
    *grid_bounds.TEMPLATES,
    *idioms.TEMPLATES,
    *groups.TEMPLATES,
    *trees.TEMPLATES,
    *linked_lists.TEMPLATES,
    *windows.TEMPLATES,
    *states.TEMPLATES,
    *rows_of_tables.TEMPLATES,
    *prefix_tables.TEMPLATES,
    *heaps.TEMPLATES,
    *stacks.TEMPLATES,
    *graph_walks.TEMPLATES,
    *disjoint_sets.TEMPLATES,
    *path_lengths.TEMPLATES,
    *lost_steps.TEMPLATES,
    *ends_of_searches.TEMPLATES,
)

__all__ = ["TEMPLATES"]
