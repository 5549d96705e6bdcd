"""Builds a Repair from what a strategy did, with its cost and its explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from regreen.strategies.choosing.patch_selection import SelectedPatch
from regreen.strategies.explanation import explain_repair
from regreen.strategies.session import RepairSession
from regreen.types import STAGES, Attempt, Cost, Repair, Site, Stop, Turn, Verdict


def repair_result(
    session: RepairSession,
    stop: Stop,
    chosen: Attempt | None,
    *,
    best: Attempt | None,
    selection: SelectedPatch | None = None,
    attempts: Sequence[Attempt],
    sites: Sequence[Site],
    candidates: int,
    duplicates: int,
    seconds: Mapping[str, float],
    searches: Sequence[int] = (),
    turns: Sequence[Turn] = (),
    notes: Sequence[str] = (),
) -> Repair:
    """The outcome of a session.

    `best` is the best partial result where there is no `chosen`, `selection` how a search came to it; `seconds` are by
    stage, those of the baseline left out; `notes` are sentences that the explanation quotes.
    """
    baseline = session.baseline if session.is_examined else None
    before = baseline.verdict if baseline else Verdict({})
    timings = dict.fromkeys(STAGES, 0.0) | dict(seconds)
    timings["execute"] += session.baseline_seconds
    likelihood = selection.likelihood if selection else None
    cost = Cost(
        candidates=candidates,
        duplicates=duplicates,
        searches=tuple(searches),
        seconds=session.seconds,
        waited=session.waited,
        timings=timings,
        model_calls=sum(not turn.was_refused for turn in turns),
        usd=price_of_turns(turns),
    )
    return Repair(
        task_id=session.task.id,
        chosen=chosen,
        before=before,
        attempts=tuple(attempts),
        cost=cost,
        stop=stop,
        sites=tuple(sites),
        best=best,
        flaky=baseline.flaky if baseline else (),
        obstacles=session.obstacles,
        explanation=explain_repair(
            session.reliable_task, before, chosen, best, sites, cost, stop, turns, notes, likelihood
        ),
        turns=tuple(turns),
        likelihood=likelihood,
        alternatives=selection.alternatives if selection else (),
        questions=selection.questions if selection else (),
    )


def price_of_turns(turns: Sequence[Turn]) -> float | None:
    """US dollars of all requests; None where one of them went to a model whose price is unknown."""
    prices = [turn.usd for turn in turns]
    return None if None in prices else sum(price or 0.0 for price in prices)
