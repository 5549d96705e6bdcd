"""Fault localisation: which statements to suspect, and why."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from regreen.localise.execution_evidence import ExecutionEvidence, describe_runs
from regreen.localise.hints import Hint, hints, missing_results
from regreen.localise.program_statements import Statement, functions, header_nodes, statements
from regreen.localise.reachability import assigned_names, is_within, mentioned_names, reachable, run_at_import
from regreen.localise.spectrum import ochiai
from regreen.localise.traceback import innermost, recursing_lines, traceback_lines
from regreen.syntax import FUNCTIONS, parse
from regreen.types import AssertionRun, CheckResult, Site

_EVEN = 0.5
"""Suspicion of every statement when no evidence distinguishes them."""

_TRACE_WEIGHT = 0.5
_HUNG_WEIGHT = 0.5
_HINT_WEIGHT = 0.3
"""Weights of the kinds of evidence relative to coverage, which has weight 1."""

_LOUD = 0.6
"""A hint of at least this weight suffices for a statement that runs at import, before coverage is recorded."""

_UNREACHED = 0.15
"""Suspicion of a statement that was not reached because the program raised or hung before it."""

_IMPORT_SHARE = 0.7
_SIGNATURE_SHARE = 0.6
_PLAIN_SIGNATURE_SHARE = 0.3
"""Shares of suspicion for code run at import: statements, function headers with defaults or decorators, others."""

_GUARD_SHARE = 0.8
"""Suspicion of a condition that guards a `raise`, relative to the `raise` itself."""

_BASE_CASE = 0.6
"""Suspicion of the conditions of a function with endless recursion."""

_LOOP_BODY = 0.6
"""Suspicion of the statements in an endless loop, whose condition has 1."""

_LINE_BEFORE = 0.5
"""Suspicion of the line before a syntax error, which itself has 1."""

_NONE: Mapping[str, tuple[int, ...]] = MappingProxyType({})
_NO_ASSERTIONS: Mapping[str, Sequence[AssertionRun]] = MappingProxyType({})
_UNPARSABLE = (ValueError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One kind of evidence against one statement."""

    weight: float = 0.0
    """In [0, 1]."""
    reason: str = ""
    """The evidence in words."""


def localise(
    source: str,
    coverage: Mapping[str, frozenset[int]],
    results: Mapping[str, CheckResult],
    raised: Mapping[str, tuple[int, ...]] = _NONE,
    hung: Mapping[str, tuple[int, ...]] = _NONE,
    entry_point: str | None = None,
    assertions: Mapping[str, Sequence[AssertionRun]] = _NO_ASSERTIONS,
) -> tuple[Site, ...]:
    """The statements of `source` to suspect, most suspicious first; the same evidence gives the same answer.

    By check id, `coverage` has the program lines that the check ran, `results` its result, `raised` the program lines
    of its traceback (innermost last), `hung` the lines that were running when its time ended, `assertions` what each of
    its assertions ran, those behind the failing one included: each counts as a check of its own, too. A compound
    statement is its header alone. Statements of functions that no check ran get 0, except those that a crash kept from
    running; statements without evidence are left out. Without a failing check of known coverage, all that `entry_point`
    reaches (the whole module when it is None or unknown) gets equal suspicion, apart from tracebacks and hints of the
    text.
    """
    try:
        tree = parse(source)
    except SyntaxError as error:
        return _syntax_sites(source, error)
    except _UNPARSABLE:
        return (_whole(source, _EVEN, "the program cannot be parsed"),)
    parts = statements(tree)
    evidence = ExecutionEvidence(coverage, results, raised, hung, assertions)
    suspicions = _from_coverage(tree, parts, evidence) if evidence.traced_failures else {}
    if not any(suspicion.weight for suspicion in suspicions.values()):
        suspicions = _even_suspicion(tree, parts, evidence, entry_point)
    columns = (
        (1.0, suspicions),
        (_TRACE_WEIGHT, _from_tracebacks(parts, evidence)),
        (_HUNG_WEIGHT, _from_hangs(parts, evidence)),
    )
    sites = _merge(_sites(parts, columns, _from_hints(tree, source, parts, evidence)))
    return sites or (_whole(source, _EVEN, "there is nothing else to suspect"),)


def _sites(
    parts: Sequence[Statement],
    columns: Sequence[tuple[float, Mapping[int, Suspicion]]],
    hinted: Mapping[int, Suspicion],
) -> Iterator[Site]:
    """One site for each statement with evidence from runs, or with a strong hint and run at import; in [0, 1]."""
    runs = [(weight, column) for weight, column in columns if column]
    loud = {index for index, suspicion in hinted.items() if suspicion.weight >= _LOUD and parts[index].function is None}
    shown = [index for index in range(len(parts)) if index in loud or any(index in column for _, column in runs)]
    scale = sum(weight for weight, _ in runs) + (_HINT_WEIGHT if any(index in hinted for index in shown) else 0.0)
    for index in shown:
        found = [(weight, column[index]) for weight, column in runs if index in column]
        if index in hinted and (index in loud or any(suspicion.weight for _, suspicion in found)):
            found.append((_HINT_WEIGHT, hinted[index]))
        score = round(sum(weight * suspicion.weight for weight, suspicion in found) / scale, 6)
        reason = "; ".join(suspicion.reason for _, suspicion in (*found[1:], *found[:1]) if suspicion.reason)
        yield Site(parts[index].first_line, parts[index].last_line, score, reason)


def _merge(sites: Iterable[Site]) -> tuple[Site, ...]:
    """The sites, most suspicious first, one for each span of lines: the most suspicious statement there counts."""
    best: dict[tuple[int, int], Site] = {}
    for site in sites:
        span = (site.first_line, site.last_line)
        if span not in best or best[span].suspicion < site.suspicion:
            best[span] = site
    return tuple(sorted(best.values(), key=lambda site: (-site.suspicion, site.first_line, site.last_line)))


def _from_coverage(tree: ast.Module, parts: Sequence[Statement], evidence: ExecutionEvidence) -> dict[int, Suspicion]:
    """Ochiai's score of each statement; a statement run at import counts as run by the checks that depend on it."""
    spans = [part.lines for part in parts]
    traced, asserted = (
        {check: ran | _imported(parts, ran) for check, ran in evidence.by_statement(spans, lines).items() if ran}
        for lines in (evidence.coverage, evidence.asserted_lines)
    )
    passed = evidence.passed
    scores = ochiai({**traced, **asserted}, passed | evidence.held)
    suspicions = {
        index: Suspicion(score * _import_share(parts[index]), describe_runs(index, traced, passed))
        for index, score in scores.items()
        if score > 0
    }
    ran = frozenset(scores)
    cleared = {} if evidence.untraced_failures else _never_run(tree, parts, ran)
    return {**cleared, **_cut_off(parts, evidence, ran), **suspicions}


def _imported(parts: Sequence[Statement], ran: frozenset[int]) -> frozenset[int]:
    """Indices of statements run at import that a check depends on: headers of functions run, constants read."""
    entered = {parent for index in ran for parent in parts[index].parents}
    read = {name for index in ran for own in header_nodes(parts[index].node) for name in mentioned_names(own)}
    return frozenset(
        index
        for index, part in enumerate(parts)
        if part.function is None and (part.node in entered or _assigns(part, read))
    )


def _assigns(part: Statement, names: set[str]) -> bool:
    """Whether a plain statement assigns one of the names."""
    simple = isinstance(part.node, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    return simple and not names.isdisjoint(assigned_names(part.node))


def _import_share(part: Statement) -> float:
    """The share of its suspicion that a statement keeps: faults are seldom in code that runs at import."""
    if part.function is not None:
        return 1.0
    if not isinstance(part.node, FUNCTIONS):
        return _IMPORT_SHARE
    arguments = part.node.args
    return (
        _SIGNATURE_SHARE
        if part.node.decorator_list or arguments.defaults or arguments.kw_defaults
        else _PLAIN_SIGNATURE_SHARE
    )


def _never_run(tree: ast.Module, parts: Sequence[Statement], ran: frozenset[int]) -> dict[int, Suspicion]:
    """Statements inside functions that no check ran: no change of them alone can turn a check green."""
    early = run_at_import(tree, parts)
    return {
        index: Suspicion(0.0, "not run by any check")
        for index, part in enumerate(parts)
        if index not in ran and part.function is not None and not is_within(part, early)
    }


def _cut_off(parts: Sequence[Statement], evidence: ExecutionEvidence, ran: frozenset[int]) -> dict[int, Suspicion]:
    """Statements that no check ran, after the line of the same function where a failing check ended."""
    ends = [part for part in parts if part.function and part.lines & evidence.last_lines]
    suspicion = Suspicion(_UNREACHED, "never reached: the program had failed before")
    return {
        index: suspicion
        for index, part in enumerate(parts)
        if index not in ran and any(e.function is part.function and e.last_line < part.first_line for e in ends)
    }


def _even_suspicion(
    tree: ast.Module, parts: Sequence[Statement], evidence: ExecutionEvidence, entry_point: str | None
) -> dict[int, Suspicion]:
    """Equal suspicion for all that the entry point reaches, else for the functions that checks ran, else for all."""
    owners = reachable(tree, entry_point) or _owners_run(parts, evidence)
    inside = frozenset(index for index, part in enumerate(parts) if is_within(part, owners))
    reached = inside | _imported(parts, inside) if inside else frozenset(range(len(parts)))
    reason = "in code that the checks reach" if inside else "nothing tells it apart from the rest"
    return {index: Suspicion(_EVEN * _import_share(parts[index]), reason) for index in sorted(reached)}


def _owners_run(parts: Sequence[Statement], evidence: ExecutionEvidence) -> frozenset[ast.AST]:
    """The functions that some check ran."""
    lines = frozenset[int]().union(*evidence.coverage.values())
    return frozenset(part.function for part in parts if part.function is not None and part.lines & lines)


def _from_tracebacks(parts: Sequence[Statement], evidence: ExecutionEvidence) -> dict[int, Suspicion]:
    """Suspicion of the statements on tracebacks of failing checks, and of the conditions that led to a `raise`."""
    weights = traceback_lines(evidence.raised, evidence.passed)
    names = innermost(evidence.raised, evidence.results)
    endless = recursing_lines(evidence.raised, evidence.passed)
    suspicions: dict[int, Suspicion] = {}
    for index, part in enumerate(parts):
        lines = sorted(part.lines & weights.keys(), key=lambda line: (-weights[line], line))
        if not lines:
            continue
        name = next((names[line] for line in lines if line in names), None)
        reason = f"{name} was raised here" if name else "what was raised came out of a call made here"
        _keep_stronger(suspicions, index, Suspicion(weights[lines[0]], reason))
        if name and isinstance(part.node, (ast.Raise, ast.Assert)):
            _blame_guards(
                suspicions,
                parts,
                part,
                Suspicion(_GUARD_SHARE * weights[lines[0]], f"decides whether {name} is raised below"),
            )
        if part.lines & endless:
            _blame_base_cases(suspicions, parts, part)
    return suspicions


def _blame_guards(
    suspicions: dict[int, Suspicion], parts: Sequence[Statement], part: Statement, suspicion: Suspicion
) -> None:
    """Suspect the nearest condition around a `raise` or `assert` statement."""
    guards = (parent for parent in reversed(part.parents) if isinstance(parent, (ast.If, ast.While, ast.match_case)))
    guard = next(guards, None)
    for index, other in enumerate(parts):
        if other.node is guard:
            _keep_stronger(suspicions, index, suspicion)


def _blame_base_cases(suspicions: dict[int, Suspicion], parts: Sequence[Statement], part: Statement) -> None:
    """Suspect the conditions of a function with endless recursion."""
    for index, other in enumerate(parts):
        if other.function is not None and other.function is part.function and isinstance(other.node, ast.If):
            _keep_stronger(suspicions, index, Suspicion(_BASE_CASE, "should end the recursion"))


def _from_hangs(parts: Sequence[Statement], evidence: ExecutionEvidence) -> dict[int, Suspicion]:
    """Suspicion of the statements that were running when the time of a check ended, and of the loops around them."""
    suspicions: dict[int, Suspicion] = {}
    for index, part in enumerate(parts):
        if part.lines & evidence.hung_lines:
            _keep_stronger(suspicions, index, Suspicion(1.0, "the check was still running here when its time ended"))
            for loop in (part.node, *part.parents):
                if isinstance(loop, ast.While):
                    _blame_loop(suspicions, parts, loop)
    return suspicions


def _blame_loop(suspicions: dict[int, Suspicion], parts: Sequence[Statement], loop: ast.While) -> None:
    """Suspect the condition of a loop and, less, the statements in it."""
    for index, part in enumerate(parts):
        if part.node is loop:
            _keep_stronger(suspicions, index, Suspicion(1.0, "the condition of a loop that did not end"))
        elif loop in part.parents:
            _keep_stronger(suspicions, index, Suspicion(_LOOP_BODY, "in a loop that did not end"))


def _keep_stronger(suspicions: dict[int, Suspicion], index: int, suspicion: Suspicion) -> None:
    """Keep the suspicion unless a stronger one is there."""
    if index not in suspicions or suspicions[index].weight < suspicion.weight:
        suspicions[index] = suspicion


def _from_hints(
    tree: ast.Module, source: str, parts: Sequence[Statement], evidence: ExecutionEvidence
) -> dict[int, Suspicion]:
    """Suspicion from the text alone: weights combine as independent probabilities, the strongest hint is the reason."""
    found: list[Hint] = list(hints(tree, source))
    if evidence.got_nothing:
        found += [hint for function in functions(tree) for hint in missing_results(function)]
    suspicions: dict[int, Suspicion] = {}
    for index, part in enumerate(parts):
        own = [hint for hint in found if hint.first_line <= part.last_line and part.first_line <= hint.last_line]
        if own:
            innocent = 1.0
            for hint in own:
                innocent *= 1 - hint.weight
            suspicions[index] = Suspicion(1 - innocent, max(own, key=lambda hint: hint.weight).reason)
    return suspicions


def _syntax_sites(source: str, error: SyntaxError) -> tuple[Site, ...]:
    """The line at which Python's parser stopped, and the line before it, where the fault often is."""
    lines = source.split("\n")
    if error.lineno is None:
        return (_whole(source, _EVEN, f"{type(error).__name__}: {error.msg}"),)
    line = min(max(1, error.lineno), len(lines))
    sites = [Site(line, line, 1.0, f"{type(error).__name__}: {error.msg}")]
    before = next((number for number in range(line - 1, 0, -1) if lines[number - 1].strip()), None)
    if before is not None:
        sites.append(Site(before, before, _LINE_BEFORE, "the last line before a syntax error"))
    return tuple(sites)


def _whole(source: str, suspicion: float, reason: str) -> Site:
    return Site(1, max(1, source.count("\n") + (not source.endswith("\n"))), suspicion, reason)
