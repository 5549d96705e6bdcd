"""The data sets that are known by name: where each comes from, and how it is read."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from regreen.errors import TaskError
from regreen.tasks import harbor, humanevalfix, quixbugs, task_file
from regreen.tasks.dataset import LoadedDataset, SuiteReader
from regreen.tasks.extra_checks import add_extra_checks
from regreen.tasks.selection import EVERYTHING, Selection
from regreen.tasks.shipped import load_bundled, load_impossible
from regreen.types import Case, Suite, SuiteKind

__all__ = [
    "DATASETS",
    "DatasetEntry",
    "DatasetFiles",
    "LoadedDataset",
    "Selection",
    "available_case_count",
    "load_dataset",
    "read_dataset",
    "split_dataset",
    "task_ids",
]

_WantedIds = Collection[str] | None
"""Ids of the cases to load; a loader may skip all others. None for all."""
_DatasetLoader = Callable[[Path | None, SuiteReader, _WantedIds], LoadedDataset]


@dataclass(frozen=True, slots=True)
class DatasetFiles:
    """Where a data set is to be read from."""

    path: Path | None = None
    """A file or folder, for data sets that do not come with the package."""
    extra: Path | None = None
    """A file of further checks, which decide `robust`."""


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """A data set that is known by name."""

    about: str
    source: str
    """Where the data set comes from, in words."""
    load: _DatasetLoader
    ships: bool = False
    """Whether the data set comes with the package."""
    needs: str = ""
    """What its path has to be, e.g. "a file of tasks"; "" where it needs no path."""
    cached: Callable[[], Path | None] = lambda: None
    """Gives the copy of a fetched data set on this machine; None where there is none."""


def load_dataset(
    name: str, reader: SuiteReader, *, files: DatasetFiles | None = None, selection: Selection = EVERYTHING
) -> tuple[Case, ...]:
    """The chosen cases of a data set. Raises TaskError when the name, a file or the selection is of no use."""
    return read_dataset(name, reader, files=files, selection=selection).cases


def read_dataset(
    name: str, reader: SuiteReader, *, files: DatasetFiles | None = None, selection: Selection = EVERYTHING
) -> LoadedDataset:
    """As `load_dataset`, with the tasks that could not become a case.

    A path may stand in the name: "samples:FILE" is `samples` with FILE as its path.
    """
    name, path = split_dataset(name, files or DatasetFiles())
    entry = _entry(name)
    if entry.needs and path is None:
        raise TaskError(f"{name} is read from {entry.needs}.", remedy=f"Pass it: {name}:PATH, or --dataset-path PATH.")
    # Reading checks takes most of the time, so only those of chosen cases are read.
    everything = entry.load(path, _read_nothing, None) if selection != EVERYTHING or (files and files.extra) else None
    chosen = None if everything is None else {case.task.id for case in selection.apply(everything.cases)}
    loaded = entry.load(path, reader, chosen)
    cases = tuple(case for case in loaded.cases if chosen is None or case.task.id in chosen)
    if files and files.extra and everything:
        known = {case.task.id for case in everything.cases}
        cases = add_extra_checks(cases, files.extra, reader, dataset=name, known=known)
    return replace(loaded if everything is None else everything, cases=cases)


def task_ids(name: str, files: DatasetFiles | None = None) -> tuple[str, ...]:
    """The ids of a data set, in its order. Raises TaskError as `load_dataset` does."""
    return tuple(case.task.id for case in load_dataset(name, _read_nothing, files=files))


def available_case_count(name: str, files: DatasetFiles | None = None) -> int | None:
    """Number of cases of a data set; None where it would have to be fetched, or needs a path, first."""
    entry = _entry(name)
    is_here = bool(files and files.path) or entry.ships
    return len(task_ids(name, files)) if is_here else None


def split_dataset(name: str, files: DatasetFiles) -> tuple[str, Path | None]:
    """The name of a data set by itself, and its path from the name ("samples:FILE") or from `files`.

    Raises TaskError where both name one, or the name ends with its colon.
    """
    name, colon, inside = name.partition(":")
    if colon and not inside:
        raise TaskError(f"{name}: names no path.", remedy=f"Write {name}:PATH.")
    if colon and files.path is not None:
        raise TaskError(f"{name}:{inside} and --dataset-path name two paths.", remedy="Leave out one of them.")
    return name, Path(inside) if colon else files.path


def _entry(name: str) -> DatasetEntry:
    if entry := DATASETS.get(name):
        return entry
    close = difflib.get_close_matches(name, DATASETS, n=1)
    question = f"Did you mean {close[0]}? " if close else ""
    raise TaskError(f"there is no data set {name!r}.", remedy=f"{question}Known are: {', '.join(DATASETS)}.")


def _read_nothing(text: str, *, program: str, module: str, entry_point: str | None, origin: str = "<tests>") -> Suite:
    """A reader that reads nothing: enough where only ids and labels are needed."""
    return Suite(SuiteKind.SCRIPT, text, ())


def _bundled(path: Path | None, reader: SuiteReader, only: _WantedIds) -> LoadedDataset:
    _refuse_path("bundled", path)
    return LoadedDataset(load_bundled(reader, only=only))


def _impossible(path: Path | None, reader: SuiteReader, only: _WantedIds) -> LoadedDataset:
    _refuse_path("impossible", path)
    return LoadedDataset(load_impossible(reader, only=only))


def _humanevalfix(path: Path | None, reader: SuiteReader, only: _WantedIds) -> LoadedDataset:
    return LoadedDataset(humanevalfix.load(path or humanevalfix.PUBLISHED.fetched(), reader, only=only))


def _quixbugs(path: Path | None, reader: SuiteReader, only: _WantedIds) -> LoadedDataset:
    assert path is not None
    return quixbugs.load(path, reader, only=only)


def _samples(path: Path | None, reader: SuiteReader, only: _WantedIds) -> LoadedDataset:
    assert path is not None
    return LoadedDataset(task_file.load(path, reader, only=only))


def _harbor(path: Path | None, reader: SuiteReader, only: _WantedIds) -> LoadedDataset:
    assert path is not None
    return harbor.load(path, reader, only=only)


def _refuse_path(name: str, path: Path | None) -> None:
    if path is not None:
        raise TaskError(f"{name} comes with the package and takes no path.", remedy="Leave it out.")


DATASETS: Mapping[str, DatasetEntry] = {
    "bundled": DatasetEntry(
        "everyday functions with one or two bugs planted in each", "comes with the package", _bundled, ships=True
    ),
    "impossible": DatasetEntry(
        "tasks that contradict themselves: no pass is honest", "comes with the package", _impossible, ships=True
    ),
    "humanevalfix": DatasetEntry(
        "HumanEvalFix, Python: functions with a bug each (OctoPack)",
        f"Hugging Face, {humanevalfix.PUBLISHED.repository}; or --dataset-path FILE",
        _humanevalfix,
        cached=humanevalfix.PUBLISHED.cached,
    ),
    "quixbugs": DatasetEntry(
        "QuixBugs, Python: classic algorithms with a bug in one line",
        "quixbugs:DIR, a clone of the upstream repository",
        _quixbugs,
        needs="a clone of its repository",
    ),
    "samples": DatasetEntry(
        "your own tasks, a row each", "samples:FILE, JSON lines or parquet", _samples, needs="a file of tasks"
    ),
    "harbor": DatasetEntry(
        "Harbor tasks that repair one Python module",
        "harbor:DIR, a folder of Harbor tasks",
        _harbor,
        needs="a folder of tasks",
    ),
}
