"""Several faults in one program: those whose red checks run other functions are searched for one by one, then joined.

Two faults in two functions need two repairs at once before all checks pass, and each of them alone is easily found.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from regreen.propose.search.mutation import Mutation, are_apart, edit_position
from regreen.select import NgramScorer, RankedCandidate, rank_candidates
from regreen.strategies.searching.program_search import ProgramSearch
from regreen.strategies.searching.search_findings import SearchFindings
from regreen.strategies.searching.search_pace import MOST_PARTS, PART_CANDIDATES, PART_LOOK_AROUND, REPAIRS_OF_A_PART
from regreen.strategies.searching.searched_program import SearchedProgram, candidate_of
from regreen.strategies.session import RepairSession, checks_text
from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.types import CheckResult, Outcome, Verdict
from regreen.verify.baseline import subset
from regreen.verify.screening import may_be_left_out


@dataclass(frozen=True)
class Part:
    """Red checks that run the same functions, so that one fault may explain them all."""

    checks: tuple[str, ...]
    functions: int
    """How many functions they run."""


def fault_parts(source: str, red: Sequence[str], coverage: Mapping[str, Collection[int]]) -> list[Part]:
    """The red checks by the functions that they run, those with the fewest functions first; at most `MOST_PARTS`."""
    tree = parsed_or_none(source)
    nodes = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)] if tree else []
    bodies = {node.lineno: range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1) for node in nodes}
    found: dict[frozenset[int], list[str]] = {}
    for check in red:
        lines = coverage.get(check, ())
        run = frozenset(start for start, body in bodies.items() if any(line in body for line in lines))
        found.setdefault(run, []).append(check)
    parts = [Part(tuple(checks), len(run)) for run, checks in found.items() if run]
    return sorted(parts, key=lambda part: part.functions)[:MOST_PARTS]


class SeparateFaults:
    """The parts of one program that was traced, each searched for by itself."""

    def __init__(self, session: RepairSession, search: ProgramSearch, results: Mapping[str, CheckResult]) -> None:
        self._session = session
        self._search = search
        self._source = search.program.source
        self._results = results
        """What every check says of the program."""
        red = [check for check, result in results.items() if result.outcome is not Outcome.PASSED]
        self._red = frozenset(red)
        self.parts = fault_parts(self._source, red, search.coverage)

    def joined(self) -> list[Mutation]:
        """Mutations of the program that join the repairs of its parts, the likeliest first; none for a single part."""
        if len(self.parts) < 2:
            return []
        found = [repairs for part in self.parts if (repairs := self._repairs(part))]
        return list(joined_repairs(self._source, found))

    def _repairs(self, part: Part) -> list[Mutation]:
        """The best mutations that turn the checks of one part green and none red."""
        search = self._search
        if not may_be_left_out(self._session.baseline.suite, self._red.difference(part.checks)):
            return []
        left = search.budget.candidates - search.findings.tried
        if left <= 0 or self._session.clock() >= search.deadline:
            return []
        findings = SearchFindings()
        session = self._session_of(part)
        alone = ProgramSearch(
            session,
            SearchedProgram(self._source),
            session.baseline.suite,
            session.baseline,
            replace(search.budget, candidates=min(left, PART_CANDIDATES)),
            search.deadline,
            findings,
            hanging=session.baseline.hanging,
            deadly=session.baseline.deadly,
            real_time=search.real_time,
            look_around=PART_LOOK_AROUND,
        )
        alone.run(PART_CANDIDATES)
        search.findings.add_effort(findings)
        return self._best(findings.plausible)

    def _session_of(self, part: Part) -> RepairSession:
        """A session in which the red checks of other parts are left out."""
        whole, session = self._session, self._session.baseline
        others = self._red.difference(part.checks)
        kept = [check for check in self._results if check not in others]
        suite = subset(session.suite, kept, hanging=others)
        baseline = replace(session, suite=suite, verdict=Verdict({check: self._results[check] for check in kept}))
        alone = RepairSession(
            whole.resources,
            replace(whole.task, source=self._source),
            seed=whole.seed,
            on_event=whole.on_event,
            spans=whole.spans,
            baseline=baseline,
            started=whole.started,
        )
        alone.progress = whole.progress
        return alone

    def _best(self, plausible: Sequence[Mutation]) -> list[Mutation]:
        by_id = {candidate_of(self._source, mutation).id: mutation for mutation in plausible}
        ranked = rank_candidates(
            [
                RankedCandidate(candidate_of(self._source, mutation), min(max(mutation.score, 0.0), 1.0), mutation.line)
                for mutation in plausible
            ],
            self._source,
            checks_text(self._session.task),
            NgramScorer(),
        )
        return [by_id[found.candidate.id] for found in ranked]


def joined_repairs(source: str, parts: Sequence[Sequence[Mutation]]) -> Iterator[Mutation]:
    """One mutation for each choice of a repair for every part, the best choices first; those that overlap left out."""
    if len(parts) < 2:
        return
    most = REPAIRS_OF_A_PART.get(len(parts), 2)
    ranked = [list(enumerate(part[:most])) for part in parts]
    for choice in sorted(product(*ranked), key=lambda chosen: sum(rank for rank, _ in chosen)):
        together = [mutation for _, mutation in choice]
        distinct = list({mutation.edits: mutation for mutation in together}.values())
        if all(are_apart(one.edits, other.edits) for one, other in combinations(distinct, 2)):
            yield _together(source, distinct)


def _together(source: str, mutations: Sequence[Mutation]) -> Mutation:
    edits = tuple(sorted((edit for mutation in mutations for edit in mutation.edits), key=edit_position))
    score = 1.0
    for mutation in mutations:
        score *= mutation.score
    line = source.count("\n", 0, edits[0].start) + 1
    return Mutation(edits, "+".join(mutation.template for mutation in mutations), score, line, source)
