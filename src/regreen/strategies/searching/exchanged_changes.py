"""Repairs of two changes, with another first one that had won the same checks: which of them is meant, both decide.

A search goes on from the first change that wins checks, and that may be `range(n + 1)` where `range(n)` wins them too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from regreen.propose.search.mutation import Mutation, are_apart, edit_position
from regreen.types import Edit

_MOST = 120
"""Repairs that are made in all."""


def exchanged_repairs(
    source: str, plausible: Sequence[Mutation], as_good: Mapping[frozenset[str], Sequence[Mutation]]
) -> list[Mutation]:
    """Each repair that holds one of several changes which won the same checks, with the others in its place."""
    known = {repair.edits for repair in plausible}
    found: dict[tuple[Edit, ...], Mutation] = {}
    for made in _exchanged(source, plausible, as_good):
        if made.edits not in known:
            found.setdefault(made.edits, made)
    return list(islice(found.values(), _MOST))


def _exchanged(
    source: str, plausible: Sequence[Mutation], as_good: Mapping[frozenset[str], Sequence[Mutation]]
) -> Iterator[Mutation]:
    for repair in plausible:
        held = set(repair.edits)
        for group in as_good.values():
            for first in (change for change in group if held > set(change.edits)):
                rest = [edit for edit in repair.edits if edit not in first.edits]
                for other in group:
                    is_as_small = len(other.edits) <= len(first.edits)
                    if other is not first and is_as_small and are_apart(other.edits, rest):
                        yield _with_other(source, repair, first, other, rest)


def _with_other(source: str, repair: Mutation, first: Mutation, other: Mutation, rest: Sequence[Edit]) -> Mutation:
    edits = tuple(sorted((*other.edits, *rest), key=edit_position))
    line = source.count("\n", 0, edits[0].start) + 1
    name = "+".join((other.template, repair.template.removeprefix(f"{first.template}+")))
    return Mutation(edits, name, repair.score * other.score / first.score, line, source)
