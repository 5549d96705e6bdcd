"""Which functions and files of a project to suspect, from what each test ran, what was raised, and what is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from regreen.localise.spectrum import ochiai
from regreen.types import SuspectFunction

_TRACE_WEIGHT = 0.5
_RECENT_WEIGHT = 0.3
"""Weights of tracebacks and of recent changes, relative to coverage, which has weight 1."""
_PASSED_THROUGH = 0.5
"""Suspicion by its traceback of a function that an error came through, where the one that raised it has 1."""
_IMPORTED_SHARE = 0.4
"""Suspicion of a module's own statements, as a share of that of the most suspicious function of whoever imports it."""
_CONCENTRATION = 2
"""The chance of a file grows with this power of the suspicion of its most suspicious function."""
_LEAST_CHANCE = 0.01
MODULE_LEVEL = "<module>"
"""The name of a module's own statements, as Python has it in tracebacks."""


@dataclass(frozen=True, slots=True)
class FunctionPlace:
    """A function of the project."""

    path: str
    name: str
    line: int


@dataclass(frozen=True)
class ProjectEvidence:
    """What is known of the runs of a project's tests."""

    functions: Mapping[int, FunctionPlace]
    ran: Mapping[str, frozenset[int]]
    """Test -> numbers of the functions that it ran."""
    red: Collection[str]
    frames: Mapping[str, Sequence[tuple[str, str, int]]]
    """Red test -> path, function and line of the frames of what it raised, the innermost last."""
    programs: Collection[str]
    """Paths of the modules that may be changed."""
    recent: Mapping[str, Collection[int]] = field(default_factory=dict)
    """Path -> lines that were changed lately."""
    imports: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Path of a module or a file of tests -> paths of the modules that it imports."""
    tests: Mapping[str, str] = field(default_factory=dict)
    """Red test -> path of its file."""


def suspect_functions(evidence: ProjectEvidence) -> tuple[SuspectFunction, ...]:
    """The functions to suspect, the most suspicious first; a module's own statements count as one function."""
    found = [*_entered(evidence), *_raising_modules(evidence)]
    return tuple(
        sorted([*found, *_imported(evidence, found)], key=lambda each: (-each.suspicion, each.path, each.line))
    )


def _entered(evidence: ProjectEvidence) -> Iterator[SuspectFunction]:
    """Functions that red tests ran, by Ochiai's formula, tracebacks and recent changes together."""
    passed = frozenset(test for test in evidence.ran if test not in evidence.red)
    scores = ochiai(evidence.ran, passed)
    trace_scores = _traced(evidence)
    scale = 1.0 + (_TRACE_WEIGHT if trace_scores else 0.0) + (_RECENT_WEIGHT if evidence.recent else 0.0)
    ends = _ends(evidence)
    reds = [ran for test, ran in evidence.ran.items() if test in evidence.red]
    scripts = _scripts(evidence)
    for number, score in scores.items():
        place = evidence.functions[number]
        if not score or place.path not in evidence.programs or (place.name == MODULE_LEVEL and number not in scripts):
            continue
        traced = trace_scores.get((place.path, place.name.rpartition(".")[2]), 0.0)
        is_recent = any(place.line <= line < ends[number] for line in evidence.recent.get(place.path, ()))
        total = (score + _TRACE_WEIGHT * traced + _RECENT_WEIGHT * is_recent) / scale
        runs = sum(number in ran for ran in reds)
        reason = f"run by {runs} of {len(reds)} red tests"
        reason += ", in the traceback" if traced else ""
        reason += ", changed lately" if is_recent else ""
        yield SuspectFunction(place.path, place.name, place.line, round(total, 6), reason)


def _scripts(evidence: ProjectEvidence) -> set[int]:
    """The modules whose own statements ran as a program's: in several tests, or with nothing else of their file."""
    runs = Counter(chain.from_iterable(evidence.ran.values()))
    others = {place.path for number, place in evidence.functions.items() if place.name != MODULE_LEVEL and runs[number]}
    return {
        number
        for number, place in evidence.functions.items()
        if place.name == MODULE_LEVEL and (runs[number] > 1 or place.path not in others)
    }


def _ends(evidence: ProjectEvidence) -> dict[int, int]:
    """Number of a function -> the line where the next one of its file begins: none is known to reach further."""
    by_file: dict[str, list[int]] = {}
    for place in evidence.functions.values():
        by_file.setdefault(place.path, []).append(place.line)
    starts = {path: sorted(set(lines)) for path, lines in by_file.items()}
    return {
        number: next((line for line in starts[place.path] if line > place.line), 1 << 30)
        for number, place in evidence.functions.items()
    }


def _traced(evidence: ProjectEvidence) -> dict[tuple[str, str], float]:
    """(path, name) -> suspicion by tracebacks: 1 for the innermost of the project's own functions in one."""
    found: dict[tuple[str, str], float] = {}
    for frames in evidence.frames.values():
        own = [(path, name) for path, name, _ in frames if path in evidence.programs]
        for place in own[:-1]:
            found[place] = max(found.get(place, 0.0), _PASSED_THROUGH)
        if own:
            found[own[-1]] = 1.0
    return found


def _raising_modules(evidence: ProjectEvidence) -> Iterator[SuspectFunction]:
    """Modules whose own statements raised, as where a file of tests cannot be collected."""
    for (path, name), score in _traced(evidence).items():
        if name == MODULE_LEVEL:
            yield SuspectFunction(path, MODULE_LEVEL, 1, score, "raised while it was imported")


def _imported(evidence: ProjectEvidence, found: Sequence[SuspectFunction]) -> Iterator[SuspectFunction]:
    """The own statements of modules that suspicious ones, or files of red tests, import: constants, tables, classes."""
    # A file of red tests is no likelier to import the fault than a function that they ran is to be it.
    importers = dict.fromkeys(evidence.tests.values(), max((each.suspicion for each in found), default=1.0))
    for each in found:
        importers[each.path] = max(importers.get(each.path, 0.0), each.suspicion)
    raised = {each.path for each in found if each.name == MODULE_LEVEL}
    best: dict[str, float] = {}
    for path, score in importers.items():
        for module in (path, *evidence.imports.get(path, ())):
            if module in evidence.programs and module not in raised:
                best[module] = max(best.get(module, 0.0), score * _IMPORTED_SHARE)
    for module, score in best.items():
        yield SuspectFunction(module, MODULE_LEVEL, 1, round(score, 6), "imported by what red tests use")


def file_chances(suspects: Sequence[SuspectFunction]) -> dict[str, float]:
    """The chance of each file to hold the fault, the greatest first; together 1."""
    best: dict[str, float] = {}
    for each in suspects:
        best[each.path] = max(best.get(each.path, 0.0), each.suspicion)
    weights = {path: score**_CONCENTRATION for path, score in best.items() if score > 0}
    total = sum(weights.values()) or 1.0
    chances = {path: weight / total for path, weight in weights.items()}
    return dict(
        sorted(((p, c) for p, c in chances.items() if c >= _LEAST_CHANCE), key=lambda item: (-item[1], item[0]))
    )
