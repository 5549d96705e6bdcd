"""Red checks that no change of the program can turn green: named before anything is tried, and honest bugs never."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from regreen.config import load_settings
from regreen.errors import OutOfReach, SandboxRefusal
from regreen.sandbox.kept_pools import lend_pool
from regreen.strategies.resources import Resources
from regreen.strategies.session import RepairSession
from regreen.types import Budget, Limits, Obstacle, ObstacleKind, Task
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

pytestmark = pytest.mark.sandbox

PROGRAM = "RATE = 2\n\n\nclass Tax:\n    share = 1\n\n\ndef total(xs):\n    return -sum(xs)\n"
RIGHT = "def test_right():\n    assert total([]) == 0\n"


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for the sessions of these tests."""
    with lend_pool(load_settings(environ={}).confinement) as pool:
        yield Resources(pool, SandboxJudge(pool), Limits(seconds=0.5, memory_bytes=256 << 20), Budget())


def examined(
    resources: Resources, tests: str, program: str = PROGRAM, companions: Mapping[str, str] | None = None
) -> RepairSession:
    """A session that has run the checks."""
    suite = read_suite(tests, program=program, module="prices", entry_point=None, origin="test_prices.py")
    session = RepairSession(resources, Task("prices.py", program, None, suite, companions=companions or {}))
    session.examine()
    return session


def refused(
    resources: Resources, tests: str, program: str = PROGRAM, companions: Mapping[str, str] | None = None
) -> tuple[Obstacle, ...]:
    """What keeps every red check red."""
    with pytest.raises((OutOfReach, SandboxRefusal)) as error:
        examined(resources, tests, program, companions)
    assert error.value.remedy
    return error.value.obstacles


WITH_PYTEST = """
import os, socket, subprocess
import pytest
from helpers import broken
from prices import total

def test_right():
    assert total([]) == 0

def test_bug():
    assert total([1]) == 1

def test_fixture(no_such_fixture):
    assert total([1]) == 1

async def test_async():
    assert total([1]) == 1

def test_file():
    with open("no_such.csv") as file:
        assert total([1]) == int(file.read())

def test_variable():
    assert int(os.environ["NO_SUCH_VARIABLE"]) == total([1])

def test_network():
    assert total([]) == 0
    socket.create_connection(("shop.example", 80), timeout=1)

def test_processes():
    subprocess.run(["true"], check=True)
    assert total([1]) == 1

def test_other_file():
    assert total([broken()]) == 1

def test_unreached():
    assert os.sep == ":"
    assert total([1]) == 1
"""


def test_one_suite_with_every_cause_and_one_bug(resources: Resources) -> None:
    """Each cause is named with its check, these are set aside, and the bug is left to repair."""
    helpers = {"helpers.py": "\ndef broken():\n    return 1 // 0\n"}
    session = examined(resources, WITH_PYTEST, companions=helpers)
    assert {obstacle.kind: obstacle.checks for obstacle in session.obstacles} == {
        ObstacleKind.FIXTURE: ("test_fixture",),
        ObstacleKind.ASYNC: ("test_async",),
        ObstacleKind.FILE: ("test_file",),
        ObstacleKind.VARIABLE: ("test_variable",),
        ObstacleKind.NETWORK: ("test_network",),
        ObstacleKind.PROCESSES: ("test_processes",),
        ObstacleKind.OTHER_FILE: ("test_other_file",),
        ObstacleKind.UNREACHED: ("test_unreached",),
    }
    subjects = {obstacle.kind: obstacle.subject for obstacle in session.obstacles}
    assert subjects[ObstacleKind.OTHER_FILE] == "helpers.py, line 3"
    assert (session.baseline.red, sorted(session.baseline.green)) == (("test_bug",), ["test_right"])
    assert [check.id for check in session.baseline.suite.checks] == ["test_right", "test_bug"]


IMPORTED = "from prices import total\n\n"
HOPELESS = {
    "a module that the tests import": (f"import no_such_module\n{IMPORTED}{RIGHT}", PROGRAM, ObstacleKind.MODULE),
    "a module that the program imports": (
        f"{IMPORTED}{RIGHT}",
        f"import no_such_module\n{PROGRAM}",
        ObstacleKind.MODULE,
    ),
    "a name that another module lacks": (f"from os import no_such\n{IMPORTED}{RIGHT}", PROGRAM, ObstacleKind.TESTS),
    "a script's import": (
        f"import no_such_module\n{IMPORTED}assert total([1]) == no_such_module.x\n",
        PROGRAM,
        ObstacleKind.MODULE,
    ),
    "a program that starts a process": (
        f"{IMPORTED}def test_a():\n    assert total([1]) == 1\n",
        "import subprocess\n\ndef total(xs):\n    return int(subprocess.check_output(['echo', '1']))\n",
        ObstacleKind.PROCESSES,
    ),
    "a file that the program computes with": (
        f"{IMPORTED}def test_a():\n    assert total(['EUR']) == 1.08\n",
        "def total(xs):\n    with open('rates.csv') as file:\n        return dict(map(str.split, file))[xs[0]]\n",
        ObstacleKind.FILE,
    ),
    "a variable that the program computes with": (
        f"{IMPORTED}def test_a():\n    assert total([]) == 'Bearer 12345'\n",
        "import os\n\ndef total(xs):\n    return 'Bearer ' + os.environ['NO_SUCH_VARIABLE']\n",
        ObstacleKind.VARIABLE,
    ),
    "a check that hangs by itself": (
        f"{IMPORTED}def test_a():\n    while True:\n        pass\n",
        PROGRAM,
        ObstacleKind.UNREACHED,
    ),
}


@pytest.mark.parametrize("what", HOPELESS)
def test_a_repair_that_cannot_be_ends_before_it_begins(resources: Resources, what: str) -> None:
    """A minute of searching for it would end with the same words."""
    tests, program, kind = HOPELESS[what]
    assert [obstacle.kind for obstacle in refused(resources, tests, program)] == [kind]


def test_what_the_sandbox_refuses_is_its_own_fault(resources: Resources) -> None:
    """A benchmark counts it as an error, and the command ends as when the machine fails."""
    tests = f"import socket\n{IMPORTED}def test_a():\n    socket.socket()\n    assert total([1]) == 1\n"
    with pytest.raises(SandboxRefusal) as error:
        examined(resources, tests)
    assert error.value.exit_status == 3


HONEST = {
    "a name that the program lacks": ("from prices import totals\nassert totals([1]) == 1\n", PROGRAM),
    "a constant": ("import prices\n\ndef test_a():\n    assert prices.RATE == 3\n", PROGRAM),
    "a constant that is compared by identity": (
        "import prices\n\ndef test_a():\n    assert prices.RATE is None\n",
        PROGRAM,
    ),
    "an attribute of a class": ("from prices import Tax\n\ndef test_a():\n    assert Tax.share == 2\n", PROGRAM),
    "a class without a line of its own": (
        "from prices import Tax\n\ndef test_a():\n    assert Tax().rate == 2\n",
        PROGRAM,
    ),
    "a base class": (
        "import prices\n\ndef test_a():\n    class A(prices.Tax):\n        pass\n    assert A.share == 2\n",
        PROGRAM,
    ),
    "an exception that the test swallows": (
        f"{IMPORTED}def test_a():\n    try:\n        total(1)\n    except Exception:\n        assert 1 == 2\n",
        PROGRAM,
    ),
    "a misspelt import": (f"{IMPORTED}assert total([1]) == 1\n", f"import maths\n{PROGRAM}"),
    "a library that the program called wrongly": (
        f"{IMPORTED}assert total('[1]') == 1\n",
        "import json\n\ndef total(text):\n    return sum(json.loads(text + ']'))\n",
    ),
    "a variable that the program sets": (
        "import os\nfrom prices import setup\n\ndef test_a():\n    setup()\n    assert os.environ['RATE'] == '2'\n",
        "import os\n\ndef setup():\n    os.environ['RAT'] = '2'\n",
    ),
    "a file that the program writes": (
        f"{IMPORTED}def test_a():\n    total([1])\n    assert open('sum.txt').read() == '1'\n",
        "def total(xs):\n    with open('sum', 'w') as file:\n        file.write(str(sum(xs)))\n",
    ),
    "a default that the program forgot": (
        f"{IMPORTED}def test_a():\n    assert total('nowhere.json') == []\n",
        "import json\n\ndef total(path):\n    with open(path) as file:\n        return json.load(file)\n",
    ),
    "a plugin that does not register itself": (
        "import prices\nimport helpers\n\ndef test_a():\n    assert helpers.known == ['prices']\n",
        "import helpers\nhelpers.forget('prices')\n",
    ),
    "data that the tests take from the program": (
        "import prices\n\nCASES = [prices.RATE]\n\ndef test_a():\n    assert CASES == [3]\n",
        PROGRAM,
    ),
}


@pytest.mark.parametrize("what", HONEST)
def test_an_honest_bug_is_repaired(resources: Resources, what: str) -> None:
    """Whatever may depend on the program stays red, and is not set aside."""
    tests, program = HONEST[what]
    helpers = {"helpers.py": "known = []\n\ndef forget(name):\n    pass\n"} if "helpers" in program else {}
    session = examined(resources, tests, program, helpers)
    assert session.baseline.red
    assert not [obstacle for obstacle in session.obstacles if obstacle.certain]
