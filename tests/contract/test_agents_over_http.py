"""Every strategy repairs bundled tasks over real HTTP, whenever the model of the shipped test server gets it right."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from shipped_cases import bundled

from regreen import api
from regreen.config import load_settings
from regreen.evaluate.records import Result
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.models import ToolCall
from regreen.models.scripted import ReplySpec
from regreen.models.testserver import serve
from regreen.types import Case

pytestmark = pytest.mark.sandbox

KEY = "key-that-must-not-be-told"
TASKS = ("bundled/ring-buffer", "bundled/gather-in-order", "bundled/vote-winner")
"""A class, an async function, and one that a search over few candidates does not repair."""
MARK = re.compile(r"attempt_(\d+)")
TURNS = (1, 3, 10)
ASKING = ("single", "reflect", "tools", "react", "patch", "hybrid")
WANTED = re.compile(r"# Patience: (\d+)\.")
PLAN = "The cause is plain."


@dataclass(frozen=True)
class Oracle:
    """Right at the turn that the task names, in the form that is asked for; wrong in a new way before."""

    known: Sequence[Case]

    def __call__(self, body: Any) -> ReplySpec:
        """The reply to one request."""
        text = "\n".join(json.dumps(message) for message in body["messages"])
        told = body["messages"][-1]["content"] or ""
        form = json.dumps(body.get("response_format") or {})
        if "another will write the patch" in text:
            return ReplySpec(PLAN)
        asked = WANTED.findall(text)[0]
        named = [case for case in self.known if re.search(rf"\b{case.task.entry_point}\b", text)]
        case = next(case for case in named if case.task.id.endswith(f"/{asked}"))
        attempt = 1 + max((int(number) for number in MARK.findall(text)), default=0)
        source = case.reference if attempt >= int(asked) else marked(case, attempt)
        if body.get("tools"):
            return ReplySpec("", tool_calls=(tool_call(source),))
        return ReplySpec(as_edits(told, source) if "edits" in form else f"{PLAN}\n\n```python\n{source}\n```\n")


def tool_call(source: str) -> ToolCall:
    """A call of the one tool."""
    return ToolCall("", "run_code", json.dumps({"code": source, "explanation": PLAN}))


def marked(case: Case, attempt: int) -> str:
    """The buggy program with a trace of the attempt in its last function."""
    lines = case.task.source.rstrip("\n").split("\n")
    last = len(lines) - 1
    indent = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
    return "\n".join([*lines[:last], f"{indent}attempt_{attempt} = {attempt}", lines[last], ""])


def as_edits(told: str, source: str) -> str:
    """One edit of all the lines that a prompt shows with their numbers."""
    shown = re.findall(r"^ *(\d+)\|(?: (.*))?$", told, re.MULTILINE)
    old = "\n".join(line for _, line in shown)
    edit = {"operation": "replace", "first_line": 1, "last_line": len(shown), "old": old, "new": source}
    return json.dumps({"edits": [edit]})


@pytest.fixture(autouse=True)
def _with_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of the test server, and no `.env` of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGREEN_API_KEY", KEY)


@pytest.fixture
def cases(strategy: str) -> list[Case]:
    """Each task at a turn of its own; over the strategies, each task is there once or more at every turn."""
    chosen = [case for case in bundled() if case.task.id in TASKS]
    first = ASKING.index(strategy)
    return [patient(case, TURNS[(first + place) % len(TURNS)]) for place, case in enumerate(chosen)]


def patient(case: Case, turn: int) -> Case:
    """The case, telling the oracle at which turn to be right: some prompts lack the statement, others the comment."""
    told = f"# Patience: {turn}."
    task = replace(
        case.task,
        id=f"{case.task.id}/{turn}",
        source=f"{told}\n{case.task.source}",
        statement=f"{case.task.statement}\n{told}",
    )
    return replace(case, task=task)


@pytest.mark.parametrize("strategy", ASKING)
def test_a_model_that_is_right_at_turn_k_repairs(cases: list[Case], tmp_path: Path, strategy: str) -> None:
    """Each task is fixed by the reply of that turn, nothing is lost on the way, and the key stays where it is."""
    with serve(Oracle(cases), keys=[KEY]) as served:
        flags = {"model": "oracle", "base_url": served.base_url, "strategy": strategy, "max_candidates": 20}
        settings = load_settings({**flags, "iters": 20}, environ={}, near=tmp_path)
        summary = api.evaluate(cases, tmp_path / "run", dataset="bundled", settings=settings)
    lines = list(read_results(tmp_path / "run" / RESULTS))
    assert not summary.failure
    assert len(lines) == len(cases)
    assert sum(line.model_calls for line in lines) == served.counters.replies
    assert KEY.encode() not in b"".join(file.read_bytes() for file in (tmp_path / "run").iterdir())
    for line in lines:
        turn = int(line.task_id.rpartition("/")[2])
        assert (line.task_id, line.outcome is Result.FIXED) == (line.task_id, turn == 1 or strategy != "single")
        assert [told.number for told in line.turns] == list(range(line.model_calls))
        if strategy not in ("single", "hybrid"):
            assert (line.task_id, line.iteration) == (line.task_id, turn - 1)
