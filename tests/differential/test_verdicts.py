"""Is every verdict plain Python's? Honest programs are judged by plain Python, in separate and in shared mode."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import CLASHES, Honest, corpus, missing_packages
from hypothesis import given, settings
from hypothesis import strategies as st
from library import library, missing
from ordinary_user import NOBODY, public_python, public_source
from verdicts import LONG, differences

from regreen.verify.judge import SandboxJudge, open_judge

__all__ = ["public_python", "public_source"]

pytestmark = pytest.mark.sandbox

SAMPLE = 108
"""Every so many programs are in the sample of the default run; the whole is for `make differential`."""
PARTS = 8
USERS_SHARE = os.environ.get("REGREEN_DIFFERENTIAL_SHARE", "12")
"""Every so many programs are judged for an ordinary user, too."""


@pytest.fixture(scope="module")
def one_judge() -> Iterator[SandboxJudge]:
    """A judge on the best layers that this machine has."""
    with open_judge() as judge:
        yield judge


def programs(part: int, whole: int) -> list[Honest]:
    """Every `whole`-th program of the corpus."""
    return [program for program in corpus() if program.name not in CLASHES][part::whole]


def test_the_corpus_is_large_and_of_every_style() -> None:
    """Several hundred distinct programs."""
    found = corpus()
    assert len({(program.program, program.checks) for program in found}) > 600
    assert {program.style for program in found} == {"same", "import", "tests", "doctest"}
    assert CLASHES.keys() <= {program.name for program in found}


def test_no_program_is_left_out_for_want_of_a_package() -> None:
    """Arrays and frames are judged as plain Python does, too."""
    if missing := missing_packages():
        pytest.skip(f"not installed: {', '.join(missing)}; the programs that need them are not judged")
    assert sum("numpy" in program.program or "pandas" in program.program for program in corpus()) > 30


def test_a_sample_of_verdicts_is_plain_pythons(one_judge: SandboxJudge) -> None:
    """A part of the corpus, the same in every run."""
    assert [*differences(one_judge, programs(0, SAMPLE))] == []


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_verdict_is_plain_pythons(one_judge: SandboxJudge, part: int) -> None:
    """The whole corpus."""
    assert [*differences(one_judge, programs(part, PARTS))] == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_verdicts_are_plain_pythons_for_an_ordinary_user(public_source: Path, public_python: str) -> None:
    """Root has another user id and other capabilities inside."""
    script = public_source / "differential" / "verdicts.py"
    command = [public_python, str(script), str(public_source), "0", USERS_SHARE]
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    environment = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, **user, capture_output=True, text=True, cwd="/", env=environment)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["judged"] > 20
    assert told["differences"] == []
    if told["left_out"]:
        pytest.skip(f"all but {told['left_out']} tests of pytest's: this user's Python has no pytest")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_standard_library_passes_its_own_tests(one_judge: SandboxJudge, part: int) -> None:
    """Programs and checks that nobody wrote for us; those that fail under another name fail here, too."""
    programs = [*library()][part::PARTS]
    assert [*differences(one_judge, programs, LONG)] == []


def test_the_library_is_there() -> None:
    """Said aloud where this Python ships without its tests."""
    assert {honest.style for honest in library()} >= {"doctest"}
    if absent := missing():
        pytest.skip(f"this Python ships without {', '.join(absent)}")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers(-3, 3) | st.text(max_size=2), inner, max_size=3)
        | st.sets(st.integers(-9, 99), max_size=6)
    ),
    max_leaves=6,
)
ACTIONS = st.lists(
    st.sampled_from(
        [
            "a = get()",
            "a = give([1, [2]])",
            "b = a",
            "b = get()",
            "keep(a)",
            "keep(b)",
            "change(a, 1)",
            "change(get(), 2)",
            "a.append(3)",
            "b.append([4])",
            "inner(a).append(5)",
            "b = inner(get())",
        ]
    ),
    min_size=2,
    max_size=8,
)
STATEFUL = """
KEPT = [[0], [0, 0]]
def get():
    return KEPT
def give(xs):
    return xs
def keep(xs):
    if xs is not KEPT:
        KEPT.append(xs)
def change(xs, x):
    xs.append(x)
def inner(xs):
    found = [x for x in xs if type(x) is list and x is not xs]
    return found[-1] if found else KEPT
"""


def written(value: object) -> str:
    """An expression for a value."""
    return repr(value).replace("nan", "NAN").replace("inf", "INF")


def _shown(value: str) -> Honest:
    numbers = "NAN = float('nan')\nINF = float('inf')\n"
    program = (
        f"{numbers}def make():\n    return {value}\ndef same(x):\n    return x\ndef fail(x):\n    raise KeyError(x)\n"
    )
    checks = (
        f"{numbers}x = make()\nassert repr(x) == repr({value})\nassert repr(same([x, x])) == repr([x, x])\n"
        f"try:\n    fail({value})\nexcept LookupError as error:\n    kept = error\n"
        f"assert repr(kept.args) == repr(({value},))\nassert (x == {value}) is (({value}) == ({value}))\n"
    )
    return Honest("a value", "import", program, "from program import make, same, fail\n" + checks)


@settings(max_examples=2)
@given(st.lists(VALUES, min_size=8, max_size=8))
def test_values_cross_as_they_are(one_judge: SandboxJudge, values: list[object]) -> None:
    """Returned, handed over, and raised."""
    assert [*differences(one_judge, [_shown(written(value)) for value in values])] == []


def _traced(actions: list[str]) -> Iterator[Honest]:
    """The same actions with a check of what plain Python comes to, and with one of something else."""
    script = ["a = get()", "b = get()", *actions]
    names: dict[str, object] = {}
    exec(STATEFUL, names)
    exec("\n".join(script), names)
    for shown in (repr((names["a"], names["b"], names["KEPT"])), "none of this"):
        yield Honest(
            "actions", "same", STATEFUL, "\n".join([*script, f"assert repr((a, b, get())) == {shown!r}"]) + "\n"
        )


@settings(max_examples=2)
@given(st.lists(ACTIONS, min_size=5, max_size=5))
def test_objects_are_the_same_over_time(one_judge: SandboxJudge, plans: list[list[str]]) -> None:
    """Whoever keeps, changes or returns a list, in whatever order."""
    found = [program for plan in plans for program in _traced(plan)]
    assert [*differences(one_judge, found)] == []
