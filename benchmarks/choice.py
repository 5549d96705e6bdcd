"""How often the right one is chosen among the repairs that pass the visible checks, and how often it is known to be.

    python benchmarks/choice.py [--data FILE] [--extra FILE] [--tasks even] [--feedback all] [--shelf FOLDER]
        [--slips SEED | --losses SEED] [--found FILE] [--rows FILE] [--lists FILE] [--rank-model local:FILE.gguf]

Without --data the programs are those of `bundled`; with it, those of the published HumanEvalFix JSONL, of which --tasks
takes the even or the odd ones; with --shelf, those of a folder of TOML files such as benchmarks/shelves/everyday. The
search sees the visible checks alone, as `regreen eval --feedback examples`, or with --feedback all the hidden ones. Its
plausible candidates are ranked by their cost, with the model of natural code, by what prose says and by what they do;
each is judged by the hidden checks, and by those of --extra. With --slips, the programs are the right ones with one
slip made in each, and one to four checks are visible; with --losses, with one part taken out of each, and the visible
checks are the task's own. --rows appends the features of each first choice, for
training/fit_likelihood.py, and --lists what each behaviour costs, for training/fit_ranking.py,
training/fit_chance.py and training/fit_signs.py. --rank-model has a language model rank behaviours, too. Where the
visible checks are green, what `regreen fix --suspect` lists is judged.
--found keeps what the searches found, with the verdicts: the next run with that file searches only what is not in it,
so that another order of the same candidates is measured in a minute.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lost_parts import with_loss
from made_slips import with_slip

from regreen.config import load_settings
from regreen.select import NgramScorer, RankedCandidate, rank_candidates
from regreen.select.cost import CostParts
from regreen.select.likelihood import RepairEvidence, likelihood_features, likelihood_from
from regreen.select.prose.prose_agreement import NO_PROSE, read_prose
from regreen.select.rank import priced_candidates
from regreen.select.signs.change_signs import SIGNS
from regreen.select.signs.program_flaws import FLAWS
from regreen.strategies.choosing.behaviours import open_observer
from regreen.strategies.choosing.choice import rank_by_behaviour
from regreen.strategies.resources import Resources, open_resources
from regreen.strategies.searching.guesses import guess_changes
from regreen.strategies.searching.search_run import SearchRun
from regreen.strategies.session import RepairSession, checks_text
from regreen.tasks.extra_checks import add_extra_checks
from regreen.tasks.humanevalfix import load as load_humanevalfix
from regreen.tasks.shipped import load_bundled, read_shelf
from regreen.types import Candidate, Case
from regreen.verify.baseline import judge_given
from regreen.verify.suites import read_suite

FIRST = 5
DOUBTFUL = 0.5
BINS = 5


@dataclass(frozen=True)
class BehaviourCost:
    """Why a behaviour stands where it does: what its best candidate costs."""

    origin: str
    parts: CostParts
    beyond: float
    """What the behaviour costs beyond the parts, in changed tokens."""
    signs: dict[str, float]
    """How often each sign and flaw was counted that was counted at all."""


@dataclass(frozen=True)
class Chosen:
    """One task's candidates, best first in each order: whether each is right."""

    program: str
    by_cost: tuple[bool, ...]
    natural: tuple[bool, ...]
    by_prose: tuple[bool, ...]
    """By cost, n-grams and what prose says."""
    behaviours: tuple[bool, ...]
    """Of the best candidate of each behaviour."""
    features: tuple[float, ...]
    """Of the first behaviour."""
    costs: tuple[BehaviourCost, ...]
    """Of each behaviour."""

    @property
    def is_contested(self) -> bool:
        """Whether there is a choice between right and wrong."""
        return len(set(self.by_cost)) == 2

    @property
    def likelihood(self) -> float:
        """How likely the first choice is said to be right."""
        return likelihood_from(self.features)


@dataclass(frozen=True)
class Found:
    """What a search found for one task: candidates that pass what it saw, and which of them are right."""

    plausible: tuple[RankedCandidate, ...]
    right: frozenset[str]
    """Ids of candidates."""


class FoundFile:
    """A file of what searches found, by task and program; without a path, nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Found] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else ():
            row = json.loads(line)
            candidates = [
                RankedCandidate(Candidate(source, origin, parent, note), prior, at)
                for source, origin, parent, note, prior, at, _ in row["candidates"]
            ]
            right = {found.candidate.id for found, kept in zip(candidates, row["candidates"], strict=True) if kept[-1]}
            self._known[row["key"]] = Found(tuple(candidates), frozenset(right))

    def get(self, resources: Resources, case: Case) -> Found:
        """What the search for a case found, searched for where the file does not say."""
        key = f"{case.task.id} {Candidate(case.task.source, 'given').id} {len(case.task.suite.checks)}"
        if key not in self._known:
            found = self._known[key] = searched(resources, case)
            if self._path is not None:
                kept = [
                    [c.source, c.origin, c.parent, c.note, ranked.prior, ranked.line, c.id in found.right]
                    for ranked in found.plausible
                    for c in (ranked.candidate,)
                ]
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "candidates": kept}) + "\n")
        return self._known[key]


def cases_of(data: Path | None, extra: Path | None, tasks: str, shelf: Path | None = None) -> tuple[Case, ...]:
    """The cases of a data set, with the extra checks where there are any."""
    if shelf is not None:
        return read_shelf(shelf, shelf.name, read_suite)
    if data is None:
        return load_bundled(read_suite)
    cases = load_humanevalfix(data, read_suite)
    if extra is not None:
        cases = add_extra_checks(cases, extra, read_suite, dataset="humanevalfix", known={c.task.id for c in cases})
    wanted = {"all": (0, 1), "even": (0,), "odd": (1,)}[tasks]
    return tuple(case for case in cases if int(case.task.id.rsplit("/", 1)[1]) % 2 in wanted)


def all_seen(case: Case) -> Case:
    """The case with its hidden checks seen, so that the extra ones alone decide."""
    return replace(case, task=replace(case.task, suite=case.hidden))


def is_right(resources: Resources, case: Case, source: str) -> bool:
    """Whether a program passes the hidden checks, and the extra ones."""
    suites = [suite for suite in (case.hidden, case.extra) if suite is not None]
    # As a repair is proven: checks that hand over objects of their own are judged in shared mode.
    return all(judge_given(resources.judge, source, suite, resources.limits, {})[0].passed for suite in suites)


def searched(resources: Resources, case: Case) -> Found:
    """Search, and judge everything that passes what the search saw."""
    session = RepairSession(resources, case.task)
    baseline = session.examine()
    run = SearchRun(session, case.task.source, baseline, budget=session.budget)
    if baseline.red:
        run.run()
    plausible = tuple(run.plausible_candidates())
    right = {r.candidate.id for r in plausible if is_right(resources, case, r.candidate.source)}
    return Found(plausible, frozenset(right))


def measure(resources: Resources, case: Case, kept: FoundFile, *, reads_prose: bool = True) -> Chosen | None:
    """Rank what a search found three times; None where it finds nothing."""
    session = RepairSession(resources, case.task)
    if not session.may_run_checks:
        return None
    found = kept.get(resources, case)
    if not found.plausible:
        return None
    session.examine()
    return _ranked(session, case, found, reads_prose=reads_prose)


def guessed(resources: Resources, case: Case) -> tuple[bool, ...] | None:
    """Whether each guess is right, the likeliest first; None where a check is red, or where there is none."""
    session = RepairSession(resources, case.task)
    if not session.may_run_checks or (baseline := session.examine()).red:
        return None
    guesses = guess_changes(session, SearchRun(session, case.task.source, baseline, budget=session.budget))
    return tuple(is_right(resources, case, guess.attempt.candidate.source) for guess in guesses)


def _ranked(session: RepairSession, case: Case, found: Found, *, reads_prose: bool) -> Chosen:
    source, checks = case.task.source, checks_text(case.task)
    said = read_prose(source, case.task.statement) if reads_prose else NO_PROSE
    orders = [
        tuple(r.candidate.id in found.right for r in rank_candidates(found.plausible, source, checks, scorer, prose))
        for scorer, prose in ((None, NO_PROSE), (NgramScorer(), NO_PROSE), (NgramScorer(), said))
    ]
    lines, repaired = {ranked.line for ranked in found.plausible}, found.plausible[0].candidate.source
    with open_observer(session, source, lines, repaired) as observer:
        if not reads_prose:
            observer.prose = NO_PROSE
            observer.documented = {n: said for n, said in observer.documented.items() if said.is_certain}
        choice = rank_by_behaviour(session, found.plausible, observer)
    behaviours = choice.behaviours
    evidence = RepairEvidence(source, checks, len(session.baseline.suite.checks), choice.plausible, said, choice.asked)
    features = likelihood_features(behaviours[0], evidence)
    priced = priced_candidates(found.plausible, observer.source, checks, NgramScorer(), observer.prose)
    by_id = {one.ranked.candidate.id: one for one in priced}
    best = [by_id[behaviour.best.candidate.id] for behaviour in behaviours]
    costs = tuple(
        BehaviourCost(
            one.ranked.candidate.origin, one.parts, b.cost - one.cost, signs_in(source, one.ranked.candidate.source)
        )
        for one, b in zip(best, behaviours, strict=True)
    )
    right = tuple(behaviour.best.candidate.id in found.right for behaviour in behaviours)
    return Chosen(case.task.id, *orders, right, features, costs)


def signs_in(before: str, after: str) -> dict[str, float]:
    """How often each sign of a change, and each flaw that it leaves, is counted in it."""
    counts = {sign.count.__name__: sign.count(before, after) for sign in SIGNS}
    counts |= {flaw.count.__name__: flaw.count(after) for flaw in FLAWS}
    return {name: count for name, count in counts.items() if count}


def show(title: str, orders: Sequence[tuple[bool, ...]]) -> None:
    """One line of the table."""
    first, among = sum(any(o[:1]) for o in orders), sum(any(o[:FIRST]) for o in orders)
    print(f"{title:<36}{first:>13}{among:>20}{len(orders):>9}")


def show_likelihoods(found: Sequence[Chosen]) -> None:
    """How often what was said came true, and what was wrong without a warning."""
    error = 0.0
    for number in range(BINS):
        some = [chosen for chosen in found if int(chosen.likelihood * BINS) == number]
        if some:
            said = sum(chosen.likelihood for chosen in some) / len(some)
            true = sum(chosen.behaviours[0] for chosen in some) / len(some)
            error += abs(said - true) * len(some) / len(found)
            print(f"said to be right by {said:.2f}: {true:.2f} of {len(some)}")
    silent = sum(chosen.likelihood >= DOUBTFUL and not chosen.behaviours[0] for chosen in found)
    warned = [chosen for chosen in found if chosen.likelihood < DOUBTFUL]
    print(f"expected calibration error {error:.3f}; wrong without a warning {silent} of {len(found)}")
    print(f"warned of {len(warned)}, of which {sum(chosen.behaviours[0] for chosen in warned)} were right")


def row_of(chosen: Chosen) -> dict[str, object]:
    """The first choice, as training/fit_likelihood.py reads it."""
    origin = chosen.costs[0].origin
    return {"program": chosen.program, "origin": origin, "features": chosen.features, "right": chosen.behaviours[0]}


def list_of(chosen: Chosen) -> dict[str, object]:
    """All behaviours, as training/fit_ranking.py and its like read them."""
    behaviours = [{**asdict(cost), "right": right} for cost, right in zip(chosen.costs, chosen.behaviours, strict=True)]
    return {"program": chosen.program, "behaviours": behaviours}


def append_rows(path: Path | None, rows: Iterable[dict[str, object]]) -> None:
    """Append rows to a file of JSON lines, where one is named."""
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(row)}\n" for row in rows)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the published HumanEvalFix JSONL; `bundled` without it")
    parser.add_argument("--extra", type=Path, help="rows of extra checks for it")
    parser.add_argument("--tasks", choices=("all", "even", "odd"), default="even", help="which tasks of --data")
    parser.add_argument("--feedback", choices=("examples", "all"), default="examples", help="which checks are seen")
    parser.add_argument("--shelf", type=Path, help="a folder of TOML files with tasks")
    parser.add_argument("--slips", type=int, metavar="SEED", help="make a slip in each right program")
    parser.add_argument("--losses", type=int, metavar="SEED", help="take a part out of each right program")
    parser.add_argument("--found", type=Path, help="keep what is found in this file, and search for nothing twice")
    parser.add_argument("--no-prose", action="store_true", help="rank as if no sentence were read, examples aside")
    parser.add_argument("--rows", type=Path, help="append features to this file")
    parser.add_argument("--lists", type=Path, help="append what the behaviours cost to this file")
    parser.add_argument("--rank-model", help="a language model to rank behaviours, beside the n-grams")
    parser.add_argument("--seconds", type=float, default=30, help="of one search")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_file():
        print(f"{options.data} is not there; get HumanEvalFix's Python JSONL, or leave --data out.", file=sys.stderr)
        return 2
    cases = cases_of(options.data, options.extra, options.tasks, options.shelf)
    if options.feedback == "all":
        cases = tuple(map(all_seen, cases))
    kept = FoundFile(options.found)
    settings = load_settings({"rank_model": options.rank_model} if options.rank_model else {})
    with open_resources(settings) as opened:
        resources = replace(opened, budget=replace(opened.budget, seconds=options.seconds))
        if options.slips is not None:
            cases = tuple(made for case in cases if (made := with_slip(resources, case, options.slips)) is not None)
        if options.losses is not None:
            cases = tuple(made for case in cases if (made := with_loss(resources, case, options.losses)) is not None)
        found: list[Chosen] = []
        guesses: list[tuple[bool, ...]] = []
        for case in cases:
            if (chosen := measure(resources, case, kept, reads_prose=not options.no_prose)) is not None:
                found.append(chosen)
            elif (right := guessed(resources, case)) is not None:
                guesses.append(right)
    contested = [chosen for chosen in found if chosen.is_contested]
    print(f"{len(cases)} tasks; a repair of {len(found)} passes the visible checks")
    print(f"{'':<36}{'first right':>13}{f'among first {FIRST}':>20}{'lists':>9}")
    for title, some in (("all", found), ("right and wrong in it", contested)):
        show(f"{title}: by cost", [chosen.by_cost for chosen in some])
        show(f"{'':{len(title)}}  with n-grams", [chosen.natural for chosen in some])
        show(f"{'':{len(title)}}  and prose", [chosen.by_prose for chosen in some])
        show(f"{'':{len(title)}}  and behaviour", [chosen.behaviours for chosen in some])
    show("guesses, where nothing is red", guesses)
    show("repairs and guesses", [*(chosen.behaviours for chosen in found), *guesses])
    show_likelihoods(found)
    append_rows(options.rows, (row_of(chosen) for chosen in found))
    append_rows(options.lists, (list_of(chosen) for chosen in found if len(set(chosen.behaviours)) > 1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
