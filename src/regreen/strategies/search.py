"""The strategy that needs no model: generate and validate over the program's own text."""

from __future__ import annotations

from regreen.strategies.events import Listener, ignore
from regreen.strategies.guesses import guess_changes
from regreen.strategies.patch_selection import SelectedPatch, best_passing, minimise_partial
from regreen.strategies.repair_result import repair_result
from regreen.strategies.repair_spans import NO_SPANS, RepairSpans
from regreen.strategies.resources import Resources
from regreen.strategies.search_run import SearchRun
from regreen.strategies.session import RepairSession
from regreen.types import Attempt, Repair, Stop, Task

_CUT_SHORT = (
    "The time (max_seconds) ended the search after {} of at most {} candidates: with more of it, or on a machine with "
    "less to do, there might be another answer."
)


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
    """One repair from the first run of the checks to the hand-over; an interrupt ends it early, with what there is."""
    if session.task.known_wrong and not session.may_run_checks:
        # Nothing shows the fault, so there is nothing to search by, and nothing to believe.
        return _without_clue(session)
    baseline = session.examine()
    run = SearchRun(session, session.task.source, baseline, budget=session.budget)
    chosen: Attempt | None = None
    selection: SelectedPatch | None = None
    try:
        stop = run.run() if baseline.red else Stop.NOTHING_RED
        if stop is Stop.FIXED:
            selection = run.select_patch()
            chosen = selection.chosen
        elif stop is Stop.NOTHING_RED and session.task.known_wrong:
            chosen = next((guess.attempt for guess in guess_changes(session, run, 1)), None)
            stop = Stop.GUESSED if chosen else stop
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
        chosen = best_passing(session.reliable_task, run.findings.attempts)
    near_misses = [] if chosen or stop is Stop.NOTHING_RED else run.judge_near_misses(1)
    return repair_result(
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
            *(f"Of what passes, the prose decided: `{quote}`" for quote in (selection.quotes if selection else ())),
            *_cut_short(session, run),
        ],
    )


def _cut_short(session: RepairSession, run: SearchRun) -> list[str]:
    """That the time ended the search, where it did."""
    return [_CUT_SHORT.format(run.findings.tried, session.budget.candidates)] if run.findings.cut_short else []
