"""Whether a candidate passes since it makes comparisons of the checks hold that should not."""

from __future__ import annotations

from regreen.select.wrong_values import changes_comparison, wrong_comparisons
from regreen.strategies.behaviours import names_of, open_questions
from regreen.strategies.session import RepairSession


def is_vacuous(session: RepairSession, after: str) -> bool:
    """Whether `after` finds a result equal to a wrong value, and the program that it is made of does not."""
    task = session.task
    if not changes_comparison(task.source, after):
        return False
    asked = wrong_comparisons(task.suite, names_of(task))
    if not asked:
        return False
    with open_questions(session, asked) as observer:
        before, now = observer.answers([task.source, after])
    return any(answer == "True" and known != "True" for answer, known in zip(now, before, strict=False))
