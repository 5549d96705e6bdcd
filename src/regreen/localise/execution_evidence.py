"""What the runs of the checks say of one statement, gathered from coverage, tracebacks and hung checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regreen.types import CheckResult, Outcome


@dataclass(frozen=True, slots=True)
class ExecutionEvidence:
    """All that was seen when the checks ran against the program."""

    coverage: Mapping[str, frozenset[int]]
    """Check id -> program lines that it ran."""
    results: Mapping[str, CheckResult]
    raised: Mapping[str, tuple[int, ...]]
    """Check id -> program lines of its traceback, innermost last."""
    hung: Mapping[str, tuple[int, ...]]
    """Check id -> lines where it was when its time ended."""

    @property
    def passed(self) -> frozenset[str]:
        """Ids of the checks that passed."""
        return frozenset(check for check, result in self.results.items() if result.outcome is Outcome.PASSED)

    @property
    def traced_failures(self) -> frozenset[str]:
        """Failing checks of which we know what they ran."""
        return frozenset(check for check, lines in self.coverage.items() if lines) - self.passed

    @property
    def untraced_failures(self) -> frozenset[str]:
        """Failing checks of which we do not know what they ran."""
        return frozenset(self.results) - self.passed - self.traced_failures

    @property
    def got_nothing(self) -> bool:
        """Whether some check received None where it expected a value."""
        failing = (result for check, result in self.results.items() if check not in self.passed)
        return any(result.actual == "None" and result.expected not in {"", "None"} for result in failing)

    @property
    def hung_lines(self) -> frozenset[int]:
        """Lines where failing checks were when their time ended."""
        passed = self.passed
        return frozenset(line for check, lines in self.hung.items() if check not in passed for line in lines)

    @property
    def last_lines(self) -> frozenset[int]:
        """Lines at which some failing check came to an early end."""
        passed = self.passed
        ends = {stack[-1] for check, stack in self.raised.items() if stack and check not in passed}
        return frozenset(ends) | self.hung_lines

    def by_statement(self, spans: Sequence[frozenset[int]]) -> dict[str, frozenset[int]]:
        """Coverage told in statements: check id -> indices of the spans that it ran a line of."""
        lines_to_spans: dict[int, set[int]] = {}
        for index, lines in enumerate(spans):
            for line in lines:
                lines_to_spans.setdefault(line, set()).add(index)
        return {
            check: frozenset(index for line in lines for index in lines_to_spans.get(line, ()))
            for check, lines in self.coverage.items()
        }


def describe_runs(index: int, runs: Mapping[str, frozenset[int]], passed: frozenset[str]) -> str:
    """How many checks ran a statement, e.g. "run by all 3 failing checks and by 1 of 5 passing ones"."""
    failing = [index in statements for check, statements in runs.items() if check not in passed]
    passing = [index in statements for check, statements in runs.items() if check in passed]
    told = f"run by {_share(sum(failing), len(failing), 'failing')} {'check' if len(failing) == 1 else 'checks'}"
    if not passing:
        return told
    return f"{told} and by {_share(sum(passing), len(passing), 'passing')} {'one' if len(passing) == 1 else 'ones'}"


def _share(part: int, whole: int, kind: str) -> str:
    if part == 0:
        return f"none of {whole} {kind}" if whole > 1 else f"no {kind}"
    if part < whole:
        return f"{part} of {whole} {kind}"
    return f"all {whole} {kind}" if whole > 1 else f"the {kind}"
