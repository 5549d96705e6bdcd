"""Suites that need pytest's own runner are judged check by check like any other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from regreen.types import Check, Isolation, Limits, Verdict
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

pytestmark = pytest.mark.sandbox

LIMITS = Limits(seconds=1.0, total_seconds=20.0)
PROGRAM = (
    "import time\ndef f(n):\n    if n == 10:\n        raise KeyboardInterrupt\n"
    "    if n == 11:\n        raise SystemExit\n"
    "    if n == 12:\n        while True:\n            pass\n    if n == 13:\n        import os\n        os._exit(0)\n"
    "    if n == 14:\n        raise ValueError('fourteen')\n    print('hello', n)\n    return n + 1\n"
)
TESTS = """
import pytest
from program import f

@pytest.fixture
def one():
    yield 1

@pytest.fixture(scope="module")
def state():
    return []

def test_fixture(one):
    assert f(one) == 2

@pytest.mark.parametrize("n,m", [(1, 2), (2, 4)])
def test_many(n, m):
    assert f(n) == m

def test_raises():
    with pytest.raises(ValueError, match="four"):
        f(14)

def test_raises_not():
    with pytest.raises(ValueError):
        f(1)

def test_approx():
    assert f(0.1) == pytest.approx(1.1)

def test_folder(tmp_path):
    (tmp_path / "a.txt").write_text(str(f(1)))
    assert (tmp_path / "a.txt").read_text() == "2"

def test_prints(capsys):
    f(3)
    assert capsys.readouterr().out == "hello 3\\n"

def test_remembers(cache):
    cache.set("seen/it", f(1))
    assert cache.get("seen/it", 0) == 2

def test_patched(monkeypatch):
    import program
    monkeypatch.setattr(program, "f", lambda n: 0)
    assert program.f(1) == 0

def test_patched_no_longer():
    import program
    assert program.f(1) == 2

@pytest.mark.skip(reason="not now")
def test_skipped():
    assert f(1) == 5

@pytest.mark.xfail
def test_expected():
    assert f(1) == 5

def test_interrupts(one, state):
    f(10)

def test_exits():
    f(11)

def test_hangs(tmp_path):
    f(12)

def test_leaves():
    f(13)

class TestMore:
    @pytest.fixture(autouse=True)
    def prepared(self, state):
        self.two = 2

    def test_method(self):
        assert f(1) == self.two

    def test_wrong(self):
        assert f(2) == self.two
"""
EXPECTED = {
    "test_fixture": "passed",
    "test_many[1-2]": "passed",
    "test_many[2-4]": "failed",
    "test_raises": "passed",
    "test_raises_not": "failed",
    "test_approx": "passed",
    "test_folder": "passed",
    "test_prints": "passed",
    "test_remembers": "passed",
    "test_patched": "passed",
    "test_patched_no_longer": "passed",
    "test_skipped": "unjudgeable",
    "test_expected": "passed",
    "test_interrupts": "raised",
    "test_exits": "raised",
    "test_hangs": "timed_out",
    "test_leaves": "crashed",
    "TestMore::test_method": "passed",
    "TestMore::test_wrong": "failed",
}


def judged(judge: SandboxJudge, program: str, tests: str, isolation: Isolation | None = None) -> Verdict:
    """The verdict of a suite that pytest collects."""
    suite = read_suite(tests, program=program, module="program", entry_point=None)
    return judge.judge(program, replace(suite, isolation=isolation or suite.isolation), LIMITS)


def collected(
    judge: SandboxJudge, program: str, tests: str, ids: tuple[str, ...], isolation: Isolation = Isolation.SHARED
) -> Verdict:
    """As `judged`, once the checks are known by name."""
    suite = read_suite(tests, program=program, module="program", entry_point=None)
    return judge.judge(program, replace(suite, checks=tuple(Check(i, i) for i in ids), isolation=isolation), LIMITS)


def test_all_that_pytest_offers_is_judged_check_by_check(judge: SandboxJudge) -> None:
    """Fixtures, parameters, raises, approx, skip, xfail and classes; one bad end spoils no other check."""
    verdict = collected(judge, PROGRAM, TESTS, tuple(EXPECTED))
    assert {check: r.outcome.value for check, r in verdict.results.items()} == EXPECTED


def test_the_checks_are_collected_when_they_are_not_known(judge: SandboxJudge) -> None:
    """The first verdict names them."""
    verdict = judged(judge, PROGRAM, TESTS.partition("def test_interrupts")[0])
    assert {check: r.outcome.value for check, r in verdict.results.items()} == dict(list(EXPECTED.items())[:13])


@pytest.mark.parametrize(
    "tests",
    [
        "import pytest\nfrom program import missing\ndef test_a():\n    pass\n",
        "import pytest\n1 / 0\ndef test_a():\n    pass\n",
    ],
)
@pytest.mark.parametrize("isolation", Isolation)
def test_tests_that_cannot_be_collected_fail_with_the_reason(
    judge: SandboxJudge, tests: str, isolation: Isolation
) -> None:
    """The verdict on them tells why."""
    verdict = judged(judge, PROGRAM, tests, isolation)
    (result,) = verdict.results.values()
    assert result.outcome.value == "raised"
    assert "missing" in result.detail or "ZeroDivisionError" in result.detail


@pytest.mark.parametrize("isolation", Isolation)
def test_a_check_that_is_no_longer_offered_has_not_passed(judge: SandboxJudge, isolation: Isolation) -> None:
    """A program that makes tests vanish gains nothing."""
    tests = "import pytest\nimport program\n@pytest.mark.parametrize('n', program.NS)\ndef test_a(n):\n    assert n\n"
    verdict = collected(judge, "NS = [1]\n", tests, ("test_a[1]", "test_a[2]"), isolation)
    assert {check: r.outcome.value for check, r in verdict.results.items()} == {
        "test_a[1]": "passed",
        "test_a[2]": "unjudgeable",
    }


def test_plugins_of_the_environment_that_send_are_left_out_of_a_session(judge: SandboxJudge) -> None:
    """LangSmith's comes with LangGraph, and would be imported for every candidate."""
    pytest.importorskip("langsmith")
    tests = (
        "import sys\nimport pytest\nfrom program import f\n"
        "def test_f(request):\n    assert f(1) == 2\n    assert 'langsmith' not in sys.modules\n"
        "    assert request.config.pluginmanager.has_plugin('hypothesispytest')\n"
    )
    verdict = judged(judge, PROGRAM, tests)
    assert verdict.passed, verdict


UNLOADED = {
    "no Python": "def f(n)\n    return n\n",
    "raises when it is loaded": "def f(n):\n    return n\nSTEP = 1 // 0\n",
    "lacks the name that the tests import": "def g(n):\n    return n\n",
}
BESIDE = """
import pytest
from program import f, Base

@pytest.mark.parametrize("n", [1, 2])
def test_many(n):
    assert f(n) == n

@pytest.mark.parametrize("call", [f])
def test_call(call):
    assert call(1) == 1

class TestBase(Base):
    def test_it(self):
        assert f(0) == 0
"""


@pytest.mark.parametrize("why", UNLOADED)
def test_each_test_is_known_though_the_program_does_not_load(judge: SandboxJudge, why: str) -> None:
    """A repair can turn them green one by one, so they are told one by one."""
    suite = read_suite(BESIDE, program=UNLOADED[why], module="program", entry_point=None)
    verdict = judge.judge(UNLOADED[why], suite, LIMITS)
    assert list(verdict.results) == ["test_many[1]", "test_many[2]", "test_call[f]", "TestBase::test_it"]
    assert {result.outcome.value for result in verdict.results.values()} == {"raised"}


APART = """
import pytest
from program import f
import program

@pytest.fixture(params=[1, 2])
def n(request):
    yield request.param

@pytest.mark.parametrize("m", [3])
def test_many(n, m):
    assert f(n) == pytest.approx(n + 1)

def test_prints(capsys):
    f(3)
    assert capsys.readouterr().out == "hello 3\\n"

def test_patched(monkeypatch):
    monkeypatch.setattr(program, "f", lambda n: 0)
    assert program.f(1) == 0

def test_raises():
    with pytest.raises(ValueError, match="four"):
        program.f(14)

@pytest.mark.xfail
def test_expected():
    assert f(1) == 5

class TestMore:
    def test_interrupts(self):
        f(10)

    def test_hangs(self):
        f(12)

    def test_leaves(self):
        f(13)

    def test_wrong(self):
        assert f(2) == 2
"""


@pytest.mark.either_wall
def test_pytest_runs_behind_the_wall_where_plain_data_and_stand_ins_serve(judge: SandboxJudge) -> None:
    """Its checks have the same ids and ends there as where program and tests share a process."""
    apart = judged(judge, PROGRAM, APART)
    shared = collected(judge, PROGRAM, APART, tuple(apart.results))
    assert (apart.isolation, shared.isolation) == (Isolation.SEPARATE, Isolation.SHARED)
    ends = [{check: result.outcome for check, result in verdict.results.items()} for verdict in (apart, shared)]
    assert ends[0] == ends[1]
    assert {result.outcome.value for result in apart.results.values()} == {
        *("passed", "failed", "raised", "timed_out", "crashed")
    }


def test_a_program_that_does_not_load_leaves_pytest_nothing_to_run(judge: SandboxJudge) -> None:
    """Which is no fault of pytest's: nothing of it is printed, and each check has the reason."""
    tests = (
        "import pytest\nfrom program import f\n@pytest.mark.parametrize('n', [3])\n"
        "def test_f(n):\n    assert f(n) == 7\n"
    )
    suite = read_suite(tests, program="def f(n):\n    return 7\n", module="program", entry_point=None)
    verdict = judge.judge("{}['nope']\ndef f(n):\n    return 7\n", suite, LIMITS)
    assert (verdict.isolation, verdict.stdout) == (Isolation.SEPARATE, "")
    assert verdict.results["test_f[3]"].detail.startswith("KeyError: 'nope'")
