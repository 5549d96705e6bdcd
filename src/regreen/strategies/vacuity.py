"""Whether a candidate passes since it makes comparisons of the checks hold that should not, or knows their answers."""

from __future__ import annotations

from regreen.select.handed_over import says_answer_by_heart
from regreen.select.wrong_values import changes_comparison, wrong_comparisons
from regreen.strategies.behaviours import names_of, open_questions
from regreen.strategies.session import RepairSession, checks_text


def is_vacuous(session: RepairSession, after: str) -> bool:
    """Whether `after` says an answer of the checks by heart, or finds a result equal to a wrong value.

    The program that it is made of does neither.
    """
    task = session.task
    if says_answer_by_heart(task.source, after, checks_text(task), task.statement or ""):
        return True
    if not changes_comparison(task.source, after):
        return False
    asked = wrong_comparisons(task.suite, names_of(task))
    if not asked:
        return False
    with open_questions(session, asked) as observer:
        before, now = observer.answers([task.source, after])
    return any(answer == "True" and known != "True" for answer, known in zip(now, before, strict=False))
