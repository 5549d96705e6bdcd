"""Where killed repairs go on from."""

from __future__ import annotations

import operator
import sqlite3
from pathlib import Path
from typing import Annotated, Any

import pytest
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from regreen.errors import RunStorageError
from regreen.strategies.agents.checkpoints import open_checkpointer, storage_errors
from regreen.types import Budget

THREAD: Any = {"configurable": {"thread_id": "task#0"}}


class Log(TypedDict):
    """The state of a graph."""

    lines: Annotated[list[Any], operator.add]


class Killed(BaseException):
    """Stands for the end of the process."""


def graph(ran: list[str], *, killed_at: str = "", written: object = "") -> Any:
    """Three nodes in a row, each of which notes that it ran; compiled anew as a new process would."""

    def node(name: str) -> Any:
        def run(state: Log) -> Log:
            if name == killed_at:
                raise Killed
            ran.append(name)
            return Log(lines=[written or name])

        return run

    built = StateGraph(Log)
    for before, after in ((START, "a"), ("a", "b"), ("b", "c")):
        built.add_node(after, node(after))
        built.add_edge(before, after)
    built.add_edge("c", END)
    return built


def test_what_a_node_wrote_is_kept_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    """A process may be killed between any two statements: all that one node wrote is one transaction."""
    path = tmp_path / "checkpoints.sqlite"
    with open_checkpointer(path) as saver:
        config: Any = {"configurable": {**THREAD["configurable"], "checkpoint_ns": "", "checkpoint_id": "1"}}
        saver.put_writes(config, [("lines", ["a"])], "first")
        said: list[str] = []
        saver.conn.set_trace_callback(said.append)
        saver.put_writes(config, [("lines", ["b"]), ("branch:to:c", None)], "second")
        saver.conn.set_trace_callback(None)
    assert [text.split()[0] for text in said] == ["BEGIN", "INSERT", "INSERT", "COMMIT"]


def test_a_graph_goes_on_behind_its_last_step(tmp_path: Path) -> None:
    """In another process: no node that ended runs again, and what it wrote is there."""
    ran: list[str] = []
    path = tmp_path / "checkpoints.sqlite"
    with open_checkpointer(path) as saver, pytest.raises(Killed):
        graph(ran, killed_at="c").compile(saver).invoke(Log(lines=[]), THREAD, durability="sync")
    with open_checkpointer(path) as saver:
        end = graph(ran).compile(saver).invoke(None, THREAD, durability="sync")
    assert ran == ["a", "b", "c"]
    assert end == {"lines": ["a", "b", "c"]}


def test_a_graph_that_had_ended_runs_no_node_again(tmp_path: Path) -> None:
    """Killed between its last step and the deletion of its thread."""
    ran: list[str] = []
    path = tmp_path / "checkpoints.sqlite"
    with open_checkpointer(path) as saver:
        graph(ran).compile(saver).invoke(Log(lines=[]), THREAD, durability="sync")
    with open_checkpointer(path) as saver:
        end = list(graph(ran).compile(saver).stream(None, THREAD, stream_mode=["values"], durability="sync"))
    assert ran == ["a", "b", "c"]
    assert all(values == {"lines": ran} for _, values in end)


def test_no_object_is_read_back(tmp_path: Path) -> None:
    """A checkpoint that somebody tampered with holds nothing that could run."""
    path = tmp_path / "checkpoints.sqlite"
    with open_checkpointer(path) as saver, pytest.raises(Killed):
        graph([], killed_at="b", written=Budget()).compile(saver).invoke(Log(lines=[]), THREAD, durability="sync")
    with open_checkpointer(path) as saver:
        kept = graph([]).compile(saver).get_state(THREAD).values["lines"]
    assert len(kept) == 1
    assert not isinstance(kept[0], Budget)


def test_a_disk_that_takes_nothing_is_an_error_of_the_run() -> None:
    """The run can be resumed once the disk does."""
    with pytest.raises(RunStorageError, match="disk I/O error"), storage_errors():
        raise sqlite3.OperationalError("disk I/O error")
