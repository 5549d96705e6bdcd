"""What is started before anybody knows which sandbox is wanted is used once, or ended."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from regreen.sandbox import server_boot
from regreen.sandbox.interpreter import inspect_interpreter
from regreen.sandbox.jail import open_jail
from regreen.sandbox.server_boot import (
    BootingServer,
    ask_for_paths,
    boot_first,
    drop_first,
    take_first,
    take_first_question,
)
from regreen.types import Confinement


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[BootingServer]]:
    """The processes that are started as in a process whose first call this is."""
    monkeypatch.setattr(server_boot, "_once", threading.Lock())
    started: dict[tuple[int, str], BootingServer] = {}
    monkeypatch.setattr(server_boot, "_first", started)
    monkeypatch.setattr(server_boot, "_first_questions", {})
    boot_first()
    yield list(started.values())
    drop_first()


def test_the_first_jail_takes_what_was_started(first: list[BootingServer]) -> None:
    """It encloses these very processes, and starts none beside them."""
    with open_jail(Confinement()) as start:
        server = start("guests")
        assert server.process is first[0].process
        server.close()
    assert [each.process.poll() is None for each in first] == [False, False]


def test_the_question_for_the_paths_is_asked_once(first: list[BootingServer]) -> None:
    """Its answer is taken by whoever asks first; the next one asks anew, and is told the same."""
    assert first
    asked = take_first_question(sys.executable)
    assert asked is not None
    assert take_first_question(sys.executable) is None
    again = ask_for_paths(sys.executable)
    assert asked.communicate() == again.communicate()
    assert str(Path(sys.executable).parent) in inspect_interpreter.__wrapped__(sys.executable).executable


def test_nothing_is_started_twice(first: list[BootingServer]) -> None:
    """A second call finds that the first was made, though all was taken."""
    taken = [take_first(sys.executable, kind) for kind in ("guests", "checks")]
    boot_first()
    assert taken == first
    assert take_first(sys.executable, "guests") is None
    for booting in first:
        booting.abandon()


def test_a_jail_of_another_python_leaves_nothing_waiting(tmp_path: Path, first: list[BootingServer]) -> None:
    """Neither the processes, nor what was asked of the first Python."""
    asked = server_boot._first_questions[os.getpid(), sys.executable]
    elsewhere = tmp_path / "python"
    elsewhere.symlink_to(sys.executable)
    with open_jail(Confinement(python=str(elsewhere))):
        assert all(process.poll() is not None for process in (*(each.process for each in first), asked))


def test_another_python_ends_what_was_started(first: list[BootingServer]) -> None:
    """A process of one Python is never enclosed for programs of another."""
    assert take_first("/usr/bin/another-python", "guests") is None
    assert first[0].process.poll() is not None


def test_a_jail_by_a_second_name_of_the_same_python_takes_all(first: list[BootingServer]) -> None:
    """Its paths are those that were asked for, and its servers the processes that were started."""
    name = "python3" if Path(sys.executable).name == "python" else "python"
    inspect_interpreter.cache_clear()
    with open_jail(Confinement(python=str(Path(sys.executable).with_name(name)))) as start:
        servers = [start("guests"), start("checks")]
        assert [server.process for server in servers] == [booting.process for booting in first]
        assert server_boot._first_questions == {}
        for server in servers:
            server.close()
    inspect_interpreter.cache_clear()


def test_a_second_name_of_the_same_python_is_the_same(tmp_path: Path, first: list[BootingServer]) -> None:
    """A virtual environment names its Python twice; a link in another folder is another environment."""
    beside, elsewhere = Path(sys.executable).with_name("python3"), tmp_path / "python"
    elsewhere.symlink_to(sys.executable)
    assert take_first(str(elsewhere), "checks") is None
    assert take_first(str(beside), "guests") is first[0]
    first[0].abandon()
