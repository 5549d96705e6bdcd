"""Whatever ends Regreen in the middle of a hostile program: no process and no file is left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import descendants, left_of
from waiting import wait_for

pytestmark = pytest.mark.sandbox

HOST = """
import os, sys
from dataclasses import replace
from regreen.types import Limits
from regreen.verify.judge import open_judge
from regreen.verify.suites import read_suite

PROGRAM = '''
import os, signal, time

def answer(x):
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(60)
    time.sleep(60)
'''
honest = "def answer(x): return x"
suite = read_suite("assert answer(1) == 2\\n", program=honest, module="program", entry_point="answer")
with open_judge(layers=sys.argv[1]) as judge:
    print("ready", flush=True)
    judge.judge(PROGRAM, suite, Limits(seconds=50.0, total_seconds=100.0, processes=True))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda s: s.name)
def test_nothing_is_left_when_regreen_is_stopped(layers: str, tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, a polite end and a violent one, while a daemon of the program's is running."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", HOST, layers]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"ready\n"
        wait_for(
            lambda: len(descendants(host.pid)) >= 7,
            what="two guards, two servers, the judge, the program and its daemon",
        )
        family = descendants(host.pid)
        host.send_signal(number)
        host.wait(20)
    assert_nothing_is_left(family, tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda s: s.name)
def test_nothing_is_left_when_regreen_is_stopped_early(layers: str, tmp_path: Path, number: signal.Signals) -> None:
    """While the sandbox is being built there is nobody yet who would tidy up, so there must be nothing to tidy."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", HOST, layers]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"ready\n"
        family = wait_for(lambda: descendants(host.pid), what="a part of the sandbox")
        host.send_signal(number)
        host.wait(20)
    assert_nothing_is_left(family, tmp_path)


def assert_nothing_is_left(family: set[int], folder: Path) -> None:
    """Neither one of these processes, nor anything in the folder for temporary files; what is left is ended."""
    left = left_of(family, 5)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert left == set()
    wait_for(lambda: not list(folder.iterdir()), 5, what="an empty folder")
