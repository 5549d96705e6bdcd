"""The strategy that needs no model: generate and validate over the program's own text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from regreen.select.questions import MOST_QUESTIONS
from regreen.strategies.choosing.patch_selection import SelectedPatch, best_passing, minimise_partial
from regreen.strategies.events import Listener, ignore
from regreen.strategies.repair_result import repair_result
from regreen.strategies.repair_spans import NO_SPANS, RepairSpans
from regreen.strategies.resources import Resources
from regreen.strategies.searching.guesses import guess_changes
from regreen.strategies.searching.search_run import SearchRun
from regreen.strategies.session import RepairSession
from regreen.types import Attempt, Repair, Stop, Suite, Task
from regreen.verify.added_checks import suite_with_checks

_CUT_SHORT = (
    "The time (max_seconds) ended the search after {} of at most {} candidates: with more of it, or on a machine with "
    "less to do, there might be another answer."
)
_UNMET = "You answered `{}`, which nothing that passed gives."


class Search:
    """Repairs tasks by search; may be used from several threads."""

    name = "search"

    def __init__(self, resources: Resources, *, spans: RepairSpans = NO_SPANS) -> None:
        self._resources = resources
        self._spans = spans

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget. The same task and seed give the same candidates in the same order."""
        session = RepairSession(self._resources, task, seed=seed, on_event=on_event, spans=self._spans)
        with self._spans.repair(self.name, task.id, seed) as record, session.holding_core():
            repair = _search(session)
            record(repair)
        return repair


def _without_clue(session: RepairSession) -> Repair:
    """The outcome where no check may be run."""
    return repair_result(
        session, Stop.NOTHING_RED, None, best=None, attempts=(), sites=(), candidates=0, duplicates=0, seconds={}
    )


def _search(session: RepairSession) -> Repair:
    """One repair from the first run of the checks to the hand-over.

    Where nothing that passes gives what the user answered, the search goes on with the answers as checks.
    """
    repair, unmet = _searched(session)
    suite = suite_with_checks(session.task, unmet) if unmet else None
    if suite is None:
        return repair
    again, _ = _searched(_session_with(session, suite, repair), [_UNMET.format(check.strip()) for check in unmet])
    return _joined(repair, again)


def _session_with(session: RepairSession, suite: Suite, repair: Repair) -> RepairSession:
    """A session with these checks, and what the search has left of the budget; no more is asked than in one."""
    resources = session.resources
    left = max(0, session.budget.candidates - repair.cost.candidates)
    asked = len(repair.questions) >= MOST_QUESTIONS
    further = RepairSession(
        replace(resources, budget=replace(session.budget, candidates=left), ask=None if asked else resources.ask),
        replace(session.task, suite=suite),
        seed=session.seed,
        on_event=session.on_event,
        spans=session.spans,
        started=session.started,
    )
    further.waited, further.progress = session.waited, session.progress
    return further


def _joined(first: Repair, second: Repair) -> Repair:
    """The second repair, with what came before it counted."""
    cost, more = first.cost, second.cost
    timings = {stage: cost.timings.get(stage, 0.0) + seconds for stage, seconds in more.timings.items()}
    candidates, duplicates = cost.candidates + more.candidates, cost.duplicates + more.duplicates
    return replace(
        second,
        attempts=(*first.attempts, *second.attempts),
        questions=(*first.questions, *second.questions),
        cost=replace(more, candidates=candidates, duplicates=duplicates, timings=timings),
    )


def _searched(session: RepairSession, told: Sequence[str] = ()) -> tuple[Repair, tuple[str, ...]]:
    """One search with its hand-over, and checks for what the user answered where nothing gives it.

    An interrupt ends it early, with what there is; `told` are sentences for the explanation.
    """
    if session.task.known_wrong and not session.may_run_checks:
        # Nothing shows the fault, so there is nothing to search by, and nothing to believe.
        return _without_clue(session), ()
    baseline = session.examine()
    run = SearchRun(session, session.task.source, baseline, budget=session.budget)
    chosen: Attempt | None = None
    selection: SelectedPatch | None = None
    try:
        stop = run.run() if baseline.red else Stop.NOTHING_RED
        if stop is Stop.FIXED:
            selection = run.select_patch()
            chosen = None if selection.unmet else selection.chosen
            stop = Stop.EXHAUSTED if selection.unmet else stop
        elif stop is Stop.NOTHING_RED and session.task.known_wrong:
            chosen = next((guess.attempt for guess in guess_changes(session, run, 1)), None)
            stop = Stop.GUESSED if chosen else stop
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
        chosen = best_passing(session.reliable_task, run.findings.attempts)
    near_misses = [] if chosen or stop is Stop.NOTHING_RED else run.judge_near_misses(1)
    repair = repair_result(
        session,
        stop,
        chosen,
        selection=selection,
        best=minimise_partial(session, near_misses[0] if near_misses else None, stop),
        attempts=run.findings.attempts,
        sites=run.sites,
        candidates=run.findings.tried,
        duplicates=run.findings.duplicates,
        seconds=run.findings.seconds,
        notes=[
            *told,
            *(_UNMET.format(check.strip()) for check in (selection.unmet if selection else ())),
            *(f"Of what passes, the prose decided: `{quote}`" for quote in (selection.quotes if selection else ())),
            *_cut_short(session, run),
        ],
    )
    return repair, selection.unmet if selection else ()


def _cut_short(session: RepairSession, run: SearchRun) -> list[str]:
    """That the time ended the search, where it did."""
    return [_CUT_SHORT.format(run.findings.tried, session.budget.candidates)] if run.findings.cut_short else []
