"""Slips of items in an order: indices, lengths, sorting, how often an item counts."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.sequences import (
    added_up,
    amounts_of_each,
    asked_by_key,
    differences_as_places,
    entries_meant,
    filled_by_place,
    further_members,
    indices,
    items_of_lists,
    lengths,
    lengths_that_differ,
    multiplicity,
    one_of_equals,
    pairs_of_items,
    sorting,
    sorting_by_fields,
    ties,
    values_and_containers,
    whole_tables,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *values_and_containers.TEMPLATES,
    *items_of_lists.TEMPLATES,
    *filled_by_place.TEMPLATES,
    *multiplicity.TEMPLATES,
    *added_up.TEMPLATES,
    *asked_by_key.TEMPLATES,
    *sorting.TEMPLATES,
    *ties.TEMPLATES,
    *sorting_by_fields.TEMPLATES,
    *indices.TEMPLATES,
    *entries_meant.TEMPLATES,
    *differences_as_places.TEMPLATES,
    *lengths.TEMPLATES,
    *further_members.TEMPLATES,
    *whole_tables.TEMPLATES,
    *one_of_equals.TEMPLATES,
    *amounts_of_each.TEMPLATES,
    *pairs_of_items.TEMPLATES,
    *lengths_that_differ.TEMPLATES,
)

__all__ = ["TEMPLATES"]
