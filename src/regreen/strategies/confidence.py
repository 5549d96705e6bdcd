"""When a candidate that passes is still doubtful: made for the checks, or a guess on the word of few."""

from __future__ import annotations

from collections.abc import Sequence

from regreen.select import changed_lines, overfitting_score
from regreen.strategies.session import checks_text
from regreen.types import Attempt, Task

CHECKS_A_PLACE = 3
"""With fewer checks for each place that was changed, a repair is called a guess."""
SPECIAL = 0.5
"""Overfitting score from which a repair counts as made for these very checks."""


def is_robust(task: Task, attempt: Attempt) -> bool:
    """Whether nothing speaks against handing over a candidate that passes."""
    special = overfitting_score(task.source, attempt.candidate.source, checks_text(task)) >= SPECIAL
    return attempt.verdict.passed and not special and not is_guess(task, attempt)


def is_guess(task: Task, attempt: Attempt) -> bool:
    """Whether several places were changed on the word of few checks: it is easy to please a few."""
    places = changed_places(task, attempt)
    return places > 1 and len(attempt.verdict.results) < CHECKS_A_PLACE * places


def changed_places(task: Task, attempt: Attempt) -> int:
    """How many runs of neighbouring lines a candidate changes; as many as the changes that a search put together."""
    return max(attempt.candidate.changes, _runs(changed_lines(task.source, attempt.candidate.source)))


def _runs(lines: Sequence[int]) -> int:
    return sum(line - 1 not in lines for line in lines)
