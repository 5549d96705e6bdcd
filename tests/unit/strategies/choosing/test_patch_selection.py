"""Which of the plausible is handed over?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import pytest

from regreen.errors import ModelError
from regreen.propose.search.mutation import Mutation, splice_edits
from regreen.select import RankedCandidate
from regreen.select.inputs.further_inputs import MadeInput
from regreen.select.inputs.scenarios import read_scenarios
from regreen.strategies.choosing.behaviours import Observer
from regreen.strategies.choosing.patch_selection import (
    SelectedPatch,
    best_passing,
    minimise_partial,
    minimise_patch,
    select_patch,
    share_what_is_left,
)
from regreen.strategies.session import RepairSession
from regreen.types import (
    Alternative,
    Answers,
    Attempt,
    Candidate,
    Check,
    CheckResult,
    Edit,
    Isolation,
    Outcome,
    Question,
    Step,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Verdict,
)
from regreen.verify.baseline import Baseline

SOURCE = "def ok(xs, t):\n    for x in xs:\n        if x >= t:\n            return True\n    return False\n"
SUITE = Suite(SuiteKind.SCRIPT, "assert ok([1], 2)", (Check("check-1", "assert ok([1], 2)"),))
TASK = Task("t", SOURCE, "ok", SUITE)
GREEN = Verdict({"check-1": CheckResult(Outcome.PASSED)})
RED = Verdict({"check-1": CheckResult(Outcome.FAILED)})


@dataclass
class FakeResources:
    """No model of how people write: the size of a change ranks it."""

    scorer: None = None


@dataclass
class FakeSession:
    """A session whose proofs a test decides."""

    prove: Callable[..., Verdict]
    task: Task = TASK
    resources: FakeResources = field(default_factory=FakeResources)
    notes: list[str] = field(default_factory=list)
    baseline: Baseline = field(default_factory=lambda: Baseline(TASK.suite, Verdict({})))

    def notify(self, phase: str, note: str = "") -> None:
        """Keep what a listener would be told."""
        self.notes.append(f"{phase}: {note}")


def change(old: str, new: str, *more: tuple[str, str], score: float = 0.5) -> Mutation:
    """A mutation that replaces the first occurrence of each text."""
    edits = [
        Edit(SOURCE.index(before), SOURCE.index(before) + len(before), after) for before, after in ((old, new), *more)
    ]
    return Mutation(tuple(sorted(edits, key=lambda e: e.start)), "test", score, 1)


def candidate(mutation: Mutation) -> Candidate:
    """The whole program with a mutation applied."""
    return Candidate(splice_edits(SOURCE, mutation.edits), f"search:{mutation.template}")


def select(prove: Callable[..., Verdict], *mutations: Mutation) -> tuple[Attempt, list[Attempt]]:
    """The patch that is chosen among plausible mutations of which the first is proven, and all attempts after it."""
    attempts = [Attempt(candidate(mutations[0]), GREEN)]
    ranked = [RankedCandidate(candidate(mutation), mutation.score, mutation.line) for mutation in mutations]
    return selected(FakeSession(prove), ranked, attempts).chosen, attempts


def selected(
    session: FakeSession,
    ranked: list[RankedCandidate],
    attempts: list[Attempt],
    answers: Mapping[str, Answers] = MappingProxyType({}),
    **options: Any,
) -> SelectedPatch:
    """What is selected where an observer sees these programs give these answers, and all others alike."""
    checks = tuple(Check(f"assert ok({xs}, 2)", f"assert ok({xs}, 2)") for xs in ("[1]", "[2, 3]"))
    steps = tuple(Step(check.code, check.id) for check in checks)
    observer = Observer(
        SOURCE, [MadeInput(s) for s in read_scenarios(Suite(SuiteKind.SCRIPT, "", checks, steps), {"ok"})]
    )
    observer.answers = lambda programs: [answers.get(p, ("True", "True")) for p in programs]  # type: ignore[method-assign]
    return select_patch(cast(RepairSession, session), ranked, attempts, observer, **options)


BEHAVIOURS = change(">=", ">"), change(">=", "<"), change("True", "t")
ANSWERS = dict(
    zip(
        (splice_edits(SOURCE, mutation.edits) for mutation in BEHAVIOURS),
        [("True", "False"), ("False", "False"), ("2", "2")],
        strict=True,
    )
)


def test_other_behaviours_are_handed_over_too_where_they_are_asked_for() -> None:
    """Proven, the likeliest first, each with how likely it is, beside the questions that tell them apart."""
    ranked = [RankedCandidate(candidate(mutation), mutation.score, 1) for mutation in BEHAVIOURS]
    attempts = [Attempt(ranked[0].candidate, GREEN)]
    alone = selected(FakeSession(green), ranked, attempts, ANSWERS)
    assert alone.alternatives == ()
    both = selected(FakeSession(green), ranked, attempts, ANSWERS, alternatives=2)
    assert both.chosen == alone.chosen
    others = {other.candidate.id for other in both.alternatives}
    assert others == {r.candidate.id for r in ranked} - {both.chosen.candidate.id}
    assert both.likelihood is not None
    assert all(0 < other.likelihood <= both.likelihood < 1 for other in both.alternatives)
    assert both.questions[0].input in ("ok([1], 2)", "ok([2, 3], 2)")
    refused = selected(FakeSession(red), ranked, attempts, ANSWERS, alternatives=2)
    assert refused.alternatives == ()


def test_an_answer_of_the_user_decides() -> None:
    """Only behaviours that agree with it are left; no answer leaves the order as it was."""
    ranked = [RankedCandidate(candidate(mutation), mutation.score, 1) for mutation in BEHAVIOURS]
    attempts = [Attempt(ranked[0].candidate, GREEN)]
    asked: list[Question] = []

    def answer(value: str) -> Callable[[Question], int | None]:
        def ask(question: Question) -> int | None:
            asked.append(question)
            return next((n for n, a in enumerate(question.answers) if a.value == value), None)

        return ask

    told = selected(FakeSession(green), ranked, attempts, ANSWERS, ask=answer("False"))
    assert asked[0].answers[told.questions[0].answered or 0].value == "False"
    assert told.chosen.candidate.source in {source for source, answers in ANSWERS.items() if "False" in answers}
    assert told.likelihood is not None
    silent = selected(FakeSession(green), ranked, attempts, ANSWERS, ask=lambda question: None)
    assert silent.chosen == selected(FakeSession(green), ranked, attempts, ANSWERS).chosen
    assert [question.answered for question in silent.questions] == [None]


def test_an_answer_that_nothing_gives_is_told_as_a_check() -> None:
    """What passes is no repair then; one that a less likely behaviour gives decides as any other."""
    ranked = [RankedCandidate(candidate(mutation), mutation.score, 1) for mutation in BEHAVIOURS]
    attempts = [Attempt(ranked[0].candidate, GREEN)]
    found = selected(FakeSession(green), ranked, attempts, ANSWERS, ask=lambda question: "7")
    assert found.unmet == (f"assert {found.questions[0].input} == 7\n",)
    assert found.likelihood is None
    assert found.questions[0].answers[found.questions[0].answered or 0].value == "7"
    unsure = selected(FakeSession(green), ranked, attempts, ANSWERS, ask=lambda question: "<object>")
    assert (unsure.unmet, unsure.questions[0].answered) == ((), None)


def green(candidate: Candidate, **options: object) -> Verdict:
    """The proof of a judge whom all candidates please."""
    return GREEN


def red(candidate: Candidate, **options: object) -> Verdict:
    """The proof of a judge whom no candidate pleases."""
    return RED


def test_two_lines_that_were_changed_together_are_not_mixed_into_a_third_program() -> None:
    """Undoing parts of a change undoes whole lines: `return` with its value cut off is nobody's repair."""
    swap = change("True", "False", ("return False", "return True"))

    def prove(candidate: Candidate, *, fail_fast: bool = False, seconds: float | None = None) -> Verdict:
        lines = candidate.source.splitlines()
        return GREEN if "return True" not in lines[3] and "return True" in candidate.source else RED

    chosen, _ = select(prove, swap)
    assert chosen.candidate.source == splice_edits(SOURCE, swap.edits)


def test_the_smaller_change_is_preferred_to_the_one_that_was_found_first() -> None:
    """What was found first is only the first: the choice looks at all that pass."""
    large = change("x >= t", "x > t + 1 - 1")
    small = change(">=", ">")
    chosen, _ = select(green, large, small)
    assert chosen.candidate.source == splice_edits(SOURCE, small.edits)


def test_a_plausible_change_that_the_judge_refuses_is_not_handed_over() -> None:
    """Screening is a hint; only a proof counts."""
    large = change("x >= t", "x > t + 1 - 1")
    small = change(">=", ">")
    chosen, attempts = select(red, large, small)
    assert chosen.candidate.source == splice_edits(SOURCE, large.edits)
    assert [attempt.verdict.passed for attempt in attempts] == [True, False]


def test_only_so_many_are_put_before_the_judge() -> None:
    """The choice has an end, however many pass the screening."""
    first = change("x >= t", "x > t + 1 - 1 + 2 - 2")
    others = [change(">=", sign) for sign in (">", "<", "<=", "==", "!=", "is", "in", "is not")]
    _, attempts = select(red, first, *others)
    assert 1 < len(attempts) < len(others)


def attempt(source: str, verdict: Verdict = GREEN) -> Attempt:
    return Attempt(Candidate(source, "model:draft"), verdict)


def test_a_doubtful_candidate_comes_after_any_other_that_passes() -> None:
    """The smaller change is not the better one where it answers the check and not the question."""
    special = attempt(SOURCE.replace("for x", "if xs == [99]:\n        return 99\n    for x"))
    honest = attempt(SOURCE.replace("x >= t", "x > t + len(xs) - len(xs) + sum(xs) - sum(xs) + max(xs) - max(xs)"))
    task = replace(TASK, suite=replace(SUITE, checks=(Check("check-1", "assert ok([99], 99) == 99"),)))
    assert best_passing(task, [special, honest, attempt(SOURCE, RED)]) == honest
    assert best_passing(task, [special]) == special
    assert best_passing(task, [attempt(SOURCE, RED)]) is None


def test_a_patch_is_made_smaller_with_patience_where_a_try_costs_little() -> None:
    """A rewrite of many lines, all of which are needed, is tried as often as it may be."""
    shared, slow = replace(GREEN, isolation=Isolation.SHARED), replace(GREEN, seconds=60.0)
    assert tries(GREEN) > 2 * tries(shared) > 0
    assert tries(shared) == tries(slow)


def tries(verdict: Verdict) -> int:
    """How often a patch of many lines, of which each is needed and which got this verdict, is tried smaller."""
    asked: list[str] = []

    def prove(candidate: Candidate, *, fail_fast: bool = False, seconds: float | None = None) -> Verdict:
        asked.append(candidate.source)
        return RED

    rewritten = "".join(f"x{n} = {n}\n" for n in range(40))
    session = cast(RepairSession, FakeSession(prove))
    assert minimise_patch(session, attempt(rewritten, verdict)).candidate.source == rewritten
    return len(asked)


@pytest.mark.parametrize(("stop", "kept"), [(Stop.SECONDS, False), (Stop.INTERRUPTED, True), (Stop.ERROR, True)])
def test_a_partial_repair_has_no_dead_edit(stop: Stop, kept: bool) -> None:
    """A change that turns no check green is undone, unless the user or an error ended the repair."""
    both = candidate(change(">=", ">", ("return False", "return None")))
    better = Verdict({"check-1": CheckResult(Outcome.PASSED), "check-2": CheckResult(Outcome.FAILED)})

    def prove(tried: Candidate, *, fail_fast: bool = False, seconds: float | None = None) -> Verdict:
        assert not fail_fast, "a partial repair fails a check, and those behind it count too"
        return better if "x > t" in tried.source else RED

    best = minimise_partial(cast(RepairSession, FakeSession(prove)), Attempt(both, better), stop)
    assert best is not None
    assert ("return None" in best.candidate.source) is kept
    assert "x > t" in best.candidate.source


ODD, NATURAL = change("return False", "return xs", score=0.6), change("return False", "return None", score=0.5)
"""Two changes of one token, of which the odd one has the better prior."""


def chosen_with(scorer: object) -> tuple[str, list[str]]:
    """The text that is handed over of ODD and NATURAL, and the notes for the listener."""
    session = FakeSession(green)
    session.resources = cast(FakeResources, SimpleNamespace(scorer=scorer))
    ranked = [RankedCandidate(candidate(mutation), mutation.score, mutation.line) for mutation in (ODD, NATURAL)]
    chosen = selected(session, ranked, [Attempt(candidate(ODD), GREEN)]).chosen
    return chosen.candidate.source, session.notes


def test_half_of_a_renaming_is_no_smaller_patch() -> None:
    """Where no check looks, a name that is bound nowhere would be left."""
    source = "def totl(n):\n    return n\n\ndef unchecked():\n    return totl(1)\n"
    session = FakeSession(
        lambda tried, **_: GREEN if "def total" in tried.source else RED, replace(TASK, source=source)
    )
    whole = Attempt(Candidate(source.replace("totl", "total"), "search:rename_definition"), GREEN)
    assert minimise_patch(cast(RepairSession, session), whole) == whole


def test_what_reads_better_is_handed_over() -> None:
    """Although the other has the better prior."""
    assert chosen_with(None) == (candidate(NATURAL).source, [])


class SilentService:
    """A service that is down when the candidates are to be ranked."""

    def log_probabilities(self, programs: object, statement: str = "") -> list[float]:
        """No answer."""
        raise ModelError("the service is down.")


class Reader:
    """A model that finds one text likelier than all others."""

    def __init__(self, liked: str) -> None:
        self.liked = liked
        self.asked: list[tuple[list[str], str]] = []

    def log_probabilities(self, programs: list[str], statement: str = "") -> list[float]:
        """Nats of each."""
        self.asked.append((programs, statement))
        return [0.0 if self.liked in program else -60.0 for program in programs]


def test_a_model_is_asked_beside_the_n_grams() -> None:
    """What it finds likelier by far is handed over, though the other reads better to them."""
    reader = Reader("return xs")
    assert chosen_with(reader) == (candidate(ODD).source, [])
    ((programs, statement),) = reader.asked
    assert sorted(programs) == sorted([candidate(ODD).source, candidate(NATURAL).source])
    assert statement == TASK.statement


def test_a_service_that_cannot_rank_costs_no_repair() -> None:
    """The n-grams rank in its place, and the listener is told."""
    chosen, notes = chosen_with(SilentService())
    assert chosen == candidate(NATURAL).source
    assert "the service is down" in notes[0]


def test_likelihoods_make_no_more_than_a_whole() -> None:
    """Of behaviours only one can be right: alternatives share what the chosen one leaves; less is left as it is."""
    others = [Alternative(Candidate("1", "a"), 0.6), Alternative(Candidate("2", "a"), 0.3)]
    assert [other.likelihood for other in share_what_is_left(others, 0.3)] == pytest.approx([0.2, 0.1])
    assert share_what_is_left(others, 0.95) == tuple(others)
    assert share_what_is_left((), 0.5) == ()
