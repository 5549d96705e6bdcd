"""How many candidates a second and core the search screens, and where the time goes.

    python benchmarks/search.py [--data FILE | --shelf FOLDER] [--candidates 300] [--tasks 40] [--each]

Without --data the programs are those of `bundled`; with it, the buggy programs of the published HumanEvalFix JSONL.
With --shelf they are those of a folder of TOML files such as benchmarks/shelves/history, and their visible checks.
One screener, pinned to one core with the process that feeds it, tries the first candidates of each program's search, as
`regreen fix` would: what hangs has its further chances, which count as no candidates, and nothing stops at a repair.
All times are CPU time of both processes. Rates are medians over the programs, and totals over all of them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regreen.localise import localise
from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.propose.search.mutation import Mutation, ScreenedMutation
from regreen.sandbox.pool import Pool, open_pool
from regreen.strategies.searching.search_pace import CHANCE_EVERY, MutationLimits, late_checks
from regreen.strategies.session import checks_text
from regreen.tasks.humanevalfix import load as load_humanevalfix
from regreen.tasks.shipped import load_bundled, read_shelf
from regreen.types import Limits, Outcome, Task
from regreen.verify.screener_pool import ScreenerPool, open_screeners
from regreen.verify.screening import ScreeningLimits, ScreeningResult, TraceOrder, may_be_reordered
from regreen.verify.suites import read_suite

BATCH = 64


@dataclass(frozen=True)
class Measured:
    """One program's search."""

    task: str
    tried: int
    hung: int
    propose_seconds: float
    screen_seconds: float

    @property
    def rate(self) -> float:
        """Candidates a second, proposing and screening together."""
        return self.tried / (self.propose_seconds + self.screen_seconds)


def tasks(data: Path | None, shelf: Path | None) -> Iterator[Task]:
    """The buggy programs with all of their checks; those of a shelf with the checks that a user would have."""
    if shelf is not None:
        yield from (case.task for case in read_shelf(shelf, shelf.name, read_suite))
        return
    cases = load_humanevalfix(data, read_suite) if data else load_bundled(read_suite)
    for case in cases:
        yield Task(case.task.id, case.task.source, case.task.entry_point, case.hidden, case.task.statement)


def measure(pool: Pool, task: Task, candidates: int) -> Measured | None:
    """Screen the first candidates of a search; None when nothing is red or the program itself does not end."""
    with open_screeners(pool, task.source, task.suite, Limits(), {}, size=1) as team:
        traced = team.trace(TraceOrder(0.2))
        outcomes = {r.outcome for r in traced.results.values()}
        if outcomes <= {Outcome.PASSED} or Outcome.TIMED_OUT in outcomes:
            return None
        sites = localise(task.source, traced.coverage, traced.results, traced.raised, traced.hung, task.entry_point)
        clues = gather_clues(
            task.source, entry_point=task.entry_point, statement=task.statement, checks_text=checks_text(task)
        )
        green = frozenset(c for c, r in traced.results.items() if r.outcome is Outcome.PASSED)
        late = late_checks(traced, green) if may_be_reordered(task.suite) else frozenset()
        limits = MutationLimits.of(traced, Limits().seconds, late=late)
        search = BestFirstSearch(task.source, sites, clues)
        search.baseline(green, 1.0)
        tried = hung = 0
        propose = screen = 0.0
        waiting: list[list[Mutation]] = [[] for _ in limits.chances]
        while tried < candidates:
            started = time.process_time()
            batch = search.next_batch(min(BATCH, candidates - tried))
            propose += time.process_time() - started
            if not batch:
                break
            answers, seconds = screened(team, batch, green, limits.first)
            screen += seconds
            waiting[0] += [m for m, a in zip(batch, answers, strict=True) if a.status == "hung"]
            screen += further_chances(team, waiting, green, limits, tried // BATCH)
            search.learn(
                [ScreenedMutation(m, "failed", a.passed, a.distance) for m, a in zip(batch, answers, strict=True)]
            )
            tried += len(batch)
            hung += sum(a.status in ("hung", "crashed", "memory") for a in answers)
    return Measured(task.id, tried, hung, propose, screen) if tried else None


def screened(
    team: ScreenerPool, batch: Sequence[Mutation], green: frozenset[str], limits: ScreeningLimits
) -> tuple[list[ScreeningResult], float]:
    """The answers, and the CPU seconds that they took."""
    server = team.screeners[0].server
    before, started = server.cpu_seconds(), time.process_time()
    answers = team.screen([m.edits for m in batch], green, limits)
    spent, after = time.process_time() - started, server.cpu_seconds()
    # A process that was lost takes its count with it.
    return answers, spent + (after - before if after >= before else after)


def further_chances(
    team: ScreenerPool, waiting: list[list[Mutation]], green: frozenset[str], limits: MutationLimits, batches: int
) -> float:
    """Try some that hung again, as SearchLoop does after a batch; returns the CPU seconds that it took."""
    seconds = 0.0
    for chance, every in enumerate(CHANCE_EVERY[1 - len(limits.chances) :], 1):
        count = (batches + 1) * BATCH // every - batches * BATCH // every
        again, waiting[chance - 1] = waiting[chance - 1][:count], waiting[chance - 1][count:]
        if again:
            answers, spent = screened(team, again, green, limits.chances[chance])
            waiting[chance] += [m for m, a in zip(again, answers, strict=True) if a.status == "hung"]
            seconds += spent
    return seconds


def show(title: str, rows: list[Measured]) -> None:
    """One line of the table."""
    if not rows:
        return
    tried = sum(r.tried for r in rows)
    propose, screen = sum(r.propose_seconds for r in rows), sum(r.screen_seconds for r in rows)
    median = statistics.median(r.rate for r in rows)
    print(
        f"{title:<34}{len(rows):>9}{tried:>12}{sum(r.hung for r in rows):>7}{tried / (propose + screen):>12.0f}"
        f"{median:>10.0f}{propose / tried * 1e6:>13.0f}{screen / tried * 1e6:>12.0f}"
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the published HumanEvalFix JSONL; `bundled` without it")
    parser.add_argument("--shelf", type=Path, help="a folder of TOML files with tasks")
    parser.add_argument("--each", action="store_true", help="a line for each program as well")
    parser.add_argument("--candidates", type=int, default=300, help="candidates a program")
    parser.add_argument("--tasks", type=int, default=60, help="programs at most")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_file():
        print(f"{options.data} is not there; get HumanEvalFix's Python JSONL, or leave --data out.", file=sys.stderr)
        return 2
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rows: list[Measured] = []
    with open_pool() as pool:
        for task in tasks(options.data, options.shelf):
            measured = measure(pool, task, options.candidates)
            if measured is not None:
                rows.append(measured)
            if len(rows) == options.tasks:
                break
    print(
        f"{'':<34}{'programs':>9}{'candidates':>12}{'hung':>7}{'per second':>12}{'median':>10}"
        f"{'us propose':>13}{'us screen':>12}"
    )
    for row in rows if options.each else ():
        show(row.task, [row])
    show("all", rows)
    show("programs without a hung candidate", [r for r in rows if not r.hung])
    show("programs with one", [r for r in rows if r.hung])
    return 0


if __name__ == "__main__":
    sys.exit(main())
