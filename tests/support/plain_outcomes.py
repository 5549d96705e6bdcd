"""Runs plain pytest in several projects, each in a process of its own, and tells how each of their tests ended.

As a program it reads [[folder, arguments, variables], ...] from its standard input, and writes {test: passed} for each
in JSON. The processes are forked: importing pytest is what takes long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

Project = tuple[str, Sequence[str], Mapping[str, str]]


class Outcomes:
    """The tests that ran, and whether each of them passed."""

    def __init__(self) -> None:
        self.passed: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test passes when all of its phases do."""
        self.passed[report.nodeid] = self.passed.get(report.nodeid, True) and report.passed


def plain_outcomes(projects: Sequence[Project]) -> list[dict[str, bool]]:
    """How each test of each project ends, by pytest's own name for it."""
    command = [sys.executable, __file__]
    done = subprocess.run(command, input=json.dumps(projects), capture_output=True, text=True, timeout=110, check=True)
    answers: list[dict[str, bool]] = [json.loads(line) for line in done.stdout.splitlines()]
    return answers


def _outcomes(folder: str, arguments: list[str], variables: dict[str, str]) -> dict[str, bool]:
    """Run `python -m pytest` in a forked process."""
    read, write = os.pipe()
    if not (child := os.fork()):
        os.dup2(2, 1)
        os.chdir(folder)
        sys.path.insert(0, folder)
        os.environ.update(variables)
        outcomes = Outcomes()
        pytest.main([*arguments, "-pno:cacheprovider", "-panyio.pytest_plugin"], plugins=[outcomes])
        os.write(write, json.dumps(outcomes.passed).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        told: Any = json.loads(answer.read())
    os.waitpid(child, 0)
    return dict(told)


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))
    sys.dont_write_bytecode = True
    # Of the plugins that are installed here, the projects know one.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for folder, arguments, variables in json.load(sys.stdin):
        sys.stdout.write(json.dumps(_outcomes(folder, arguments, variables)) + "\n")
        sys.stdout.flush()
