"""The data sets that are known by name, and how a part of one is chosen."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from regreen.errors import TaskError
from regreen.tasks import bundled, humanevalfix, impossible
from regreen.tasks.reader import SuiteReader
from regreen.types import Case, Suite, SuiteKind

Only = Collection[str] | None
"""Ids that will be used; a loader may pass over all others."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a data set is to be read from."""

    path: Path | None = None
    """A file, for data sets that do not come with the package."""
    extra: Path | None = None
    """A file of further checks, which decide `robust`."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cases to take: those with the ids and labels, then `limit` of them from `offset` on."""

    ids: tuple[str, ...] = ()
    """Full ids or their endings after a "/", e.g. "bundled/median" or "median"; all cases when empty."""
    filters: tuple[str, ...] = ()
    """Each "label=value"; values of one label are alternatives, different labels must all hold."""
    offset: int = 0
    limit: int | None = None

    def apply(self, cases: tuple[Case, ...]) -> tuple[Case, ...]:
        """The chosen cases in the data set's order. Raises TaskError for an unknown id, label or value, or no cases."""
        self._refuse_negative()
        chosen = _with_ids(cases, self.ids) if self.ids else cases
        for label, values in _wanted(self.filters, cases).items():
            chosen = tuple(case for case in chosen if case.labels.get(label) in values)
        end = None if self.limit is None else self.offset + self.limit
        if part := chosen[self.offset : end]:
            return part
        raise TaskError(
            f"no case is left: {len(chosen)} of {len(cases)} match, and --offset passes over {self.offset}.",
            remedy="Choose fewer filters or a smaller --offset.",
        )

    def _refuse_negative(self) -> None:
        if self.offset < 0 or (self.limit is not None and self.limit < 1):
            raise TaskError(
                f"--offset {self.offset} and --limit {self.limit} choose nothing.",
                remedy="An offset counts from 0 and a limit from 1.",
            )


EVERYTHING = Selection()


def load_dataset(
    name: str, reader: SuiteReader, *, origin: Origin | None = None, selection: Selection = EVERYTHING
) -> tuple[Case, ...]:
    """The chosen cases of a data set. Raises TaskError when the name, a file or the selection is of no use."""
    loader = DATASETS.get(name)
    if loader is None:
        close = difflib.get_close_matches(name, DATASETS, n=1)
        question = f"Did you mean {close[0]}? " if close else ""
        raise TaskError(f"there is no data set {name!r}.", remedy=f"{question}Known are: {', '.join(DATASETS)}.")
    origin = origin or Origin()
    if selection == EVERYTHING:
        return loader(reader, origin, None)
    # Reading checks takes most of the time, so what is not chosen is left unread.
    chosen = {case.task.id for case in selection.apply(loader(_unread, origin, None))}
    return tuple(case for case in loader(reader, origin, chosen) if case.task.id in chosen)


def _unread(text: str, *, program: str, module: str, entry_point: str | None, origin: str = "<tests>") -> Suite:
    """Stands in for a reader where only ids and labels are looked at."""
    return Suite(SuiteKind.SCRIPT, text, ())


def _bundled(reader: SuiteReader, origin: Origin, only: Only) -> tuple[Case, ...]:
    _refuse_files("bundled", origin)
    return bundled.load(reader)


def _impossible(reader: SuiteReader, origin: Origin, only: Only) -> tuple[Case, ...]:
    _refuse_files("impossible", origin)
    return impossible.load(reader)


def _humanevalfix(reader: SuiteReader, origin: Origin, only: Only) -> tuple[Case, ...]:
    if origin.path is None:
        raise TaskError(
            "humanevalfix does not come with this package.",
            remedy="Pass --dataset-path FILE: the published JSON lines of bigcode/humanevalpack, Python part.",
        )
    return humanevalfix.load(origin.path, reader, extra=origin.extra, only=only)


DATASETS: Mapping[str, Callable[[SuiteReader, Origin, Only], tuple[Case, ...]]] = {
    "bundled": _bundled,
    "impossible": _impossible,
    "humanevalfix": _humanevalfix,
}


def _refuse_files(name: str, origin: Origin) -> None:
    if origin.path or origin.extra:
        raise TaskError(
            f"{name} comes with the package and takes no files.", remedy="Leave out --dataset-path and --extra-checks."
        )


def _with_ids(cases: tuple[Case, ...], ids: tuple[str, ...]) -> tuple[Case, ...]:
    names = {case.task.id: case for case in cases}
    wanted = {_full_id(name, names) for name in ids}
    return tuple(case for case in cases if case.task.id in wanted)


def _full_id(name: str, known: Mapping[str, Case]) -> str:
    if name in known:
        return name
    endings = [full for full in known if full.endswith(f"/{name}")]
    if len(endings) == 1:
        return endings[0]
    if endings:
        raise TaskError(
            f"the id {name!r} is that of several cases: {', '.join(endings[:5])}.", remedy="Write it in full."
        )
    tails = {full.partition("/")[2]: full for full in known}
    close = [tails.get(match, match) for match in difflib.get_close_matches(name, [*known, *tails], n=3)]
    question = (
        f"Did you mean {' or '.join(dict.fromkeys(close))}?" if close else f"Ids look like {next(iter(known), '')}."
    )
    raise TaskError(f"there is no case {name!r}.", remedy=question)


def _wanted(filters: tuple[str, ...], cases: tuple[Case, ...]) -> dict[str, set[str]]:
    """Accepted values by label."""
    wanted: dict[str, set[str]] = {}
    for text in filters:
        label, equals, value = (part.strip() for part in text.partition("="))
        values = sorted({case.labels[label] for case in cases if label in case.labels})
        if not equals or not values:
            labels = sorted({name for case in cases for name in case.labels})
            raise TaskError(
                f"the filter {text!r} names no label.", remedy=f"Write LABEL=VALUE with one of: {', '.join(labels)}."
            )
        if value not in values:
            raise TaskError(f"no case has {label}={value}.", remedy=f"There are: {', '.join(values[:40])}.")
        wanted.setdefault(label, set()).add(value)
    return wanted
