"""The rules that tell why a check is red whatever the program says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from regreen.types import CheckResult, ObstacleKind, Outcome, Project, Suite, SuiteKind
from regreen.verify.check_causes import CheckCause
from regreen.verify.missing_modules import may_be_misspelt, package_of
from regreen.verify.obstacles import Surroundings, acts_when_imported, find_obstacles
from regreen.verify.raised_errors import RaisedError, TracebackFrame

TESTS = "from prices import total\n\ndef test_a():\n    use()\n"
SUITE = Suite(SuiteKind.MODULE, TESTS, (), module="prices", origin="test_prices.py")
PROGRAM = "import numpy\n\ndef total(xs):\n    return 0\n"
AROUND = Surroundings("prices.py", PROGRAM, SUITE, frozenset({"helpers.py"}), "/usr/bin/python3")
IN_TEST = TracebackFrame("test_prices.py", 4, "test_a")
IN_PROGRAM = TracebackFrame("<prices>", 1, "<module>")
IN_HELPER = TracebackFrame("helpers.py", 12, "rate")
RAISED = CheckResult(Outcome.RAISED, detail="Error")


def cause(
    *errors: RaisedError, independent: bool = False, result: CheckResult = RAISED, check: str = "test_a"
) -> CheckCause:
    """A red check that ended with these errors."""
    return CheckCause(check, result, errors, SUITE, AROUND.companions, independent)


def error(kind: str, *frames: TracebackFrame, **fields: Any) -> RaisedError:
    """An exception that came through these frames."""
    return RaisedError(kind, "why", frames=frames, **fields)


def frame(file: str, function: str) -> TracebackFrame:
    """A frame of something installed."""
    return TracebackFrame(f"/usr/lib/python3/{file}", 7, function)


SOCKET, SPAWN = frame("socket.py", "__init__"), frame("subprocess.py", "_execute_child")
ENVIRON = TracebackFrame("<frozen os>", 679, "__getitem__")
FAILED_ASYNC = CheckResult(Outcome.FAILED, detail="async def functions are not natively supported.\nYou need ...")
KINDS = {
    "a fixture": (cause(error("FixtureLookupError", name="mocker")), ObstacleKind.FIXTURE, "mocker", "pytest-mock"),
    "a fixture of a plugin that is left out": (
        cause(error("FixtureLookupError", name="cov")),
        ObstacleKind.FIXTURE,
        "cov",
        "without pytest-cov",
    ),
    "a fixture of a plugin that is not left out": (
        cause(error("FixtureLookupError", name="worker_id")),
        ObstacleKind.FIXTURE,
        "worker_id",
        "pip install pytest-xdist",
    ),
    "an async fixture of a test": (
        cause(result=replace(FAILED_ASYNC, detail="'test_a' requested an async fixture 'b'"), independent=True),
        ObstacleKind.ASYNC,
        "async def",
        "pytest.mark.asyncio",
    ),
    "a fixture of the user's": (
        cause(error("FixtureLookupError", name="shop")),
        ObstacleKind.FIXTURE,
        "shop",
        "conftest.py",
    ),
    "an async test": (cause(result=FAILED_ASYNC), ObstacleKind.ASYNC, "async def", "pytest.mark.asyncio"),
    "a module that the tests import": (
        cause(error("ModuleNotFoundError", IN_TEST, name="yaml"), independent=True),
        ObstacleKind.MODULE,
        "yaml",
        "/usr/bin/python3 -m pip install PyYAML",
    ),
    "a module that the program imports": (
        cause(error("ModuleNotFoundError", IN_PROGRAM, name="numpy")),
        ObstacleKind.MODULE,
        "numpy",
        "--python",
    ),
    "a module that a library of the program's imports": (
        cause(error("ModuleNotFoundError", IN_PROGRAM, frame("pandas.py", "<module>"), name="pytz")),
        ObstacleKind.MODULE,
        "pytz",
        "install pytz",
    ),
    "a name of the network": (
        cause(error("gaierror", IN_TEST, frame("socket.py", "getaddrinfo")), independent=True),
        ObstacleKind.NETWORK,
        "the network",
        "test",
    ),
    "a socket behind a library's own error": (
        cause(error("URLError", IN_TEST), error("PermissionError", SOCKET, errno=1), independent=True),
        ObstacleKind.NETWORK,
        "the network",
        "test",
    ),
    "a process of the program's": (
        cause(error("PermissionError", IN_PROGRAM, SPAWN, errno=1)),
        ObstacleKind.PROCESSES,
        "further processes",
        "--allow-processes",
    ),
    "a variable": (
        cause(error("KeyError", IN_TEST, ENVIRON, key="TOKEN"), independent=True),
        ObstacleKind.VARIABLE,
        "TOKEN",
        "monkeypatch.setenv('TOKEN'",
    ),
    "a file": (
        cause(error("FileNotFoundError", IN_TEST, file="data/a.csv"), independent=True),
        ObstacleKind.FILE,
        "data/a.csv",
        "tmp_path",
    ),
    "another file": (
        cause(error("ZeroDivisionError", IN_TEST, IN_HELPER), independent=True),
        ObstacleKind.OTHER_FILE,
        "helpers.py, line 12",
        "give helpers.py as TARGET",
    ),
    "the tests' own import": (
        cause(error("ImportError", TracebackFrame("test_prices.py", 1, "<module>"), name="helpers"), independent=True),
        ObstacleKind.TESTS,
        "test_prices.py",
        "Correct",
    ),
    "a test that prints too much": (
        cause(error("OutputFlood", IN_TEST), independent=True, result=CheckResult(Outcome.OUTPUT_FLOOD)),
        ObstacleKind.UNREACHED,
        "output",
        "--output-kb",
    ),
    "a check that never gets to the program": (
        cause(error("AssertionError", IN_TEST), independent=True, result=CheckResult(Outcome.FAILED)),
        ObstacleKind.UNREACHED,
        "prices.py",
        "TARGET",
    ),
}


def test_what_the_user_has_and_the_sandbox_is_not_shown_is_certain_wherever_it_is_asked_for() -> None:
    """A variable by its name, a file that was left out of the copy; one that nobody has may be the bug."""
    project = Project("/p", {}, "prices.py", left_out={"big.csv": "larger than 1 MiB"}, withheld=frozenset({"MODE"}))
    around = replace(AROUND, suite=replace(SUITE, project=project))
    mode = cause(error("KeyError", IN_PROGRAM, ENVIRON, key="MODE"))
    other = cause(error("KeyError", IN_PROGRAM, ENVIRON, key="OTHER"))
    big = cause(error("FileNotFoundError", IN_PROGRAM, file="big.csv"))
    assert [obstacle.certain for red in (mode, other, big) for obstacle in find_obstacles([red], around)] == [
        True,
        False,
        True,
    ]
    assert find_obstacles([mode], around)[0].remedy.startswith("Name it with --env MODE")


@pytest.mark.parametrize("what", KINDS)
def test_the_cause_is_named_with_its_remedy(what: str) -> None:
    """Whoever reads it knows what to do next."""
    red, kind, subject, remedy = KINDS[what]
    (obstacle,) = find_obstacles([red], AROUND)
    assert (obstacle.kind, obstacle.subject, obstacle.checks, obstacle.certain) == (kind, subject, ("test_a",), True)
    assert remedy in obstacle.remedy


REPARABLE = {
    "a wrong answer": cause(error("AssertionError", IN_TEST), result=CheckResult(Outcome.FAILED)),
    "an exception of the program's": cause(error("ValueError", IN_TEST, IN_PROGRAM)),
    "a helper that the program called wrongly": cause(error("TypeError", IN_TEST, IN_PROGRAM, IN_HELPER)),
    "a key of the program's own": cause(error("KeyError", IN_TEST, IN_PROGRAM, key="TOKEN")),
    "a name that the program lacks": cause(error("ImportError", IN_TEST, name="prices")),
}


@pytest.mark.parametrize("what", REPARABLE)
def test_an_honest_bug_is_no_obstacle(what: str) -> None:
    """Nothing is said of it but what the check itself says."""
    assert find_obstacles([REPARABLE[what]], AROUND) == ()


UNCERTAIN = {
    "a misspelt import": cause(error("ModuleNotFoundError", IN_PROGRAM, name="maths")),
    "a submodule that an installed package lacks": cause(error("ModuleNotFoundError", IN_PROGRAM, name="os.paths")),
    "a module that left the standard library": cause(error("ModuleNotFoundError", IN_PROGRAM, name="imp")),
    "a companion under another name": cause(error("ModuleNotFoundError", IN_PROGRAM, name="helper")),
    "a module by a computed name": cause(
        error("ModuleNotFoundError", IN_PROGRAM, frame("importlib/__init__.py", "import_module"), name="numpy")
    ),
    "a file that the program opens": cause(error("FileNotFoundError", IN_TEST, IN_PROGRAM, file="a.csv")),
    "a file that the program may have had to write": cause(error("FileNotFoundError", IN_TEST, file="a.csv")),
    "a variable that the program reads": cause(error("KeyError", IN_PROGRAM, ENVIRON, key="TOKEN")),
    "a helper, after the program answered": cause(error("ZeroDivisionError", IN_TEST, IN_HELPER)),
}


@pytest.mark.parametrize("what", UNCERTAIN)
def test_what_the_program_may_have_caused_is_told_and_repaired_all_the_same(what: str) -> None:
    """A warning costs nothing; a refusal would cost the repair."""
    (obstacle,) = find_obstacles([UNCERTAIN[what]], AROUND)
    assert not obstacle.certain


def test_a_refusal_in_a_test_that_replaces_parts_may_be_the_bug() -> None:
    """The program may have passed by the stand-in that the test put there."""
    mocking = replace(AROUND, suite=replace(SUITE, source=f"{TESTS}# monkeypatch"))
    red = cause(error("PermissionError", IN_PROGRAM, SPAWN, errno=1))
    assert not find_obstacles([red], mocking)[0].certain


def test_processes_that_are_allowed_are_not_refused() -> None:
    """Then it is the kernel or the program that said no."""
    red = cause(error("PermissionError", IN_PROGRAM, SPAWN, errno=1))
    assert find_obstacles([red], replace(AROUND, allows_processes=True)) == ()


def test_a_program_that_only_computes_has_written_no_file() -> None:
    """So a file that the tests open is missing whatever the program answered before."""
    pure = replace(AROUND, source="import math\n\ndef total(xs):\n    return 0\n", companions=frozenset())
    red = replace(UNCERTAIN["a file that the program may have had to write"], companions=frozenset())
    assert find_obstacles([red], pure)[0].certain
    assert not find_obstacles([red], replace(pure, source="def total(xs):\n    open('a.csv', 'w')\n"))[0].certain


def test_checks_with_one_cause_are_one_obstacle_and_certain_ones_come_first() -> None:
    """A suite of a hundred tests without its library is told in one sentence."""
    likely = replace(UNCERTAIN["a misspelt import"], check="test_z")
    red = [likely, *(replace(KINDS["a module that the tests import"][0], check=f"test_{n}") for n in "bc")]
    assert [obstacle.checks for obstacle in find_obstacles(red, AROUND)] == [("test_b", "test_c"), ("test_z",)]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("import os\nRATE = 2\n\ndef f():\n    pass\n\nclass C(Exception):\n    pass\n", False),
        ("from functools import lru_cache\n\n@lru_cache(maxsize=None)\ndef f():\n    pass\n", False),
        ("import shop\nshop.register('a')\n", True),
        ("import shop\n\n@shop.route('/')\ndef f():\n    pass\n", True),
        ("import shop\n\nclass C(shop.Plugin):\n    pass\n", True),
        ("import os\nos.environ['A'] = 'b'\n", True),
        ("def f(:\n", True),
    ],
)
def test_a_program_that_acts_when_it_is_imported_may_be_needed_without_a_call(program: str, expected: bool) -> None:
    """A plugin that forgets to register itself is a bug that no call shows."""
    assert acts_when_imported(program) is expected
    red = KINDS["a check that never gets to the program"][0]
    assert find_obstacles([red], replace(AROUND, source=program))[0].certain is not expected


def test_packages_are_named_as_an_index_knows_them() -> None:
    """`import yaml` is installed as PyYAML."""
    assert [package_of(name) for name in ("yaml", "PIL.Image", "numpy")] == ["PyYAML", "Pillow", "numpy"]


def test_names_near_those_that_exist_may_be_slips() -> None:
    """Of the standard library, in any case, or of the user's own modules; well-known packages are no slips."""
    assert all(may_be_misspelt(name, {"invoices"}) for name in ("maths", "Json", "invoice", "os.paths", "StringIO"))
    assert not any(may_be_misspelt(name, {"invoices"}) for name in ("numpy", "yaml", "ujson", "requests", "flask"))
