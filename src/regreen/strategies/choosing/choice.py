"""The choice among the plausible candidates of a search, by what they do, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from regreen.errors import ModelError
from regreen.select import NgramScorer, RankedCandidate
from regreen.select.answer_texts import agrees
from regreen.select.behaviour import Behaviour, rank_behaviours
from regreen.select.likelihood import RepairEvidence, asked_bits, likelihood_of
from regreen.select.prose.prose_agreement import decisive_quotes, read_prose
from regreen.select.prose.stated_examples import DocumentedExample
from regreen.select.prose.stated_ties import tied_outcomes
from regreen.select.questions import MOST_QUESTIONS, best_questions, keep_agreeing, next_question, with_answer
from regreen.select.rank import MOST_SCORED, lone_cost, priced_candidates
from regreen.select.relations import read_relations
from regreen.strategies.choosing.behaviours import Observer
from regreen.strategies.session import RepairSession, checks_text
from regreen.types import Question, Task

_RIVALS = 4
"""Further behaviours that are looked at for what prose says against them."""
_MOST_ASKED_OF_MODEL = 12
"""How many candidates a language model reads: the best of each behaviour, and what else there is room for."""
_MODEL_NATS_PER_TOKEN = 5.0
"""How much more probable a model must find a program to make up for one more changed token; docs/search.md says what
other weights chose."""
Ask = Callable[[Question], int | str | None]
"""Shows a question to the user; gives the place of the right answer, or the right value where it is none of them (as
`PossibleAnswer.value` has it), or None where the user cannot say."""


@dataclass(frozen=True)
class RankedChoice:
    """The behaviours of the plausible candidates, and what was asked about them."""

    behaviours: tuple[Behaviour, ...]
    """The best first; at least one."""
    plausible: int
    """How many candidates were compared."""
    questions: tuple[Question, ...] = ()
    """Those that were answered, then those that are open."""
    quotes: tuple[str, ...] = ()
    """Words of the prose that the best behaviour agrees with and another one contradicts."""
    unmet: tuple[str, ...] = ()
    """Checks for what the user answered, where no behaviour gives all of it."""
    asked: float = 1.0
    """How many bits the red checks ask for."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """By the id of a candidate: what its text costs, in changed tokens."""

    @property
    def candidates(self) -> list[RankedCandidate]:
        """In order: the best of each behaviour, then all others."""
        best = [behaviour.best for behaviour in self.behaviours]
        return [*best, *(ranked for b in self.behaviours for ranked in b.members[1:])]

    def likelihood(self, task: Task, place: int, checks: int, share: float | None = None) -> float:
        """How likely the behaviour at this place is to be right, in [0, 1], where so many checks pass.

        With another `share` than its own where more passes than was compared here.
        """
        answered = sum(question.answered is not None for question in self.questions)
        prose = read_prose(task.source, task.statement)
        evidence = RepairEvidence(task.source, checks_text(task), checks + answered, self.plausible, prose, self.asked)
        behaviour = self.behaviours[place]
        return likelihood_of(behaviour if share is None else replace(behaviour, share=share), evidence)

    def lone_cost(self, task: Task, place: int) -> float:
        """What the behaviour at this place costs beside the program as it is, in changed tokens."""
        behaviour, prose = self.behaviours[place], read_prose(task.source, task.statement)
        best = behaviour.best
        of_answers = behaviour.cost - self.costs[best.candidate.id]
        return of_answers + lone_cost(best, task.source, checks_text(task), NgramScorer(), prose)


def rank_by_behaviour(
    session: RepairSession, plausible: Sequence[RankedCandidate], observer: Observer, ask: Ask | None = None
) -> RankedChoice:
    """The behaviours of candidates, the best first; the user is asked where `ask` is there and likely ones differ."""
    priced = _priced(session, plausible, observer)
    if len(priced) == 1:
        only = Behaviour((priced[0][0],), (), priced[0][1])
        return RankedChoice((only,), 1, asked=_asked_bits(session), costs=_costs(priced))
    compared = priced[:MOST_SCORED]
    given, *answers = observer.answers([observer.source, *(ranked.candidate.source for ranked, _ in compared)])
    ranked = partial(
        rank_behaviours,
        given=given[: len(observer.inputs)],
        edges={number for number, made in enumerate(observer.inputs) if made.is_edge},
        excused=[made.excused for made in observer.inputs],
        expected=observer.expected,
        failed_with=observer.failed_with,
        relations=read_relations(
            [*observer.inputs, *observer.checked], given, ties_by_value="ties" in observer.prose.requirements
        ),
        unmoved=given,
    )
    behaviours = ranked(compared, answers, documented=observer.documented)
    if added := _model_costs(session, behaviours):
        read = [
            ((one, cost + added[one.candidate.id]), answer)
            for (one, cost), answer in zip(compared, answers, strict=True)
        ]
        read.sort(key=lambda pair: pair[0][1])
        compared, answers = [pair for pair, _ in read], [answer for _, answer in read]
        behaviours = ranked(compared, answers, documented=observer.documented)
    if ties := _ties(behaviours, observer):
        behaviours = ranked(compared, answers, documented={**observer.documented, **ties})
    quotes = _decisive(behaviours, observer)
    answered: list[Question] = []
    unmet: tuple[str, ...] = ()
    if ask is not None:
        agreeing, answered = _asked(behaviours, observer, ask)
        behaviours = agreeing or behaviours
        unmet = () if agreeing else told_checks(answered)
    open_questions = best_questions(behaviours, observer.inputs) if ask is None else []
    questions = (*answered, *open_questions)
    asked_for, costs = _asked_bits(session), _costs(compared)
    return RankedChoice(tuple(behaviours), len(compared), questions, quotes, unmet, asked_for, costs)


def _costs(priced: Sequence[tuple[RankedCandidate, float]]) -> dict[str, float]:
    return {ranked.candidate.id: cost for ranked, cost in priced}


def _asked_bits(session: RepairSession) -> float:
    results = session.baseline.verdict.results
    return asked_bits(results[check] for check in session.baseline.red)


def _ties(behaviours: Sequence[Behaviour], observer: Observer) -> Mapping[int, DocumentedExample]:
    """What prose says of the inputs on which the two best behaviours differ, where these are ties."""
    rule = observer.prose.tie
    if rule is None or len(behaviours) < 2:
        return {}
    return tied_outcomes(rule, behaviours[0].answers, behaviours[1].answers, observer.inputs)


def told_checks(questions: Sequence[Question]) -> tuple[str, ...]:
    """The checks for what the user answered."""
    return tuple(question.answers[question.answered].check for question in questions if question.answered is not None)


def _decisive(behaviours: Sequence[Behaviour], observer: Observer) -> tuple[str, ...]:
    best = behaviours[0].answers
    answered = tuple(
        example.quote
        for place, example in observer.documented.items()
        if place < len(best)
        and agrees(best[place], example.answer)
        and any(not agrees(answer, example.answer) for b in behaviours for answer in b.answers[place : place + 1])
    )
    first, *others = [behaviour.best.candidate.source for behaviour in behaviours]
    return tuple(dict.fromkeys((*answered, *decisive_quotes(observer.prose, first, others[:_RIVALS]))))


def _asked(behaviours: list[Behaviour], observer: Observer, ask: Ask) -> tuple[list[Behaviour], list[Question]]:
    """The behaviours that agree with the user's answers, if any does, and the questions with their answers."""
    asked: list[Question] = []
    inputs = observer.inputs
    while len(asked) < MOST_QUESTIONS and (question := next_question(behaviours, inputs)) is not None:
        said = ask(question)
        told = with_answer(question, inputs, said) if isinstance(said, str) else replace(question, answered=said)
        asked.append(told)
        if told.answered is None:
            break
        agreeing = keep_agreeing(behaviours, inputs, told, told.answers[told.answered].value)
        total = sum(behaviour.share for behaviour in agreeing)
        behaviours = [replace(behaviour, share=behaviour.share / total) for behaviour in agreeing]
    return behaviours, asked


def _priced(
    session: RepairSession, plausible: Sequence[RankedCandidate], observer: Observer
) -> list[tuple[RankedCandidate, float]]:
    """With costs, the best first."""
    checks = checks_text(session.task)
    priced = priced_candidates(plausible, observer.source, checks, NgramScorer(), observer.prose)
    return [(one.ranked, one.cost) for one in priced]


def _model_costs(session: RepairSession, behaviours: Sequence[Behaviour]) -> dict[str, float]:
    """By the candidate's id, what a language model's doubts of it cost, in changed tokens; empty where none is asked.

    What it did not read costs as much as the worst that it did. A service that fails to rank costs no repair.
    """
    model = session.resources.scorer
    candidates = [ranked.candidate for behaviour in behaviours for ranked in behaviour.members]
    if model is None or len(candidates) < 2:
        return {}
    best = [behaviour.best.candidate for behaviour in behaviours]
    asked = list({one.id: one for one in (*best, *candidates)}.values())[:_MOST_ASKED_OF_MODEL]
    try:
        nats = model.log_probabilities([one.source for one in asked], session.task.statement)
    except ModelError as error:
        session.notify("minimising", f"the model of --rank-model could not rank: {error}")
        return {}
    costs = {one.id: (max(nats) - found) / _MODEL_NATS_PER_TOKEN for one, found in zip(asked, nats, strict=True)}
    worst = max(costs.values())
    return {one.id: costs.get(one.id, worst) for one in candidates}
