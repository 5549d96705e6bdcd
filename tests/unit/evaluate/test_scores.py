"""Rates over judged samples: the unbiased estimate over tasks, with undecided samples in none of them."""

from __future__ import annotations

import json
from dataclasses import replace
from math import comb
from pathlib import Path

import pytest

from regreen.evaluate.judged_log import JudgedState, JudgedStates
from regreen.evaluate.metrics import wilson
from regreen.evaluate.prelude import NO_PRELUDE, official_prelude
from regreen.evaluate.scores import Score, ks_up_to, prelude_disagreements, score
from regreen.tasks.samples import read_samples
from regreen.types import Case, Suite, SuiteKind, Task

NOTHING = Suite(SuiteKind.SCRIPT, "", ())
LETTERS = {"p": JudgedState.PASSED, "f": JudgedState.FAILED, "e": JudgedState.ERROR, "-": JudgedState.PENDING}


def cases(count: int) -> tuple[Case, ...]:
    kinds = ("slip", "logic")
    return tuple(
        Case(Task(f"shelf/{n}", "", None, NOTHING), NOTHING, "", labels={"bug_type": kinds[n % 2]})
        for n in range(count)
    )


def tally(
    folder: Path, *tasks: str, preludes: tuple[str, ...] = ("none",), recorded: bool | None = None
) -> JudgedStates:
    """Tasks whose samples stand as the letters say."""
    file = folder / "samples.jsonl"
    rows = [(task, place) for task, letters in enumerate(tasks) for place in range(len(letters))]
    file.write_text(
        "".join(
            json.dumps({"task_id": str(task), "sample": place, "code": "", "recorded_passed": recorded}) + "\n"
            for task, place in rows
        ),
        encoding="utf-8",
    )
    made = JudgedStates(read_samples(file, "shelf", cases(len(tasks))), preludes)
    for prelude in preludes:
        for task, place in rows:
            made.put(prelude, task, place, LETTERS[tasks[task][place]])
    return made


def values(scored: Score) -> dict[int, float]:
    return {estimate.k: estimate.value for estimate in scored.whole.estimates}


def test_pass_at_k_is_averaged_over_tasks(tmp_path: Path) -> None:
    """By the unbiased estimator, for every k up to the number of samples."""
    scored = score(tally(tmp_path, "ppffff", "ffffff"), "none", cases(2))
    assert values(scored) == pytest.approx({k: (1 - comb(4, k) / comb(6, k)) / 2 for k in range(1, 7)})
    assert {estimate.interval for estimate in scored.whole.estimates} == {"bootstrap"}
    assert (scored.whole.judged, scored.whole.passed) == (12, 2)


def test_tasks_that_all_did_the_same_do_not_feign_certainty(tmp_path: Path) -> None:
    """Where every program passes, there is doubt left as long as tasks are few."""
    scored = score(tally(tmp_path, "pp", "pp"), "none", cases(2))
    estimate = scored.whole.estimates[0]
    assert (estimate.low, estimate.high, estimate.interval) == (*wilson(2, 2), "wilson-tasks")


def test_one_sample_a_task_has_wilsons_interval(tmp_path: Path) -> None:
    """Then samples are independent."""
    scored = score(tally(tmp_path, "p", "f", "f"), "none", cases(3))
    (estimate,) = scored.whole.estimates
    assert (estimate.low, estimate.high, estimate.interval) == (*wilson(1, 3), "wilson")


def test_errors_and_what_was_not_judged_are_in_no_rate(tmp_path: Path) -> None:
    """A task without a decided sample is not counted either, and k goes up to the fewest decided samples of a task."""
    scored = score(tally(tmp_path, "ppe", "ffe", "eee"), "none", cases(3))
    assert (values(scored), scored.whole.bounds) == ({1: 0.5, 2: 0.5}, None)
    scored = score(tally(tmp_path, "ppe", "ff-", "eee"), "none", cases(3))
    assert values(scored) == {}, "what is not judged yet may change every rate"
    assert scored.whole.bounds == pytest.approx((2 / 9, (1 + 1 / 3 + 1) / 3))
    assert (scored.errors, scored.pending, scored.whole.tasks, scored.whole.judged) == (4, 1, 2, 4)


def test_nothing_decided_has_no_rate(tmp_path: Path) -> None:
    """And is no division by zero."""
    scored = score(tally(tmp_path, "ee"), "none", cases(1))
    assert (scored.whole.estimates, scored.whole.tasks, scored.by_label) == ((), 0, ())


def test_labels_are_counted_apart(tmp_path: Path) -> None:
    """Tasks without any label make no table."""
    made = tally(tmp_path, "pp", "pf", "ff")
    groups = {group.name: (group.tasks, group.passed) for group in score(made, "none", cases(3)).by_label}
    assert groups == {"slip": (2, 2), "logic": (1, 1)}
    assert score(made, "none", [replace(case, labels={}) for case in cases(3)]).by_label == ()


def test_disagreements_with_the_record_are_named(tmp_path: Path) -> None:
    """Only of samples that were decided."""
    scored = score(tally(tmp_path, "pfe", recorded=True), "none", cases(1))
    assert scored.recorded == 2
    assert [(d.task_id, d.sample, d.before, d.passed) for d in scored.disagreements] == [("shelf/0", 1, True, False)]


def test_differences_between_preludes_are_named(tmp_path: Path) -> None:
    """Those that were decided under both."""
    made = tally(tmp_path, "pfp", preludes=("official", "none"))
    assert prelude_disagreements(made) == ()
    made.put("none", 0, 0, JudgedState.FAILED)
    made.put("none", 0, 2, JudgedState.ERROR)
    assert [(d.sample, d.before, d.passed) for d in prelude_disagreements(made)] == [(0, True, False)]
    assert prelude_disagreements(tally(tmp_path, "p")) == ()


def test_the_told_ks_are_round_and_end_with_all() -> None:
    """1, 5, 10, 20, ... up to n."""
    assert [ks_up_to(n) for n in (0, 1, 3, 10, 27)] == [(), (1,), (1, 2, 3), tuple(range(1, 11)), (*range(1, 21), 27)]


def test_the_official_prelude_asks_for_numpy_only_where_it_is(tmp_path: Path) -> None:
    """Otherwise no program would get past it."""
    without = official_prelude([str(tmp_path)])
    (tmp_path / "numpy").mkdir()
    assert "numpy" not in without.text
    assert "import numpy as np\nimport string\n" in official_prelude([str(tmp_path)]).text
    assert without.before("x = 1").endswith("from collections import *\nx = 1")
    assert NO_PRELUDE.before("x = 1") == "x = 1"
