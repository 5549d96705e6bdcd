"""Tests that a screener runs without pytest's hooks end as they do with them, for one program after another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from regreen.sandbox.pool import Pool
from regreen.types import Edit, Isolation, Limits, Outcome
from regreen.verify.judge import SandboxJudge
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ScreeningLimits, ScreeningResult
from regreen.verify.suites import read_suite

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=2.0, memory_bytes=256 << 20)
ALLOWANCE = ScreeningLimits(ticks=50_000, seconds=0.2)
PROGRAM = """import logging
import sys

log = logging.getLogger("program")


def f(n):
    return n + 1


def save(path, n):
    path.write_text(str(f(n)))


def tell(n):
    print(f(n))
    log.warning("told %d", n)
"""
CHANGES = [
    "n + 1",
    "n",
    "n + 2",
    "n + '1'",
    "n + 1 if n != 3 else 0",
    "print(n) or n + 1",
    "log.error('%d', 'x') or n + 1",
]
FIXTURES = """import pytest
from program import f


@pytest.fixture
def one():
    return f(0)


@pytest.fixture
def ends():
    yield f(1)
    assert f(3) == 4


@pytest.fixture(params=[1, 2])
def several(request, one):
    return request.param + one - 1


@pytest.fixture(scope="module")
def kept():
    return [f(3)]


def test_one(one):
    assert one == 1


def test_end(ends):
    assert ends == 2


def test_several(several):
    assert f(several) == several + 1


def test_asks_its_request(request):
    request.addfinalizer(lambda: None)
    assert request.getfixturevalue("one") == 1


def test_kept(kept):
    kept.append(5)
    assert kept == [4, 5]


@pytest.mark.usefixtures("ends")
def test_used():
    assert True


@pytest.mark.parametrize("one", [7, 3], indirect=False)
@pytest.mark.parametrize("more", [0, 1])
def test_in_the_place_of_a_fixture(one, more):
    assert f(one + more) == one + more + 1
"""
OF_PYTEST = """import os
import pytest
import program
from program import f, save, tell


def test_folder(tmp_path):
    save(tmp_path / "n", 3)
    assert os.listdir(tmp_path) == ["n"] and (tmp_path / "n").read_text() == "4"


def test_another_folder(tmp_path_factory):
    save(tmp_path_factory.mktemp("a") / "n", 1)


def test_patch(monkeypatch):
    monkeypatch.setattr(program, "f", lambda n: 5)
    assert program.f(1) == 5


def test_patched_no_more():
    assert program.f(1) == 2


def test_environment(monkeypatch):
    monkeypatch.setenv("OF_A_TEST", "1")
    assert os.environ["OF_A_TEST"] == str(f(0))


def test_print(capsys):
    tell(2)
    assert capsys.readouterr().out == "3\\n"


def test_log(caplog):
    tell(4)
    assert [record.getMessage() for record in caplog.records] == ["told 4"]


def test_message():
    assert f(9) == 10


def test_skips():
    if f(0) != 1:
        pytest.skip("not today")
    assert f(1) == 2


def test_fails():
    if f(3) != 4:
        pytest.fail("no")


def test_raises():
    with pytest.raises(TypeError):
        f(None)
"""
CLASSES = """import pytest
from program import f


class TestF:
    limit = 4

    def setup_method(self):
        self.n = f(1)

    def teardown_method(self):
        assert f(3) == self.limit

    def test_one(self):
        self.n += 1
        assert self.n == 3

    def test_two(self):
        assert self.n == 2

    @pytest.mark.parametrize("n", [3, 5])
    def test_three(self, n):
        assert f(n) == n + 1


def setup_module(module):
    module.seen = [f(7)]


def test_seen():
    assert seen == [8]


@pytest.fixture(autouse=True)
def always():
    yield
    assert f(2) == 3
"""
MARKS = """import sys
import pytest
from program import f


@pytest.mark.xfail(reason="f is wrong")
def test_expected():
    assert f(1) == 3


@pytest.mark.xfail(strict=True)
def test_strict():
    assert f(1) == 2


@pytest.mark.skipif(sys.version_info > (3,), reason="new")
def test_skipped():
    assert f(1) == 2


@pytest.mark.parametrize("n", [1, pytest.param(3, marks=pytest.mark.skip), pytest.param(5, id="five")])
def test_some(n):
    assert f(n) == n + 1
"""
WARNS = """import warnings
import pytest
from program import f


def old():
    warnings.warn("old", DeprecationWarning)
    return f(1)


def test_warns():
    with pytest.warns(DeprecationWarning):
        assert old() == 2


def test_told(recwarn):
    old()
    assert len(recwarn) == 1


def test_kept_by_hand():
    with warnings.catch_warnings(record=True) as seen:
        old()
        old()
    assert len(seen) == f(1)
"""
SUITES = {"fixtures": FIXTURES, "of pytest": OF_PYTEST, "classes": CLASSES, "marks": MARKS, "warnings": WARNS}


def changed(text: str) -> list[Edit]:
    """What `f` returns, replaced."""
    start = PROGRAM.index("n + 1")
    return [Edit(start, start + len("n + 1"), text)]


def screened(pool: Pool, tests: str, changes: list[str]) -> list[ScreeningResult]:
    """What one screener says of these changes, one after another, all checks of each."""
    suite = read_suite(tests, program=PROGRAM, module="program", entry_point=None)
    with open_screeners(pool, PROGRAM, suite, LIMITS, {}, size=1) as team:
        return team.screen([changed(text) for text in changes], frozenset(), ALLOWANCE)


@pytest.mark.parametrize("kind", SUITES)
def test_checks_pass_as_they_do_under_pytest(judge: SandboxJudge, kind: str) -> None:
    """Those of each change, in any company; twice, since the second time nothing may be left of the first."""
    suite = read_suite(SUITES[kind], program=PROGRAM, module="program", entry_point=None)
    said = screened(judge.pool, SUITES[kind], [*CHANGES, *reversed(CHANGES)])
    expected = []
    for text in CHANGES:
        program = PROGRAM.replace("n + 1", text, 1)
        verdict = judge.judge(program, replace(suite, isolation=Isolation.SHARED), LIMITS)
        expected.append({check for check, result in verdict.results.items() if result.outcome is Outcome.PASSED})
    assert [set(tried.passed) for tried in said] == [*expected, *reversed(expected)]


HANGS = ["n + 1", "[0 for _ in iter(int, 1)]", "n + 1", "__import__('time').sleep(100)", "n + 1", "sum(range(10**12))"]


@pytest.mark.parametrize("kind", ["fixtures", "classes", "of pytest"])
def test_a_change_that_hangs_in_a_fixture_leaves_nothing_set_up(pool: Pool, kind: str) -> None:
    """However often its time ends within pytest's own steps."""
    said = screened(pool, SUITES[kind], [*HANGS * 3, "n + 1"])
    assert [tried.status for tried in said if tried.status != "passed"] == ["hung"] * 9
    assert [number for number, tried in enumerate(said) if tried.status == "passed"] == [*range(0, 19, 2)]
