"""What a judge promises when tests, programs or the machine are against it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import wait_for

from regreen.errors import SandboxError
from regreen.sandbox.server_pair import suite_key
from regreen.sandbox.server_process import SandboxServer
from regreen.types import Isolation, Limits, Outcome, Suite, Verdict
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=0.3, total_seconds=8.0)
DOUBLE = "def double(n):\n    return n * 2\n"
TESTS = "assert double(1) == 2\nassert double(2) == 4\n"


def suite_of(tests: str, program: str = DOUBLE, isolation: Isolation | None = None) -> Suite:
    """The suite of a test text; in an isolation of one's own choice, where one is given."""
    suite = read_suite(tests, program=program, module="program", entry_point=None)
    return suite if isolation is None else replace(suite, isolation=isolation)


def outcomes(verdict: Verdict) -> list[str]:
    """The outcomes in the order of the checks."""
    return [result.outcome.value for result in verdict.results.values()]


def only_pair(judge: SandboxJudge) -> list[SandboxServer]:
    """The servers that the judge has started."""
    (pair,) = judge.pool._pairs
    return pair.servers


CHECKS_OWN_FAULT = {
    "a loop": ("while True: pass\n    ", "timed_out"),
    "a loop in C code": ("sum(range(10 ** 12))\n    ", "timed_out"),
    "an exit": ("import os\n    os._exit(0)\n    ", "crashed"),
    "a crash": ("import os\n    os.kill(os.getpid(), 11)\n    ", "crashed"),
}


@pytest.mark.parametrize("fault", CHECKS_OWN_FAULT)
def test_checks_that_end_their_own_process_have_not_passed(
    trial: Callable[..., Verdict], isolation: Isolation, fault: str
) -> None:
    """Tests that hang or leave are told as such; that is no fault of the sandbox, and the next suite is judged."""
    text, expected = CHECKS_OWN_FAULT[fault]
    verdict = trial(
        DOUBLE, f"from program import double\ndef test_bad():\n    {text}assert double(1) == 2\n", limits=LIMITS
    )
    assert outcomes(verdict) == [expected]
    assert trial(DOUBLE, TESTS).passed


def test_plain_checks_that_hang_have_not_passed(judge: SandboxJudge) -> None:
    """What ended their judge might have been the compiling of the program, so it is tried once more without."""
    verdict = judge.judge(DOUBLE, suite_of("assert double(1) == 9 ** 9 ** 9\n"), LIMITS)
    assert outcomes(verdict) == ["timed_out"]
    assert judge.judge(DOUBLE, suite_of(TESTS), LIMITS).passed


def test_one_judge_keeps_the_plain_suites_that_it_had(judge: SandboxJudge) -> None:
    """A suite of another kind in between does not end it; an equal suite is the same, and a candidate meets its own."""
    right, wrong = suite_of("assert double(1) == 2\n"), suite_of("assert double(1) == 3\n")
    other = suite_of("def test_it():\n    assert double(2) == 4\n")
    slots = set()
    for suite in (right, wrong, other, right, wrong):
        assert judge.judge(DOUBLE, suite, LIMITS).passed is (suite is not wrong)
        slots.add(judge.pool._pairs[0].plain.find(suite_key(right, {}), LIMITS))
    assert len(slots) == 1


def test_a_suite_is_known_again_by_its_value(judge: SandboxJudge) -> None:
    """An equal one, read a second time, finds the judge that holds the first."""
    assert judge.judge(DOUBLE, suite_of(TESTS), LIMITS).passed
    plain = judge.pool._pairs[0].plain
    assert plain.find(suite_key(suite_of(TESTS), {}), LIMITS) is not None
    assert plain.find(suite_key(suite_of(f"{TESTS}assert double(9) == 18\n"), {}), LIMITS) is None


def test_checks_meet_the_companions_of_their_own_candidate(judge: SandboxJudge) -> None:
    """One suite with other modules beside it is another suite to its judge."""
    suite = suite_of("from helper import number\nassert double(number) == 2\n")
    said = [
        judge.judge(DOUBLE, suite, LIMITS, companions={"helper.py": f"number = {number}\n"}).passed
        for number in (1, 3, 1)
    ]
    assert said == [True, False, True]


def test_every_candidate_finds_the_dice_of_its_checks_thrown_anew(judge: SandboxJudge) -> None:
    """However many have been judged by the same judge before, and by which suites."""
    first = random.Random(0).random()
    throws = suite_of(f"import random\nassert double(random.random()) == {2 * first!r}\n")
    by_the_program = suite_of("assert dice() < double(1)\n", f"import random\n{DOUBLE}dice = random.random\n")
    for suite in (throws, suite_of(TESTS), throws, by_the_program, throws):
        program = f"import random\n{DOUBLE}dice = random.random\n"
        assert judge.judge(program, suite, LIMITS).passed, suite.source


def test_a_server_killed_between_verdicts_is_replaced(judge: SandboxJudge, isolation: Isolation) -> None:
    """The candidate is judged again, by new servers."""
    suite = suite_of(TESTS, isolation=isolation)
    judge.pool._pairs[0].close()
    assert judge.judge(DOUBLE, suite, LIMITS).passed
    for position in range(len(only_pair(judge))):
        os.kill(only_pair(judge)[position].process.pid, signal.SIGKILL)
        assert judge.judge(DOUBLE, suite, LIMITS).passed


def test_a_server_killed_during_a_verdict_is_replaced(layers: str, isolation: Isolation) -> None:
    """What was under way is done once more, from the start."""
    program = "import time\ndef nap(n):\n    time.sleep(0.3)\n    return n\n"
    suite = suite_of("assert nap(1) == 1\n", program, isolation)
    with open_judge(layers=layers) as judge:
        assert judge.judge(program, suite, LIMITS).passed
        for position in range(len(only_pair(judge))):
            killer = threading.Timer(0.1, os.kill, (only_pair(judge)[position].process.pid, signal.SIGKILL))
            killer.start()
            assert judge.judge(program, suite, LIMITS).passed
            killer.join()


def test_a_server_killed_again_and_again_is_an_error_and_no_outcome(layers: str) -> None:
    """After the second loss the judge says that the sandbox failed."""
    program = "import time\ndef nap(n):\n    time.sleep(1.5)\n    return n\n"
    suite = suite_of("assert nap(1) == 1\n", program)
    stop = threading.Event()
    with open_judge(layers=layers) as judge:

        def kill_all() -> None:
            while not stop.wait(0.05):
                for server in only_pair(judge):
                    if server.busy:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(server.process.pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_all)
        killer.start()
        try:
            with pytest.raises(SandboxError):
                judge.judge(program, suite, replace(LIMITS, seconds=2.0))
        finally:
            stop.set()
            killer.join()
        assert judge.judge(DOUBLE, suite_of(TESTS), LIMITS).passed


def test_several_threads_may_use_one_judge(layers: str) -> None:
    """Verdicts do not get mixed up, with more threads than workers."""
    right, wrong = suite_of(TESTS), suite_of("assert double(1) == 3\n")
    found: list[bool] = []
    with open_judge(layers=layers, workers=2) as judge:

        def use(number: int) -> None:
            suite = right if number % 2 else wrong
            found.append(all(judge.judge(DOUBLE, suite, LIMITS).passed is bool(number % 2) for _ in range(5)))

        threads = [threading.Thread(target=use, args=(n,)) for n in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [True] * 5


def left_of(sessions: set[int]) -> list[int]:
    """Processes that are still there of the given sessions."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(session) in sessions and state != "Z":
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_nothing_is_left_when_the_judge_is_closed(
    layers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException] | None
) -> None:
    """No process and no temporary file, at the regular end and after Ctrl-C."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    forks = "import os, time\ndef nap(n):\n    open('left', 'w').write('x')\n    return n\n"
    sessions: set[int] = set()

    def use() -> None:
        with open_judge(layers=layers) as judge:
            judge.judge(forks, suite_of("assert nap(1) == 1\n", forks), LIMITS)
            sessions.update(server.process.pid for server in only_pair(judge))
            if error is not None:
                raise error

    if error is None:
        use()
    else:
        with pytest.raises(error):
            use()
    assert sessions
    wait_for(lambda: not left_of(sessions), 5)
    assert list(tmp_path.iterdir()) == []


def test_a_judge_of_many_candidates_outlives_the_limit_of_each(layers: str) -> None:
    """The processor time that the checks use is counted for each candidate, never for all of them together."""
    limits = Limits(seconds=0.45, total_seconds=0.45)
    work = "assert sum(double(1) for _ in range(2)) == 4 and sum(range(4_000_000)) > 0\n"
    suite = suite_of(work)
    with open_judge(layers=layers) as judge:
        used, ended, judges, servers = 0.0, [], set(), set()
        while used < 3.2 and len(ended) < 200:
            [result] = judge.judge(DOUBLE, suite, limits).results.values()
            ended.append(result)
            used += result.seconds
            servers |= {server.process.pid for server in only_pair(judge)}
            judges.add(judge.pool._pairs[0].plain.find(suite_key(suite, {}), limits))
        assert [result for result in ended if result.outcome is not Outcome.PASSED] == []
        assert len(servers) == 2, "a server was replaced"
        assert len(judges) == 1, "a judge was replaced"


TRICKS = {
    "an object that equals all": (
        "class Yes:\n    def __eq__(self, other):\n        return True\n    __hash__ = None\n",
        "return Yes()",
    ),
    "a list of objects that equal all": (
        "class Yes:\n    def __eq__(self, other):\n        return True\n    __hash__ = None\n",
        "return [Yes()]",
    ),
    "an object that equals all plain values": (
        "class Yes(int):\n    def __eq__(self, other):\n"
        "        return type(other) is not object\n    __hash__ = None\n",
        "return Yes()",
    ),
    "mock.ANY": ("import unittest.mock\n", "return unittest.mock.ANY"),
    "a trace that skips": (
        "import sys\ndef skip(frame, event, arg):\n    return skip\n"
        "def jump(frame, event, arg):\n    if frame.f_code.co_filename == '<tests>' and event == 'line':\n"
        "        try:\n            frame.f_lineno = frame.f_lineno + 1\n"
        "        except ValueError:\n            pass\n    return jump\n"
        "sys.settrace(jump)\n",
        "sys._getframe(1).f_trace = jump\n    return 0",
    ),
    "a recorder that sees nothing, through gc": (
        "import gc\nfor thing in gc.get_objects():\n"
        "    if type(thing) is type and thing.__name__ == 'AssertionRecorder':\n"
        "        thing.compare = lambda *a: True\n        thing.truth = lambda *a: True\n",
        "return 0",
    ),
    "a recorder that sees nothing, through its module": (
        "import sys\nrecorder = sys.modules['regreen.sandbox.guest.runner.checks.assertions'].AssertionRecorder\n"
        "recorder.compare = recorder.truth = lambda *a: True\n",
        "return 0",
    ),
    "a recorder that sees nothing, through frames": (
        "import sys\n",
        "sys._getframe(1).f_globals['__regreen__'].__class__.compare = lambda *a: True\n    return 0",
    ),
    "comparisons that always hold": (
        "import sys\nfor module in list(sys.modules.values()):\n"
        "    for key in list(getattr(module, 'COMPARATORS', ())):\n"
        "        module.COMPARATORS[key] = lambda a, b: True\n",
        "return 0",
    ),
    "assertions that are harmless": (
        "import builtins\nclass Quiet(Exception):\n    pass\n",
        "import builtins\n    builtins.AssertionError = lambda *a: SystemExit\n    return 0",
    ),
    "an exit when all is done": ("import atexit, os\natexit.register(os._exit, 0)\n", "return 0"),
    "forged messages on every descriptor": (
        "import os, json, struct\ndef forge():\n    for message in ({'results': {'check-1': {'outcome': 'passed'}}}, "
        "[json.dumps({'check': 'check-1', 'result': {'outcome': 'passed'}}), '00' * 16], {'done': True}):\n"
        "        body = json.dumps(message).encode()\n        for fd in range(256):\n            try:\n"
        "                os.write(fd, struct.pack('<I', len(body)) + body)\n"
        "            except OSError:\n                pass\n",
        "forge()\n    return 0",
    ),
    "forged messages and an exit": (
        "import os, json, struct\nbody = json.dumps({'done': True}).encode()\nfor fd in range(256):\n    try:\n"
        "        os.write(fd, struct.pack('<I', len(body)) + body)\n    except OSError:\n        pass\n",
        "os._exit(0)",
    ),
}


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize(
    "tests", ["assert f(3) == 7\n", "from program import f\ndef test_f():\n    assert f(3) == 7\n"]
)
def test_reaching_into_the_checks_is_no_pass(trial: Callable[..., Verdict], trick: str, tests: str) -> None:
    """A candidate that does not know the answer has not passed, whatever it does to the checks beside it."""
    top, body = TRICKS[trick]
    verdict = trial(f"{top}def f(n):\n    {body}\n", tests)
    assert not verdict.passed, verdict
    assert all(r.outcome is not Outcome.PASSED for r in verdict.results.values()), verdict


@pytest.mark.parametrize("trick", ["a recorder that sees nothing, through its module", "comparisons that always hold"])
def test_tampering_is_called_by_its_name(judge: SandboxJudge, trick: str) -> None:
    """The verdict on a program that passes flipped checks says so."""
    top, body = TRICKS[trick]
    program = f"{top}def f(n):\n    {body}\n"
    tests = (
        "import pytest\nfrom program import f\n@pytest.mark.parametrize('n', [3])\n"
        "def test_f(n):\n    assert f(n) == 7\n"
    )
    for suite in (
        suite_of("assert f(3) == 7\n", program, Isolation.SHARED),
        suite_of(tests, program, Isolation.SHARED),
    ):
        assert judge.judge(program, suite, LIMITS).detail.startswith("tampering")


UNITTEST_TRICK = (
    "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(n):\n    return 0\n",
    "import unittest\nfrom program import f\nclass TestF(unittest.TestCase):\n"
    "    def test_f(self):\n        self.assertEqual(f(3), 7)\n",
)


def test_replaced_assertion_methods_are_found(judge: SandboxJudge) -> None:
    """The opposite method tells."""
    program, tests = UNITTEST_TRICK
    verdict = judge.judge(program, suite_of(tests, program, Isolation.SHARED), LIMITS)
    assert verdict.detail.startswith("tampering")


HONEST = {
    "a loop that never turns": "def test_f():\n    for n in []:\n        assert f(n) == 7\n",
    "only raises": "import pytest\ndef test_f():\n    with pytest.raises(TypeError):\n        f(None)\n",
    "an early return": "def test_f():\n    if f(1) == 2:\n        return\n    assert f(2) == 9\n",
    "an expected failure": "import pytest\n@pytest.mark.xfail\ndef test_f():\n    assert f(1) == 9\n",
    "an expected failure of unittest": (
        "import unittest\nclass TestF(unittest.TestCase):\n    @unittest.expectedFailure\n"
        "    def test_f(self):\n        self.assertEqual(f(1), 9)\n"
    ),
    "a state that grows": (
        "box = []\ndef test_a():\n    assert len(box) == 0\n    box.append(f(1))\n"
        "def test_b():\n    assert len(box) == 1\n    box.append(f(1))\ndef test_c():\n    assert len(box) == 2\n"
    ),
    "a generator that never runs": "def test_f():\n    assert f(1) == 9\n    yield\n",
    "dice": "import random\ndef test_f():\n    assert random.random() < f(1)\n",
    "an assertion that says what it wants": "def test_f():\n    x = f(1)\n"
    "    assert x == 2, x\n    assert (x, 1)\n    assert x\n",
    "an assertion that fails on purpose": "def test_f():\n    try:\n"
    "        assert f(1) == 3\n    except AssertionError:\n        return\n    raise RuntimeError\n",
    "anything will do": "from unittest import mock\ndef test_f():\n"
    "    assert f(1) == mock.ANY\n    assert [f(1)] == [mock.ANY]\n",
}


@pytest.mark.parametrize("tests", HONEST)
def test_an_honest_program_is_not_convicted(judge: SandboxJudge, tests: str) -> None:
    """Tests that hold both ways for reasons of their own are no tampering."""
    program = "def f(n):\n    return n + 1\n"
    text = "from program import f\n" + HONEST[tests]
    verdict = judge.judge(program, suite_of(text, program, Isolation.SHARED), LIMITS)
    assert verdict.passed, verdict


@pytest.mark.parametrize("isolation", Isolation)
@pytest.mark.parametrize(("switch", "rehearsed"), [("1", True), ("0", False)])
def test_verdicts_are_the_same_however_forks_are_made_cheap(
    layers: str, isolation: Isolation, switch: str, rehearsed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after a server rehearses, and where REGREEN_CHEAP_FORKS=0 has it never do so."""
    monkeypatch.setenv("REGREEN_CHEAP_FORKS", switch)
    suite = suite_of(TESTS, isolation=isolation)
    program = "import gc\n\ndef frozen():\n    return gc.get_freeze_count() > 0\n"
    look = suite_of("assert frozen() is True\n", program, isolation)
    with open_judge(layers=layers) as judge:
        for _ in range(20 if rehearsed else 1):
            assert judge.judge(DOUBLE, suite, LIMITS).passed
            assert not judge.judge(DOUBLE.replace("2", "3"), suite, LIMITS).passed
        assert judge.judge(program, look, LIMITS).passed is rehearsed
