"""Room 2: which statements to suspect, and why."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from regreen.localise.execution_evidence import ExecutionEvidence, describe_runs
from regreen.localise.hints import Hint, empty_handed, hints
from regreen.localise.program_statements import Statement, functions, header_nodes, statements
from regreen.localise.reachability import bound, mentioned, reachable, run_at_import, within
from regreen.localise.spectrum import ochiai
from regreen.localise.traceback import innermost, recursing_lines, traceback_lines
from regreen.syntax import parse
from regreen.types import CheckResult, Site

_EVEN = 0.5
"""Suspicion of every statement when nothing tells them apart."""

_TRACE_WEIGHT = 0.5
_HUNG_WEIGHT = 0.5
_HINT_WEIGHT = 0.3
"""How much a piece of evidence counts beside coverage, which counts 1."""

_LOUD = 0.6
"""A hint this strong is enough by itself for a statement that runs at import, before any check is watched."""

_UNREACHED = 0.15
"""Suspicion of what was not reached only because the program raised or hung before it."""

_NONE: Mapping[str, tuple[int, ...]] = MappingProxyType({})
_UNPARSABLE = (ValueError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One piece of evidence about one statement: how strong in [0, 1], and in words."""

    weight: float = 0.0
    reason: str = ""


def localise(
    source: str,
    coverage: Mapping[str, frozenset[int]],
    results: Mapping[str, CheckResult],
    raised: Mapping[str, tuple[int, ...]] = _NONE,
    hung: Mapping[str, tuple[int, ...]] = _NONE,
    entry_point: str | None = None,
) -> tuple[Site, ...]:
    """The statements of `source` to suspect, most suspicious first; the same evidence gives the same answer.

    `coverage` gives the program lines that each check ran, `results` what the checks said, `raised` the program
    lines of each check's traceback (innermost last), `hung` the lines where a check was when its time ended. A
    compound statement is its header alone. Statements of functions that no check ran get 0, except those that a crash
    kept from running; what nothing is known of is left out. Without a failing check whose lines are known, everything
    that `entry_point` reaches (the whole module when it is None or unknown) is suspected alike, but for what
    tracebacks and the text itself tell.
    """
    try:
        tree = parse(source)
    except SyntaxError as error:
        return _syntax_sites(source, error)
    except _UNPARSABLE:
        return (_whole(source, _EVEN, "the program cannot be parsed"),)
    parts = statements(tree)
    evidence = ExecutionEvidence(coverage, results, raised, hung)
    marks = _ran(tree, parts, evidence) if evidence.traced_failures else {}
    if not any(mark.weight for mark in marks.values()):
        marks = _alike(tree, parts, evidence, entry_point)
    columns = (
        (1.0, marks),
        (_TRACE_WEIGHT, _raised_here(parts, evidence)),
        (_HUNG_WEIGHT, _stuck_here(parts, evidence)),
    )
    sites = _merge(_sites(parts, columns, _hinted(tree, source, parts, evidence)))
    return sites or (_whole(source, _EVEN, "there is nothing else to suspect"),)


def _sites(
    parts: Sequence[Statement],
    columns: Sequence[tuple[float, Mapping[int, Suspicion]]],
    hinted: Mapping[int, Suspicion],
) -> Iterator[Site]:
    """One site a statement that a run speaks against, or a strong hint where it runs at import; scaled to [0, 1]."""
    runs = [(weight, column) for weight, column in columns if column]
    loud = {index for index, mark in hinted.items() if mark.weight >= _LOUD and parts[index].function is None}
    told = [index for index in range(len(parts)) if index in loud or any(index in column for _, column in runs)]
    scale = sum(weight for weight, _ in runs) + (_HINT_WEIGHT if any(index in hinted for index in told) else 0.0)
    for index in told:
        found = [(weight, column[index]) for weight, column in runs if index in column]
        if index in hinted and (index in loud or any(mark.weight for _, mark in found)):
            found.append((_HINT_WEIGHT, hinted[index]))
        suspicion = round(sum(weight * mark.weight for weight, mark in found) / scale, 6)
        reason = "; ".join(mark.reason for _, mark in (*found[1:], *found[:1]) if mark.reason)
        yield Site(parts[index].first_line, parts[index].last_line, suspicion, reason)


def _merge(sites: Iterable[Site]) -> tuple[Site, ...]:
    """Sites in their order, one for each span of lines: statements that share a line share its suspicion."""
    best: dict[tuple[int, int], Site] = {}
    for site in sites:
        span = (site.first_line, site.last_line)
        if span not in best or best[span].suspicion < site.suspicion:
            best[span] = site
    return tuple(sorted(best.values(), key=lambda site: (-site.suspicion, site.first_line, site.last_line)))


def _ran(tree: ast.Module, parts: Sequence[Statement], evidence: ExecutionEvidence) -> dict[int, Suspicion]:
    """Ochiai over statements; those that run at import take the coverage of what depends on them."""
    seen = evidence.by_statement([part.lines for part in parts])
    runs = {check: ran | _imported(parts, ran) for check, ran in seen.items()}
    passed = evidence.passed
    traced = {check: ran for check, ran in runs.items() if ran}
    scores = ochiai(traced, passed)
    marks = {
        index: Suspicion(score * _import_share(parts[index]), describe_runs(index, traced, passed))
        for index, score in scores.items()
        if score > 0
    }
    ran = frozenset(scores)
    cleared = {} if evidence.untraced_failures else _never_run(tree, parts, ran)
    return {**cleared, **_cut_off(parts, evidence, ran), **marks}


def _imported(parts: Sequence[Statement], ran: frozenset[int]) -> frozenset[int]:
    """Statements run at import that a check depends on: headers of functions it entered, constants it read."""
    entered = {parent for index in ran for parent in parts[index].parents}
    read = {name for index in ran for own in header_nodes(parts[index].node) for name in mentioned(own)}
    return frozenset(
        index
        for index, part in enumerate(parts)
        if part.function is None and (part.node in entered or _assigns(part, read))
    )


def _assigns(part: Statement, names: set[str]) -> bool:
    """Whether a plain statement assigns one of the names."""
    simple = isinstance(part.node, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    return simple and not names.isdisjoint(bound(part.node))


def _import_share(part: Statement) -> float:
    """How much of its suspicion a statement keeps: what runs at import is seldom where the fault is."""
    if part.function is not None:
        return 1.0
    if not isinstance(part.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return 0.7
    arguments = part.node.args
    return 0.6 if part.node.decorator_list or arguments.defaults or arguments.kw_defaults else 0.3


def _never_run(tree: ast.Module, parts: Sequence[Statement], ran: frozenset[int]) -> dict[int, Suspicion]:
    """Statements inside functions that no check ran: no change of them alone can turn a check green."""
    early = run_at_import(tree, parts)
    return {
        index: Suspicion(0.0, "not run by any check")
        for index, part in enumerate(parts)
        if index not in ran and part.function is not None and not within(part, early)
    }


def _cut_off(parts: Sequence[Statement], evidence: ExecutionEvidence, ran: frozenset[int]) -> dict[int, Suspicion]:
    """Statements that no check ran and that follow, in the same function, the place where a failing one ended."""
    ends = [part for part in parts if part.function and part.lines & evidence.last_lines]
    mark = Suspicion(_UNREACHED, "never reached: the program had failed before")
    return {
        index: mark
        for index, part in enumerate(parts)
        if index not in ran and any(e.function is part.function and e.last_line < part.first_line for e in ends)
    }


def _alike(
    tree: ast.Module, parts: Sequence[Statement], evidence: ExecutionEvidence, entry_point: str | None
) -> dict[int, Suspicion]:
    """The same suspicion for all that the entry point reaches, or that passing checks ran, or else everything."""
    owners = reachable(tree, entry_point) or _owners_run(parts, evidence)
    inside = frozenset(index for index, part in enumerate(parts) if within(part, owners))
    reached = inside | _imported(parts, inside) if inside else frozenset(range(len(parts)))
    reason = "in code that the checks reach" if inside else "nothing tells it apart from the rest"
    return {index: Suspicion(_EVEN * _import_share(parts[index]), reason) for index in sorted(reached)}


def _owners_run(parts: Sequence[Statement], evidence: ExecutionEvidence) -> frozenset[ast.AST]:
    """The functions that some check was seen to run."""
    lines = frozenset[int]().union(*evidence.coverage.values())
    return frozenset(part.function for part in parts if part.function is not None and part.lines & lines)


def _raised_here(parts: Sequence[Statement], evidence: ExecutionEvidence) -> dict[int, Suspicion]:
    """Marks for the statements on the failing checks' tracebacks and for the conditions that led to a `raise`."""
    weights = traceback_lines(evidence.raised, evidence.passed)
    names = innermost(evidence.raised, evidence.results)
    endless = recursing_lines(evidence.raised, evidence.passed)
    marks: dict[int, Suspicion] = {}
    for index, part in enumerate(parts):
        lines = sorted(part.lines & weights.keys(), key=lambda line: (-weights[line], line))
        if not lines:
            continue
        name = next((names[line] for line in lines if line in names), None)
        reason = f"{name} was raised here" if name else "what was raised came out of a call made here"
        _keep(marks, index, Suspicion(weights[lines[0]], reason))
        if name and isinstance(part.node, (ast.Raise, ast.Assert)):
            _blame_guards(
                marks, parts, part, Suspicion(0.8 * weights[lines[0]], f"decides whether {name} is raised below")
            )
        if part.lines & endless:
            _blame_base_cases(marks, parts, part)
    return marks


def _blame_guards(marks: dict[int, Suspicion], parts: Sequence[Statement], part: Statement, mark: Suspicion) -> None:
    """Suspects the nearest condition around a statement that raises on purpose."""
    guards = (parent for parent in reversed(part.parents) if isinstance(parent, (ast.If, ast.While, ast.match_case)))
    guard = next(guards, None)
    for index, other in enumerate(parts):
        if other.node is guard:
            _keep(marks, index, mark)


def _blame_base_cases(marks: dict[int, Suspicion], parts: Sequence[Statement], part: Statement) -> None:
    """Suspects the conditions of a function that called itself without an end."""
    for index, other in enumerate(parts):
        if other.function is not None and other.function is part.function and isinstance(other.node, ast.If):
            _keep(marks, index, Suspicion(0.6, "should end the recursion"))


def _stuck_here(parts: Sequence[Statement], evidence: ExecutionEvidence) -> dict[int, Suspicion]:
    """Marks for the statements that were still running when a check's time ended, and for the loops around them."""
    marks: dict[int, Suspicion] = {}
    for index, part in enumerate(parts):
        if part.lines & evidence.hung_lines:
            _keep(marks, index, Suspicion(1.0, "the check was still running here when its time ended"))
            for loop in (part.node, *part.parents):
                if isinstance(loop, ast.While):
                    _blame_loop(marks, parts, loop)
    return marks


def _blame_loop(marks: dict[int, Suspicion], parts: Sequence[Statement], loop: ast.While) -> None:
    """Suspects a loop's condition and, less, what it repeats."""
    for index, part in enumerate(parts):
        if part.node is loop:
            _keep(marks, index, Suspicion(1.0, "the condition of a loop that did not end"))
        elif loop in part.parents:
            _keep(marks, index, Suspicion(0.6, "in a loop that did not end"))


def _keep(marks: dict[int, Suspicion], index: int, mark: Suspicion) -> None:
    """Notes a mark unless a stronger one is there."""
    if index not in marks or marks[index].weight < mark.weight:
        marks[index] = mark


def _hinted(
    tree: ast.Module, source: str, parts: Sequence[Statement], evidence: ExecutionEvidence
) -> dict[int, Suspicion]:
    """What the text alone says of each statement: weights add up as chances do, the strongest hint is told."""
    found: list[Hint] = list(hints(tree, source))
    if evidence.got_nothing:
        found += [hint for function in functions(tree) for hint in empty_handed(function)]
    marks: dict[int, Suspicion] = {}
    for index, part in enumerate(parts):
        own = [hint for hint in found if hint.first_line <= part.last_line and part.first_line <= hint.last_line]
        if own:
            innocent = 1.0
            for hint in own:
                innocent *= 1 - hint.weight
            marks[index] = Suspicion(1 - innocent, max(own, key=lambda hint: hint.weight).reason)
    return marks


def _syntax_sites(source: str, error: SyntaxError) -> tuple[Site, ...]:
    """The line that Python's parser stopped at and the one before, which is as often to blame."""
    lines = source.split("\n")
    if error.lineno is None:
        return (_whole(source, _EVEN, f"{type(error).__name__}: {error.msg}"),)
    line = min(max(1, error.lineno), len(lines))
    sites = [Site(line, line, 1.0, f"{type(error).__name__}: {error.msg}")]
    before = next((number for number in range(line - 1, 0, -1) if lines[number - 1].strip()), None)
    if before is not None:
        sites.append(Site(before, before, 0.5, "the last line before a syntax error"))
    return tuple(sites)


def _whole(source: str, suspicion: float, reason: str) -> Site:
    return Site(1, max(1, source.count("\n") + (not source.endswith("\n"))), suspicion, reason)
