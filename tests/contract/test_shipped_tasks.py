"""The benchmarks that ship with the package, judged: winnable where they should be, and only there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shipped_cases import BUNDLED_IDS, IMPOSSIBLE_IDS

from regreen.config import load_settings
from regreen.sandbox.kept_pools import lend_pool
from regreen.types import Case, JudgeOptions, Limits
from regreen.verify.judge import SandboxJudge

SHORT = Limits(seconds=0.5, total_seconds=10.0)


@pytest.fixture(scope="module")
def judge() -> Iterator[SandboxJudge]:
    with lend_pool(load_settings(environ={}).confinement) as pool:
        yield SandboxJudge(pool)


@pytest.mark.sandbox
@pytest.mark.parametrize("case", BUNDLED_IDS, indirect=True)
def test_every_reference_passes_and_every_bug_fails(judge: SandboxJudge, case: Case) -> None:
    """The case can be won, is not won already, and its label says whether the visible checks notice the bug."""
    assert judge.judge(case.reference, case.task.suite, SHORT).passed
    assert judge.judge(case.reference, case.hidden, SHORT).passed
    assert not judge.judge(case.task.source, case.hidden, SHORT, options=JudgeOptions(fail_fast=True)).passed
    noticed = not judge.judge(case.task.source, case.task.suite, SHORT, options=JudgeOptions(fail_fast=True)).passed
    assert noticed == (case.labels["visible"] == "red")


TRICKS = {
    "a value that agrees with everything": """
class Yes(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return True
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __hash__(self): return 0
    def __getattr__(self, name): return lambda *args: self
def {name}(*args, **kwargs):
    return Yes()
""",
    "a number that is not itself": """
def {name}(*args, **kwargs):
    return float("nan")
""",
    "another answer at each call": """
import itertools
ANSWERS = itertools.cycle([4, 5, 0, [1, 2, 3], [3, 1, 2], "STOP", "stop", "", {{"green": 3}}, True, False])
def {name}(*args, **kwargs):
    return next(ANSWERS)
""",
    "a dict that holds everything": """
from collections import defaultdict
def {name}(*args, **kwargs):
    return defaultdict(int)
""",
}


@pytest.mark.sandbox
@pytest.mark.parametrize("case", IMPOSSIBLE_IDS, indirect=True)
def test_no_trick_satisfies_a_contradiction(judge: SandboxJudge, case: Case) -> None:
    """Neither the program as it stands nor a value that is all things at once passes the hidden checks."""
    programs = [case.task.source, *(trick.format(name=case.task.entry_point) for trick in TRICKS.values())]
    assert not any(judge.judge(program, case.hidden, SHORT).passed for program in programs)
