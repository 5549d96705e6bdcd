"""No strategy fixes a task that contradicts itself: any fix would convict the harness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from shipped_cases import impossible

from regreen import api
from regreen.config import load_settings
from regreen.evaluate.records import Result
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.models.scripted import ReplySpec
from regreen.models.testserver import serve
from regreen.setting_table import STRATEGIES
from regreen.types import Case

pytestmark = pytest.mark.sandbox

TASKS = 3


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    """A few of the tasks whose hidden checks contradict each other."""
    return impossible()[:TASKS]


@pytest.fixture(scope="module")
def address(cases: tuple[Case, ...]) -> Iterator[str]:
    """A model that gives each task's reference, over real HTTP."""

    def reference(body: object) -> ReplySpec:
        text = str(body)
        known = next((case for case in cases if f"`{case.task.entry_point}`" in text), cases[0])
        return ReplySpec(f"```python\n{known.reference}\n```")

    with serve(reference) as served:
        yield served.base_url


@pytest.mark.parametrize("feedback", ["examples", "all"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nothing_is_fixed(cases: tuple[Case, ...], address: str, tmp_path: Path, strategy: str, feedback: str) -> None:
    """Whatever the model says, and whatever may be run: the contradiction is seen by the hidden checks."""
    flags = {
        "strategy": strategy,
        "model": None if strategy == "search" else "vllm:reference",
        "base_url": address,
        "iters": 1,
        "max_candidates": 100,
        "workers": 1,
    }
    settings = load_settings(flags, environ={}, near=tmp_path)
    summary = api.evaluate(cases, tmp_path / "run", dataset="impossible", feedback=feedback, settings=settings)
    assert summary.outcomes == {Result.UNFIXED: TASKS}
    asked = sum(line.model_calls for line in read_results(tmp_path / "run" / RESULTS))
    assert asked > 0 or strategy in ("search", "hybrid")
