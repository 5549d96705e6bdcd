"""What passes is completed: a second fault that no check shows may be plain from the text, or from what prose asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Final

from regreen.plain_slips import may_leave_slips
from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.propose.search.mutation import Mutation, compose_edits, splice_edits
from regreen.propose.search.templates.steps import as_stated
from regreen.prose_requirements import CERTAIN
from regreen.select import NgramScorer, RankedCandidate, rank_candidates
from regreen.select.prose.prose_agreement import read_prose
from regreen.select.prose.stated_steps import unanswered
from regreen.strategies.searching.plain_repairs import without_slips
from regreen.strategies.searching.searched_program import candidate_of
from regreen.strategies.session import checks_text
from regreen.syntax import UNPARSABLE
from regreen.types import Task

_COMPLETED: Final = 3
"""How many of the repairs are completed: the best ones."""
_COMPLETIONS: Final = 32
"""Changes that are tried for each."""


def completed_repairs(task: Task, source: str, plausible: Sequence[Mutation]) -> list[Mutation]:
    """Mutations of `source` that do what a plausible one does, and more.

    What is plain from the text is undone, or a step is added that prose asks for and the plausible one leaves out.
    """
    prose = read_prose(source, task.statement)
    required = prose.requirements & CERTAIN
    if not required and not may_leave_slips(source):
        return []
    by_id = {candidate_of(source, mutation).id: mutation for mutation in plausible}
    ranked = rank_candidates(
        [RankedCandidate(candidate_of(source, mutation), mutation.score, mutation.line) for mutation in plausible],
        source,
        checks_text(task),
        NgramScorer(),
        prose,
    )
    best = [by_id[found.candidate.id] for found in ranked[:_COMPLETED]]
    mended = filter(None, (without_slips(source, mutation) for mutation in best))
    return [*mended, *(made for mutation in best for made in _completed(task, source, mutation, required))]


def _completed(task: Task, source: str, mutation: Mutation, required: Set[str]) -> Iterator[Mutation]:
    text = splice_edits(source, mutation.edits)
    lacking = unanswered(required, text)
    if not lacking:
        return
    clues = gather_clues(text, entry_point=task.entry_point, statement=task.statement, checks_text=checks_text(task))
    try:
        steps = BestFirstSearch(text, [], clues, templates=as_stated.TEMPLATES).next_batch(_COMPLETIONS)
    except UNPARSABLE:
        return
    for step in steps:
        if unanswered(required, splice_edits(text, step.edits)) < lacking:
            edits = compose_edits(source, mutation.edits, step.edits)
            line = source.count("\n", 0, edits[0].start) + 1 if edits else 0
            name = f"{mutation.template}+{step.template}"
            # As likely as the repair: prose asks for it.
            yield Mutation(edits, name, mutation.score, line, source)
