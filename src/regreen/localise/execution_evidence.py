"""Evidence from running the checks: coverage, results, tracebacks and hung checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from regreen.types import AssertionRun, CheckResult, Outcome


@dataclass(frozen=True, slots=True)
class ExecutionEvidence:
    """Observations of one run of the checks against the program."""

    coverage: Mapping[str, frozenset[int]]
    """Check id -> program lines that it ran."""
    results: Mapping[str, CheckResult]
    """Check id -> its result."""
    raised: Mapping[str, tuple[int, ...]]
    """Check id -> program lines of its traceback, innermost last."""
    hung: Mapping[str, tuple[int, ...]]
    """Check id -> program lines that were running when its time ended."""
    assertions: Mapping[str, Sequence[AssertionRun]] = field(default_factory=dict)
    """Check id -> what its assertions ran, and whether they held, those behind the failing one included."""

    @property
    def passed(self) -> frozenset[str]:
        """Ids of the checks that passed."""
        return frozenset(check for check, result in self.results.items() if result.outcome is Outcome.PASSED)

    @property
    def traced_failures(self) -> frozenset[str]:
        """Ids of the failing checks with known coverage."""
        return frozenset(check for check, lines in self.coverage.items() if lines) - self.passed

    @property
    def untraced_failures(self) -> frozenset[str]:
        """Ids of the failing checks without known coverage."""
        return frozenset(self.results) - self.passed - self.traced_failures

    @property
    def got_nothing(self) -> bool:
        """Whether some check received None where it expected a value."""
        failing = (result for check, result in self.results.items() if check not in self.passed)
        return any(result.actual == "None" and result.expected not in {"", "None"} for result in failing)

    @property
    def hung_lines(self) -> frozenset[int]:
        """Lines that were running when the time of a failing check ended."""
        passed = self.passed
        return frozenset(line for check, lines in self.hung.items() if check not in passed for line in lines)

    @property
    def last_lines(self) -> frozenset[int]:
        """Lines at which a failing check ended early: it raised or hung there."""
        passed = self.passed
        ends = {stack[-1] for check, stack in self.raised.items() if stack and check not in passed}
        return frozenset(ends) | self.hung_lines

    @property
    def asserted_lines(self) -> dict[str, frozenset[int]]:
        """The lines of each assertion of the failing checks that have several, by an id made for it."""
        return {name: run.lines for name, run in self._numbered()}

    @property
    def held(self) -> frozenset[str]:
        """Ids, as in `asserted_lines`, of the assertions that held."""
        return frozenset(name for name, run in self._numbered() if run.held)

    def _numbered(self) -> list[tuple[str, AssertionRun]]:
        return [
            (f"{check} #{number}", run)
            for check, runs in self.assertions.items()
            if len(runs) > 1
            for number, run in enumerate(runs, 1)
        ]

    @staticmethod
    def by_statement(
        spans: Sequence[frozenset[int]], coverage: Mapping[str, frozenset[int]]
    ) -> dict[str, frozenset[int]]:
        """Coverage by statement: check id -> indices of the spans of which it ran a line."""
        lines_to_spans: dict[int, set[int]] = {}
        for index, lines in enumerate(spans):
            for line in lines:
                lines_to_spans.setdefault(line, set()).add(index)
        return {
            check: frozenset(index for line in lines for index in lines_to_spans.get(line, ()))
            for check, lines in coverage.items()
        }


def describe_runs(index: int, runs: Mapping[str, frozenset[int]], passed: frozenset[str]) -> str:
    """The share of checks that ran a statement, e.g. "run by all 3 failing checks and by 1 of 5 passing ones"."""
    if not any(index in statements for statements in runs.values()):
        return "run by assertions behind the one that failed"
    failing = [index in statements for check, statements in runs.items() if check not in passed]
    passing = [index in statements for check, statements in runs.items() if check in passed]
    text = f"run by {_share(sum(failing), len(failing), 'failing')} {'check' if len(failing) == 1 else 'checks'}"
    if not passing:
        return text
    return f"{text} and by {_share(sum(passing), len(passing), 'passing')} {'one' if len(passing) == 1 else 'ones'}"


def _share(part: int, whole: int, kind: str) -> str:
    if part == 0:
        return f"none of {whole} {kind}" if whole > 1 else f"no {kind}"
    if part < whole:
        return f"{part} of {whole} {kind}"
    return f"all {whole} {kind}" if whole > 1 else f"the {kind}"
