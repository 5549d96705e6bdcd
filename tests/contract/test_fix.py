"""`regreen fix` from end to end: a program and its tests on disk in, a proven patch and an exit status out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from processes import descendants, left_of
from waiting import wait_for

from regreen.cli import run

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
BUGGY = "def add(a, b):\n    return a - b\n"
TESTS = "from prog import add\nassert add(1, 2) == 3\nassert add(0, 0) == 0\n"


@dataclass(frozen=True)
class Ran:
    """What one run of the command left."""

    status: int
    out: str
    err: str


BEGIN = """
import sys

class Herald:
    def find_spec(self, name, *rest):
        if name == "regreen.cli":
            print("begun", flush=True)

sys.meta_path.insert(0, Herald())
from regreen.__main__ import main
main()
"""
"""Runs the command, and says when it begins to import what it consists of."""


class Desk:
    """A folder of the user's, and the command run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, files: Mapping[str, str | bytes]) -> None:
        """Write files, with the folders that they are in."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def start(self, *args: str, **environment: str) -> subprocess.Popen[str]:
        """Begin `regreen fix`; returns when it can answer an interrupt: before that, it is but Python that starts."""
        process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, "fix", *args],
            cwd=self.folder,
            env={**os.environ, "REGREEN_WORKERS": "1", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        return process

    def fix(self, *args: str, **environment: str) -> Ran:
        """Run `regreen fix` to its end."""
        process = self.start(*args, **environment)
        out, err = process.communicate(timeout=120)
        return Ran(process.returncode, out, err)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def fix(desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `regreen fix` at the desk, in this process: what only a process of its own can show asks `Desk.fix`."""

    def here(*args: str) -> Ran:
        status = run(["fix", *args])
        printed = capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    monkeypatch.chdir(desk.folder)
    monkeypatch.setenv("REGREEN_WORKERS", "1")
    return here


FORMS: dict[str, str] = {
    "asserts that stand alone": "assert add(1, 2) == 3\n",
    "import m": "import prog\nassert prog.add(1, 2) == 3\n",
    "import m as x": "import prog as p\nassert p.add(1, 2) == 3\n",
    "from m import *": "from prog import *\nassert add(1, 2) == 3\n",
    "from m import f as g": "from prog import add as plus\nassert plus(1, 2) == 3\n",
    "test functions": "from prog import add\n\ndef test_sum():\n    assert add(1, 2) == 3\n",
    "unittest": (
        "import unittest\nfrom prog import add\n\nclass Sums(unittest.TestCase):\n"
        "    @classmethod\n    def setUpClass(cls):\n        cls.two = 2\n"
        "    def setUp(self):\n        self.one = 1\n"
        "    def test_sum(self):\n        self.assertEqual(add(self.one, self.two), 3)\n"
        "    def test_many(self):\n        for n in range(3):\n            with self.subTest(n=n):\n"
        "                self.assertEqual(add(n, n), 2 * n)\n"
    ),
    "check(candidate)": "def check(candidate):\n    assert candidate(1, 2) == 3\n\ncheck(add)\n",
    "pytest": (
        "import pytest\nfrom prog import add\n\n@pytest.fixture\ndef one():\n    return 1\n\n"
        "@pytest.mark.parametrize('n', [2, 3])\ndef test_sum(one, n, tmp_path):\n"
        "    assert add(one, n) == pytest.approx(n + 1)\n"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_tests_may_be_written_in_every_usual_form(desk: Desk, fix: Callable[..., Ran], form: str) -> None:
    """The same bug is found and mended, however the tests are written and reach the program."""
    desk.put({"prog.py": BUGGY, "tests.py": FORMS[form]})
    ran = fix("prog.py", "--tests", "tests.py")
    assert (ran.status, "error" in ran.err) == (0, False)
    assert "-    return a - b\n+    return a + b\n" in ran.out


def test_tests_that_only_raise_where_candidates_are_tried_are_no_fault_of_the_program(
    desk: Desk, fix: Callable[..., Ran]
) -> None:
    """No candidate could pass there: it is said, and not that nothing was found."""
    looks = "import time\nfrom types import BuiltinFunctionType\nfrom prog import add\n\ndef look():\n"
    looks += "    if not isinstance(time.sleep, BuiltinFunctionType):\n        raise RuntimeError('no clock')\n\n"
    greens = "".join(f"def test_{n}():\n    look()\n    assert add({n}, 0) == {n}\n\n" for n in range(4))
    desk.put({"prog.py": BUGGY, "tests.py": f"{looks}{greens}def test_add():\n    assert add(1, 2) == 3\n"})
    ran = fix("prog.py", "--tests", "tests.py")
    assert ran.status == 3
    assert "All 4 checks that pass by themselves raise in the processes where candidates are tried" in ran.err
    assert "no clock" in ran.err


def test_explain_finds_the_line_that_only_the_red_check_runs(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ochiai's formula over what the checks really ran: 1 where only the red one was, less where others were, too."""
    program = "def sign(n):\n    if n < 0:\n        return 1\n    return 1\n"
    tests = "from prog import sign\nassert sign(-5) == -1\nassert sign(5) == 1\n"
    desk.put({"prog.py": program, "test_prog.py": tests})
    monkeypatch.chdir(desk.folder)
    assert run(["explain", "test_prog.py", "--workers", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {line["line"]: line["suspiciousness"] for line in found["lines"]} == {2: 0.7071, 3: 1.0, 4: 0.0}
    assert found["sites"][0]["first_line"] == 3
    assert [check["message"] for check in found["checks"]] == ["expected -1, got 1", ""]


def test_cases_of_data_and_doctests_are_tests_too(desk: Desk, fix: Callable[..., Ran]) -> None:
    """JSON lines name arguments and results; without tests, the examples in the docstring decide."""
    doctest = 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n    return a - b\n'
    desk.put({"prog.py": BUGGY, "cases.jsonl": '{"args": [1], "kwargs": {"b": 2}, "expected": 3}\n', "doc.py": doctest})
    cases = fix("prog.py", "--tests", "cases.jsonl")
    assert (cases.status, "expected 3, got -1\n     cases.jsonl:1: assert add(1, b=2) == 3" in cases.out) == (0, True)
    examples = fix("doc.py")
    assert (examples.status, "expected 3, got -1\n     line 3: >>> add(1, 2)\n" in examples.out) == (0, True)


def test_a_file_may_hold_its_own_tests(desk: Desk, fix: Callable[..., Ran]) -> None:
    """They decide at their own lines, whether they are named or not, and are the same afterwards."""
    tests = "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n\n\n"
    tests += "def test_add(two):\n    assert add(1, two) == 3\n"
    desk.put({"prog.py": f"{tests}\n\n{BUGGY}", "script.py": f"{BUGGY}\n\nassert add(1, 2) == 3\nprint('all good')\n"})
    ran = fix("prog.py", "--apply")
    assert (ran.status, "prog.py:10: assert add(1, two) == 3" in ran.out) == (0, True)
    assert (desk.folder / "prog.py").read_text() == f"{tests}\n\n{BUGGY.replace('a - b', 'a + b')}"
    assert fix("script.py", "--tests", "script.py", "--apply").status == 0
    assert (desk.folder / "script.py").read_text() == (
        f"{BUGGY.replace('a - b', 'a + b')}\n\nassert add(1, 2) == 3\nprint('all good')\n"
    )


WRITINGS: dict[str, bytes] = {
    "CRLF": b"# x\r\ndef add(a, b):  # y\r\n    return a - b\r\n",
    "a byte order mark": b"\xef\xbb\xbfdef add(a, b):\n    return a - b\n",
    "tabs": b"def add(a, b):\n\tif a:\n\t\tpass\n\treturn a - b\n",
    "latin-1": "# -*- coding: latin-1 -*-\ndef add(a, b):\n    'na\xefve'\n    return a - b\n".encode("latin-1"),
    "mixed line ends": b"def add(a, b):\r\n    x = 1\n    return a - b\r\n\r\nY = 2\n",
    "no final line end": b"def add(a, b):\n    return a - b",
    "form feeds": b"X = 1\n\x0c\ndef add(a, b):\n    return a - b\n\x0c\n",
    "odd spacing": b"def add(a, b):   \n    return (a   -   b)   # keep   \n   \n",
    "a future import and a main block": (
        b'"""Doc."""\nfrom __future__ import annotations\ndef add(a: Int, b: Int) -> Int:\n    return a - b\n'
        b'if __name__ == "__main__":\n    add()\n'
    ),
}


@pytest.mark.parametrize("writing", WRITINGS)
def test_apply_changes_the_one_byte_that_was_wrong(desk: Desk, fix: Callable[..., Ran], writing: str) -> None:
    """Encoding, marks, line ends and layout of the file are the user's own."""
    before = WRITINGS[writing]
    desk.put({"prog.py": before, "tests.py": TESTS})
    assert fix("prog.py", "--tests", "tests.py", "--apply").status == 0
    assert (desk.folder / "prog.py").read_bytes() == before.replace(b"- b", b"+ b").replace(b"-   b", b"+   b")


def test_a_module_of_a_package_finds_its_neighbours(desk: Desk, fix: Callable[..., Ran]) -> None:
    """Relative and absolute imports inside the package work, from tests that live elsewhere."""
    program = "from .rates import RATE\nfrom pkg.sub import more\n\ndef total(x):\n    return x - RATE + more.ZERO\n"
    desk.put(
        {
            "src/pkg/__init__.py": "",
            "src/pkg/total.py": program,
            "src/pkg/rates.py": "RATE = 5\n",
            "src/pkg/sub/more.py": "from ..rates import RATE\nZERO = RATE - RATE\n",
            "tests/test_total.py": "from pkg.total import total\n\ndef test_total():\n    assert total(1) == 6\n",
            "tests/alone.py": "assert total(1) == 6\n",
        }
    )
    for tests in ("tests/test_total.py", "tests/alone.py"):
        ran = fix("src/pkg/total.py", "--tests", tests)
        assert (ran.status, "+    return x + RATE + more.ZERO\n" in ran.out) == (0, True), ran


def test_fixtures_of_a_conftest_come_along(desk: Desk, fix: Callable[..., Ran]) -> None:
    """The nearest conftest.py above the tests is theirs, as under pytest."""
    conftest = "import pytest\nfrom numbers_for_tests import ONE\n\n@pytest.fixture\ndef one():\n    return ONE\n"
    desk.put(
        {
            "prog.py": BUGGY,
            "conftest.py": conftest,
            "numbers_for_tests.py": "ONE = 1\n",
            "checks/test_sum.py": "from prog import add\n\ndef test_sum(one):\n    assert add(one, 2) == 3\n",
        }
    )
    ran = fix("prog.py", "--tests", "checks/test_sum.py")
    assert (ran.status, "+    return a + b\n" in ran.out) == (0, True), ran


def test_checks_that_roll_dice_are_named_and_set_aside(desk: Desk, fix: Callable[..., Ran]) -> None:
    """A coin is no evidence, whether the program or the tests toss it; what is left decides."""
    coins = "def test_theirs():\n    assert toss() < 0.5\n\ndef test_own():\n    assert random.random() < 0.5\n\n"
    tests = f"import random\nfrom prog import add, toss\n\n{coins}def test_sum():\n    assert add(1, 2) == 3\n"
    desk.put({"prog.py": f"import random\n\ndef toss():\n    return random.random()\n\n{BUGGY}", "tests.py": tests})
    record = json.loads(fix("prog.py", "--tests", "tests.py", "--json").out)
    assert (record["outcome"], sorted(record["flaky"])) == ("fixed", ["test_own", "test_theirs"])


def test_tests_that_all_skip_themselves_are_unusable_input(desk: Desk, fix: Callable[..., Ran]) -> None:
    """Nothing to go by is said as such, naming the checks: it is no failed repair."""
    skipped = "import unittest\nfrom prog import add\n\nclass T(unittest.TestCase):\n    @unittest.skip('later')\n"
    desk.put(
        {"prog.py": BUGGY, "tests.py": f"{skipped}    def test_a(self):\n        self.assertEqual(add(1, 2), 3)\n"}
    )
    ran = fix("prog.py", "--tests", "tests.py")
    assert (ran.status, ran.out) == (2, "")
    assert "T.test_a skipped itself" in ran.err


def test_a_module_that_is_not_installed_is_named_with_the_way_out(desk: Desk, fix: Callable[..., Ran]) -> None:
    """A repair cannot install a library, the user can: nothing is tried."""
    desk.put({"prog.py": f"import no_such_library\n{BUGGY}", "tests.py": TESTS})
    ran = fix("prog.py", "--tests", "tests.py")
    assert (ran.status, ran.out) == (2, "")
    assert "there is no module no_such_library for" in ran.err
    assert "--python" in ran.err


def test_a_check_that_the_program_does_not_decide_is_set_aside_and_the_rest_repaired(
    desk: Desk, fix: Callable[..., Ran]
) -> None:
    """The patch is handed over; the status says that not all is green."""
    tests = "def test_sum():\n    assert add(1, 2) == 3\n\ndef test_net():\n    socket.socket()\n"
    desk.put({"prog.py": BUGGY, "tests.py": f"import socket\nfrom prog import add\n\n{tests}"})
    ran = fix("prog.py", "--tests", "tests.py", "--apply")
    assert (ran.status, (desk.folder / "prog.py").read_text()) == (1, BUGGY.replace("-", "+"))
    assert (
        "Partly fixed prog.py: every check that it decides passes now, 1 of them failed before; 1 more stays" in ran.out
    )
    assert "test_net stays red whatever prog.py says: the sandbox refuses the network" in ran.out
    desk.put({"prog.py": BUGGY})
    recorded = fix("prog.py", "--tests", "tests.py", "--json")
    (obstacle,) = json.loads(recorded.out)["obstacles"]
    assert (obstacle["kind"], obstacle["checks"], obstacle["certain"]) == ("network", ["test_net"], True)


def test_a_check_that_hangs_in_itself_does_not_outlast_the_budget(desk: Desk, fix: Callable[..., Ran]) -> None:
    """Tests that loop whatever the program does are red, and the search ends near its time."""
    tests = "from prog import add\ndef test_sum():\n    assert add(1, 2) == 3\ndef test_loop():\n    while True: pass\n"
    desk.put({"prog.py": BUGGY, "tests.py": tests})
    started = time.monotonic()
    ran = fix("prog.py", "--tests", "tests.py", "--max-seconds", "4", "--timeout", "0.5")
    assert ran.status == 1
    assert "test_loop" in ran.out
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("processes", [0, 1, 4, 6])
def test_an_interrupt_leaves_no_process_and_claims_nothing(desk: Desk, processes: int) -> None:
    """Ctrl-C as soon as so much of the sandbox is there; the sixth of its processes is the program.

    Status 130, no traceback, nothing said of checks that had not been run.
    """
    desk.put({"prog.py": f"import time\ntime.sleep(1)\n{BUGGY}", "tests.py": "assert add(1, 2) == object()\n"})
    process = desk.start("prog.py", "--tests", "tests.py")
    wait_for(lambda: len(descendants(process.pid)) >= processes, what=f"{processes} processes")
    started = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "0 of 0" not in out
    assert not left_of(started, 5)


def test_any_terminal_can_take_what_is_printed(desk: Desk) -> None:
    """An encoding without the program's letters shows their escapes."""
    desk.put({"prog.py": BUGGY.replace("a - b", "a - b  # caf\xe9"), "tests.py": TESTS})
    ran = desk.fix("prog.py", "--tests", "tests.py", PYTHONIOENCODING="ascii")
    assert (ran.status, "error" in ran.err) == (0, False)
    assert "+    return a + b  # caf\\xe9\n" in ran.out


def test_a_full_disk_is_the_machine_s_fault(desk: Desk) -> None:
    """Output that cannot be written ends in one line and status 3."""
    desk.put({"prog.py": BUGGY, "tests.py": TESTS})
    command: list[Any] = [sys.executable, "-m", "regreen", "fix", "prog.py", "--tests", "tests.py"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, cwd=desk.folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 3
    # Where the machine is busy, progress is told before.
    assert done.stderr.splitlines()[-1].startswith("error: No space left on device.")
