"""How often the right one is chosen among the repairs that pass the visible checks.

    python benchmarks/choice.py [--data FILE] [--extra FILE] [--tasks even] [--seconds 30]

Without --data the programs are those of `bundled`; with it, those of the published HumanEvalFix JSONL, of which --tasks
takes the even or the odd ones. The search sees the visible checks alone, as `regreen eval --feedback examples`. Its
plausible candidates are ranked with and without the model of natural code, and each is judged by the hidden checks,
and by those of --extra.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regreen.config import load_settings
from regreen.select import NgramScorer, RankedCandidate, rank_candidates
from regreen.strategies.resources import Resources, open_resources
from regreen.strategies.search_run import SearchRun
from regreen.strategies.session import RepairSession, checks_text
from regreen.tasks.extra_checks import add_extra_checks
from regreen.tasks.humanevalfix import load as load_humanevalfix
from regreen.tasks.shipped import load_bundled
from regreen.types import Case
from regreen.verify.suites import read_suite

FIRST = 5


@dataclass(frozen=True)
class Chosen:
    """One task's candidates, best first in both orders: whether each is right."""

    by_cost: tuple[bool, ...]
    with_model: tuple[bool, ...]

    @property
    def is_contested(self) -> bool:
        """Whether there is a choice between right and wrong."""
        return len(set(self.by_cost)) == 2


def cases_of(data: Path | None, extra: Path | None, tasks: str) -> tuple[Case, ...]:
    """The cases of a data set, with the extra checks where there are any."""
    if data is None:
        return load_bundled(read_suite)
    cases = load_humanevalfix(data, read_suite)
    if extra is not None:
        cases = add_extra_checks(cases, extra, read_suite, dataset="humanevalfix", known={c.task.id for c in cases})
    wanted = {"all": (0, 1), "even": (0,), "odd": (1,)}[tasks]
    return tuple(case for case in cases if int(case.task.id.rsplit("/", 1)[1]) % 2 in wanted)


def plausible(resources: Resources, case: Case) -> list[RankedCandidate]:
    """What a search finds that passes the visible checks; nothing where none of them is red."""
    if not case.task.suite.checks:
        return []
    session = RepairSession(resources, case.task)
    baseline = session.examine()
    if not baseline.red:
        return []
    run = SearchRun(session, case.task.source, baseline, budget=session.budget)
    run.run()
    return run.plausible_candidates()


def is_right(resources: Resources, case: Case, source: str) -> bool:
    """Whether a program passes the hidden checks, and the extra ones."""
    suites = [suite for suite in (case.hidden, case.extra) if suite is not None]
    return all(resources.judge.judge(source, suite, resources.limits).passed for suite in suites)


def measure(resources: Resources, case: Case) -> Chosen | None:
    """Search, rank twice, and judge everything once; None where the search finds nothing."""
    found = plausible(resources, case)
    if not found:
        return None
    right = {r.candidate.id: is_right(resources, case, r.candidate.source) for r in found}
    orders = [
        tuple(right[r.candidate.id] for r in rank_candidates(found, case.task.source, checks_text(case.task), scorer))
        for scorer in (None, NgramScorer())
    ]
    return Chosen(*orders)


def show(title: str, orders: Sequence[tuple[bool, ...]]) -> None:
    """One line of the table."""
    print(f"{title:<24}{sum(o[0] for o in orders):>13}{sum(any(o[:FIRST]) for o in orders):>20}{len(orders):>9}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the published HumanEvalFix JSONL; `bundled` without it")
    parser.add_argument("--extra", type=Path, help="rows of extra checks for it")
    parser.add_argument("--tasks", choices=("all", "even", "odd"), default="even", help="which tasks of --data")
    parser.add_argument("--seconds", type=float, default=30, help="of one search")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_file():
        print(f"{options.data} is not there; get HumanEvalFix's Python JSONL, or leave --data out.", file=sys.stderr)
        return 2
    cases = cases_of(options.data, options.extra, options.tasks)
    with open_resources(load_settings()) as opened:
        resources = replace(opened, budget=replace(opened.budget, seconds=options.seconds))
        found = [chosen for case in cases if (chosen := measure(resources, case)) is not None]
    contested = [chosen for chosen in found if chosen.is_contested]
    print(f"{len(cases)} tasks; a repair of {len(found)} passes the visible checks")
    print(f"{'':<24}{'first right':>13}{f'among first {FIRST}':>20}{'lists':>9}")
    for title, some in (("all", found), ("right and wrong in it", contested)):
        show(f"{title}: by cost", [chosen.by_cost for chosen in some])
        show(f"{'':{len(title)}}  with model", [chosen.with_model for chosen in some])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
