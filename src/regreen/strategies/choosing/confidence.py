"""When a candidate that passes is doubtful: overfitted to the checks, vacuous, or a guess that few checks confirm."""

from __future__ import annotations

from collections.abc import Sequence

from regreen.prose_requirements import CERTAIN
from regreen.select import changed_lines, overfitting_score
from regreen.select.handed_over import says_answer_by_heart
from regreen.select.memorised import memorises
from regreen.select.prose.prose_agreement import read_prose
from regreen.select.prose.stated_steps import unanswered
from regreen.select.wrong_values import changes_comparison, wrong_comparisons
from regreen.strategies.choosing.behaviours import names_of, open_questions
from regreen.strategies.session import RepairSession, checks_text
from regreen.types import Attempt, Task

_CHECKS_PER_PLACE = 3
"""With fewer checks for each changed place, a repair is a guess."""
_OVERFITTED = 0.5
"""The overfitting score from which on a repair counts as made for these very checks."""


def is_robust(task: Task, attempt: Attempt) -> bool:
    """Whether a candidate passes, is not overfitted and is no guess."""
    is_overfitted = overfitting_score(task.source, attempt.candidate.source, checks_text(task)) >= _OVERFITTED
    return attempt.verdict.passed and not is_overfitted and not is_guess(task, attempt)


def lacks_step(task: Task, after: str) -> bool:
    """Whether a program does nothing of a step that prose asks for."""
    required = read_prose(task.source, task.statement or "").requirements
    return unanswered(required & CERTAIN, after) > 0


def is_guess(task: Task, attempt: Attempt) -> bool:
    """Whether several places were changed and few checks confirm it: a few checks are easily satisfied by chance."""
    places = changed_places(task, attempt)
    return places > 1 and len(attempt.verdict.results) < _CHECKS_PER_PLACE * places


def changed_places(task: Task, attempt: Attempt) -> int:
    """How many runs of neighbouring lines a candidate changes; at least the number of mutations combined in it."""
    return max(attempt.candidate.changes, _runs(changed_lines(task.source, attempt.candidate.source)))


def _runs(lines: Sequence[int]) -> int:
    """How many runs of consecutive numbers there are in ascending `lines`."""
    return sum(line - 1 not in lines for line in lines)


def is_vacuous(session: RepairSession, after: str) -> bool:
    """Whether `after` says an answer of the checks by heart, or finds a result equal to a wrong value.

    The program that it is made of does neither.
    """
    task, checks = session.task, checks_text(session.task)
    if says_answer_by_heart(task.source, after, checks, task.statement or "") or memorises(task.source, after, checks):
        return True
    if not changes_comparison(task.source, after):
        return False
    asked = wrong_comparisons(task.suite, names_of(task))
    if not asked:
        return False
    with open_questions(session, asked) as observer:
        before, now = observer.answers([task.source, after])
    return any(answer == "True" and known != "True" for answer, known in zip(now, before, strict=False))
