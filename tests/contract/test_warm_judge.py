"""Judges that stay ready: the second call starts nothing, and modules that are loaded beforehand are there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import regreen
from regreen.config import load_settings
from regreen.types import Limits
from regreen.verify.judge import open_judge
from regreen.verify.suites import read_suite
from regreen.verify.warm_judge import warm_judge

pytestmark = pytest.mark.sandbox


def test_a_second_call_finds_the_sandboxes_of_the_first() -> None:
    """And a judge of other programs."""
    assert regreen.judge("def f():\n    return 1\n", "assert f() == 1").passed
    settings = load_settings()
    judge = warm_judge(settings.confinement)
    running = [server.process.pid for pair in judge.pool._pairs for server in pair.servers]
    assert running
    assert not regreen.judge("def f():\n    return 2\n", "assert f() == 1").passed
    assert [server.process.pid for pair in judge.pool._pairs for server in pair.servers] == running
    assert warm_judge(settings.confinement) is judge


FIRST_CALL = """
import sys, regreen
assert regreen.judge("def f():\\n    return 1\\n", "assert f() == 1").passed
print(*sys.modules)
"""


def test_a_first_call_loads_what_a_verdict_needs_and_no_search() -> None:
    """Half of the time of a first call went into modules that repair."""
    done = subprocess.run([sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, timeout=60, check=True)
    assert "pydantic" not in done.stdout.split(), "no setting is to be checked where none is set"
    rooms = {name.split(".")[1] for name in done.stdout.split() if name.startswith("regreen.")}
    assert rooms.isdisjoint({"strategies", "propose", "localise", "select", "models", "evaluate", "api"})


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"REGREEN_TIMEOUT": "0.5"}, "timed_out"),
        ({"REGREEN_TIMEOUT": "no"}, "REGREEN_TIMEOUT is 'no'."),
        ({"REGREEN_TIMEOUTS": "2"}, "Did you mean REGREEN_TIMEOUT?"),
        ({}, "passed"),
    ],
    ids=["shorter", "no number", "no setting", "nothing"],
)
def test_a_first_call_heeds_what_is_set(variables: dict[str, str], told: str) -> None:
    """Though it does not load what checks settings where nothing is."""
    done = subprocess.run(
        [sys.executable, "-c", HEEDS], capture_output=True, text=True, timeout=60, env={**os.environ, **variables}
    )
    assert told in done.stdout


HEEDS = """
import os, regreen
program = "def f():\\n    " + ("while True:\\n        pass" if "REGREEN_TIMEOUT" in os.environ else "return 0") + "\\n"
try:
    print(*(result.outcome for result in regreen.judge(program, "assert f() == 0").results.values()))
except regreen.ConfigError as error:
    print(error, error.remedy)
"""


def test_what_is_loaded_beforehand_is_in_memory_and_what_cannot_be_is_nobody_s_fault() -> None:
    """The program still has to import it by its name."""
    source = "import sys\n\n\ndef loaded():\n    return 'wave' in sys.modules, 'wave' in globals()\n"
    suite = read_suite("assert loaded() == (True, False)", program=source, module="program", entry_point="loaded")
    with open_judge(preload=["wave", "no_such_module"]) as judge:
        assert judge.judge(source, suite, Limits()).passed
