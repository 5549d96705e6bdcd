from datetime import datetime

import pytest

from jot.cli import main
from jot.store import MemoryStore
from jot.tasklist import TaskList

# a Wednesday
NOW = datetime(2024, 1, 31, 10, 30)


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
def tasks(store):
    return TaskList(store, now=lambda: NOW)


@pytest.fixture
def reload(store):
    return lambda now=NOW: TaskList(store, now=lambda: now)


@pytest.fixture
def jot(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("JOT_FILE", str(tmp_path / "data" / "tasks.json"))

    def run(*argv):
        status = main([str(arg) for arg in argv], now=lambda: NOW)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run
