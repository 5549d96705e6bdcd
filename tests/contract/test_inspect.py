"""Regreen's solver, scorer and tasks in Inspect itself, where it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

WHY = "inspect-ai is not installed here: whether it takes our solver and scorer was not asked"
inspect_ai = pytest.importorskip("inspect_ai", reason=WHY)

from inspect_ai.dataset import Sample  # noqa: E402 - there is none without the extra
from inspect_ai.model import ModelOutput  # noqa: E402
from inspect_ai.solver import solver  # noqa: E402

from regreen.integrations.inspect_tasks import regreen_judge, regreen_repair, regreen_tasks  # noqa: E402

pytestmark = [
    pytest.mark.sandbox,
    # Inspect leaves streams of its own to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

BUGGY = "def add(a, b):\n    return a - b\n"
CHECKS = "assert add(1, 2) == 3\nassert add(0, 5) == 5\n"
REPLIES = {
    "right": ("I saw it.\n```python\ndef add(a, b):\n    return a + b\n```", "C"),
    "wrong": (f"```python\n{BUGGY}```", "I"),
    "cheats": ("```python\nimport os\n\ndef add(a, b):\n    os._exit(0)\n```", "I"),
    "says nothing": ("Sorry.", "I"),
}


@solver
def replies() -> Any:
    """Says what the sample's id stands for."""

    async def solve(state: Any, generate: Any) -> Any:
        state.output = ModelOutput.from_content("none", REPLIES[state.sample_id][0])
        return state

    return solve


def outcome(folder: Path, **options: Any) -> Any:
    """The samples of one evaluation."""
    (log,) = inspect_ai.eval(inspect_ai.Task(**options), model="none", log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log.samples


def test_the_scorer_judges_replies(tmp_path: Path) -> None:
    """By the checks of the metadata or of the target; who ends the process has not passed."""
    samples = [
        Sample(id=name, input="Fix it.", target=CHECKS, metadata={"source": BUGGY, "entry_point": "add"})
        for name in REPLIES
    ]
    scored = outcome(tmp_path, dataset=samples, solver=replies(), scorer=regreen_judge())
    assert {s.id: s.scores["regreen_judge"].value for s in scored} == {
        name: said for name, (_, said) in REPLIES.items()
    }


def test_the_solver_repairs(tmp_path: Path) -> None:
    """And its reply is taken by the scorer."""
    samples = [Sample(id="x", input="Fix it.", metadata={"source": BUGGY, "checks": CHECKS})]
    (done,) = outcome(tmp_path, dataset=samples, solver=regreen_repair(), scorer=regreen_judge())
    assert done.scores["regreen_judge"].value == "C"
    assert done.metadata["regreen"]["fixed"]


def test_a_data_set_is_a_task() -> None:
    """Whose samples hold the program and its checks."""
    task = regreen_tasks("bundled")
    assert len(task.dataset) > 10
    assert all(sample.metadata["checks"] in sample.input for sample in task.dataset)
