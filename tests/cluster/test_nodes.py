"""Several nodes of a real Ray cluster: the same records as on one machine, whatever becomes of a node."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from regreen import api
from regreen.evaluate.run_resources import CHECKPOINTS, TAPE
from regreen.models.cassette import tape_summary
from regreen.types import Case

pytestmark = [pytest.mark.cluster, pytest.mark.sandbox, pytest.mark.timeout(300)]

KEY = "sk-a-key-that-nobody-may-see-4711"


class After:
    """Does something once so many samples have ended."""

    def __init__(self, count: int, deed: Callable[[], None]) -> None:
        self.left = count
        self.deed = deed

    def begin(self, total: int, done: Mapping[Any, int]) -> None: ...

    def finished(self, line: Any) -> None:
        self.left -= 1
        if not self.left:
            self.deed()


def test_two_nodes_find_what_one_machine_finds(on_nodes: Any, spread: Callable[..., Any], compared: Any) -> None:
    """The same lines, measured times aside; it is said where the run works."""
    on_nodes.keep(2)
    summary, found, told = spread()
    assert (summary.exit_status, compared(found)) == (0, [])
    assert told == [f"Joined the Ray cluster at {on_nodes.cluster.address}."]


def test_with_a_node_killed_in_the_middle_nothing_is_lost_and_nothing_is_there_twice(
    on_nodes: Any, spread: Callable[..., Any], compared: Any
) -> None:
    """What it was at is done on the other one."""
    on_nodes.keep(2)
    summary, found, told = spread(progress=After(2, on_nodes.take_away))
    assert (summary.exit_status, compared(found)) == (0, [])
    assert any("is lost, and what it was at is done elsewhere" in text for text in told)


def test_a_model_is_asked_from_here_and_the_run_can_be_replayed(
    on_nodes: Any,
    spread: Callable[..., Any],
    cases: tuple[Case, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tape is whole, and no log of Ray's holds a key."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    on_nodes.keep(1)
    rules = [
        {
            "contains": f"def {case.task.entry_point}(",
            "replies": [f"```python\n{text}\n```" for text in ("def f(): pass", case.reference)],
        }
        for case in cases
    ]
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"rules": rules, "default": "No idea."}))
    asked = {"model": f"scripted:{script}", "strategy": "reflect"}
    summary, found, told = spread(**asked, max_tokens=1_000_000)
    assert (summary.exit_status, told[0]) == (0, f"Joined the Ray cluster at {on_nodes.cluster.address}.")
    calls = sum(line["model_calls"] for line in found.values())
    assert calls >= len(cases)
    assert tape_summary(tmp_path / "run" / TAPE).turns == calls
    assert not (tmp_path / "run" / CHECKPOINTS).exists()
    again = tmp_path / "again"
    assert api.replay(tmp_path / "run", cases, again).outcomes == summary.outcomes
    logs = Path(on_nodes.cluster.head_node.get_session_dir_path(), "logs")
    assert not [path for path in logs.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
