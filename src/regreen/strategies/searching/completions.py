"""What passes is completed: a second fault that no check shows may be plain from the text, or from what prose asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Final

from regreen.plain_slips import may_leave_slips
from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.propose.search.mutation import Mutation, compose_edits, splice_edits
from regreen.propose.search.template import Template
from regreen.propose.search.templates.sequences import ties
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
    required, has_ties = prose.requirements & CERTAIN, "ties" in prose.requirements
    if not required and not has_ties and not may_leave_slips(source):
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
    completed = [made for mutation in best for made in _completed(task, source, mutation, required)]
    if has_ties:
        completed += [made for mutation in best for made in _with_steps(task, source, mutation, ties.TEMPLATES)]
    return [*mended, *completed]


def _completed(task: Task, source: str, mutation: Mutation, required: Set[str]) -> Iterator[Mutation]:
    """The mutation with a step that prose asks for beyond doubt, where it leaves one out."""
    lacking = unanswered(required, splice_edits(source, mutation.edits))
    if lacking:
        for made in _with_steps(task, source, mutation, as_stated.TEMPLATES):
            if unanswered(required, splice_edits(source, made.edits)) < lacking:
                yield made


def _with_steps(task: Task, source: str, mutation: Mutation, templates: Sequence[Template]) -> Iterator[Mutation]:
    """The mutation, and one further change by one of these templates; as likely as it, since prose asks for that."""
    text = splice_edits(source, mutation.edits)
    clues = gather_clues(text, entry_point=task.entry_point, statement=task.statement, checks_text=checks_text(task))
    try:
        steps = BestFirstSearch(text, [], clues, templates=templates).next_batch(_COMPLETIONS)
    except UNPARSABLE:
        return
    for step in steps:
        edits = compose_edits(source, mutation.edits, step.edits)
        line = source.count("\n", 0, edits[0].start) + 1 if edits else 0
        yield Mutation(edits, f"{mutation.template}+{step.template}", mutation.score, line, source)
