"""Tasks with few checks, made of right programs: one slip in each by a template of the search, one to four checks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.propose.search.mutation import Mutation, splice_edits
from regreen.strategies.resources import Resources
from regreen.types import Case, Site, Suite, SuiteKind

MUTATIONS = 300
"""The likeliest mutations of a program among which a slip is drawn, each template as often as any other."""
TRIES = 12
CHECKS = (1, 2, 2, 3, 3, 4)
KEPT_ALL_RED = 0.3
"""Share of the slips kept that turn all hidden checks red: most real ones do not."""


def with_slip(resources: Resources, case: Case, seed: int) -> Case | None:
    """A case whose program is the reference with a slip, and a few hidden checks to see; None where none fits."""
    if case.hidden.kind is not SuiteKind.SCRIPT or not case.reference:
        return None
    rng = random.Random(f"{case.task.id}{seed}")
    by_template: dict[str, list[Mutation]] = {}
    for mutation in _mutations(case, seed):
        by_template.setdefault(mutation.template, []).append(mutation)
    for _ in range(TRIES if by_template else 0):
        mutation = rng.choice(by_template[rng.choice(sorted(by_template))])
        source = splice_edits(case.reference, mutation.edits)
        verdict = resources.judge.judge(source, case.hidden, resources.limits)
        red = [check.id for check in case.hidden.checks if check.id not in verdict.green]
        if red and (verdict.green or rng.random() < KEPT_ALL_RED):
            return _with_few_checks(resources, case, source, red, rng)
    return None


def _mutations(case: Case, seed: int) -> Sequence[Mutation]:
    clues = gather_clues(
        case.reference, entry_point=case.task.entry_point, statement=case.task.statement, checks_text="", failures=[]
    )
    everywhere = Site(1, case.reference.count("\n") + 1, 1.0)
    search = BestFirstSearch(case.reference, [everywhere], clues, seed=seed)
    search.baseline(frozenset(), 0.5)
    return search.next_batch(MUTATIONS)


def _with_few_checks(
    resources: Resources, case: Case, source: str, red: Sequence[str], rng: random.Random
) -> Case | None:
    """The case with this program and at least one of the red checks; None where they need others to have run."""
    ids = [check.id for check in case.hidden.checks]
    wanted = {rng.choice(red)}
    most = min(rng.choice(CHECKS), len(ids))
    while len(wanted) < most:
        wanted.add(rng.choice(ids))
    visible = _part_of(case.hidden, wanted)
    if not resources.judge.judge(case.reference, visible, resources.limits).passed:
        return None
    return replace(case, task=replace(case.task, source=source, suite=visible))


def _part_of(suite: Suite, wanted: set[str]) -> Suite:
    """Some of the checks of a script, with all that prepares them."""
    steps = tuple(step for step in suite.steps if step.check is None or step.check in wanted)
    checks = tuple(check for check in suite.checks if check.id in wanted)
    return replace(suite, steps=steps, checks=checks, source="\n".join(step.code for step in steps))
