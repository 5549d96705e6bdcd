"""What a shell completes: names from the tables of strategies, data sets and choices of settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def from_names(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Completes to those of the names that begin with what was typed."""
    known = tuple(names)
    return lambda incomplete: [name for name in known if name.startswith(incomplete)]


def dataset_names(incomplete: str) -> list[str]:
    """The data sets that are known by name and begin with what was typed."""
    from regreen.tasks.catalogue import DATASETS

    return from_names(DATASETS)(incomplete)
