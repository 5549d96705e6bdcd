"""Rewritten asserts mean what they meant, and can say what they saw."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.runner.checks.assertions import (
    COMPARATORS,
    RECORDER,
    AssertionRecorder,
    claims_all,
    rewrite_assertions,
)


def run(text: str, *, flipped: bool = False, **names: Any) -> AssertionRecorder:
    """Run a text of asserts; returns the recorder of it."""
    recorder = AssertionRecorder()
    code = compile(rewrite_assertions(ast.parse(text), flipped=flipped), "<t>", "exec")
    exec(code, {RECORDER: recorder, **names})
    return recorder


def holds(text: str, **names: Any) -> bool:
    """Whether a text raises no AssertionError."""
    try:
        run(text, **names)
    except AssertionError:
        return False
    return True


values = st.one_of(st.integers(-2, 2), st.text("ab", max_size=2), st.lists(st.integers(0, 1), max_size=2), st.none())


@given(left=values, right=values, sign=st.sampled_from(sorted(COMPARATORS)))
def test_a_rewritten_comparison_decides_as_python_does(left: Any, right: Any, sign: str) -> None:
    """Every sign, with operands that fit and that do not."""
    text = f"assert a {sign} b"

    def outcome(run_it: Any) -> str:
        try:
            run_it()
        except (AssertionError, TypeError) as error:
            return type(error).__name__
        return "held"

    assert outcome(lambda: run(text, a=left, b=right)) == outcome(lambda: exec(text, {"a": left, "b": right}))


@pytest.mark.parametrize(
    "text", ["assert f(1) == f(2), f(3)", "assert f(0)", "assert f(1) < f(2) < f(9)", "assert not f(1) or f(2)"]
)
def test_operands_are_evaluated_once_and_in_order(text: str) -> None:
    """A message is evaluated only when it is needed."""
    plain: list[int] = []
    rewritten: list[int] = []

    def noting(calls: list[int]) -> Any:
        return lambda n: calls.append(n) or n

    for calls, action in ((plain, lambda f: exec(text, {"f": f})), (rewritten, lambda f: run(text, f=f))):
        try:
            action(noting(calls))
        except AssertionError as error:
            calls.append(len(error.args))
    assert rewritten == plain


def test_the_recorder_remembers_what_did_not_hold() -> None:
    """Both sides, for the message."""
    recorder = AssertionRecorder()
    assert not recorder.compare("==", 1, 2)
    assert recorder.seen == ("==", 1, 2)
    assert not recorder.truth([])
    assert recorder.seen == ("true", [], True)


NESTED = {
    "if": "if True:\n    assert x",
    "else": "for _ in []:\n    pass\nelse:\n    assert x",
    "try": "try:\n    assert x\nfinally:\n    pass",
    "handler": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    assert x",
    "group": "try:\n    raise ExceptionGroup('', [ValueError()])\nexcept* ValueError:\n    assert x",
    "with": "import contextlib\nwith contextlib.nullcontext():\n    assert x",
    "match": "match 1:\n    case 1:\n        assert x",
    "function": "def f():\n    assert x\nf()",
    "class": "class A:\n    def g(self):\n        assert x\nA().g()",
    "coroutine": "import asyncio\nasync def f():\n    assert x\nasyncio.run(f())",
}


@pytest.mark.parametrize("place", NESTED)
def test_asserts_are_found_wherever_they_stand(place: str) -> None:
    """In every kind of block the recorder is asked."""
    with pytest.raises((AssertionError, ExceptionGroup)):
        run(NESTED[place], x=0)
    assert f"{RECORDER}." in ast.unparse(rewrite_assertions(ast.parse(NESTED[place])))


def test_an_error_points_to_the_line_of_its_assert() -> None:
    """Line numbers are those of the text."""
    with pytest.raises(AssertionError) as caught:
        run("x = 1\n\nassert (\n    x ==\n    2)\n")
    traceback = caught.value.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    assert traceback is not None
    assert traceback.tb_lineno == 3


@pytest.mark.parametrize("text", ["assert 1 == 1", "assert 1 < 2", "assert [1]", "assert 1 in [1]", "assert 1 != 2"])
def test_a_flipped_assert_denies_what_holds_and_goes_on(text: str) -> None:
    """What comes after it happens as ever, so that state is what it always is."""
    names: dict[str, Any] = {"log": []}
    assert run(f"{text}\nlog.append(1)", flipped=True, **names).denied
    assert names["log"] == [1]
    assert not run(text.replace("assert ", "assert not "), flipped=True).denied


def test_a_flipped_assert_asks_nobody() -> None:
    """It is decided without the recorder's comparisons, which a candidate may have replaced."""
    recorder = AssertionRecorder()
    with mock.patch.object(AssertionRecorder, "compare", return_value=True):
        exec(compile(rewrite_assertions(ast.parse("assert 1 == 2"), flipped=True), "<t>", "exec"), {RECORDER: recorder})
    assert not recorder.denied


def test_methods_of_unittest_are_flipped_by_name() -> None:
    """`assertEqual` becomes `assertNotEqual`, on `self` alone."""
    text = ast.unparse(rewrite_assertions(ast.parse("self.assertEqual(a, other.assertEqual)"), flipped=True))
    assert text == "self.assertNotEqual(a, other.assertEqual)"


class Yes:
    """Equals everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class YesText(str):
    """Equals every text."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)

    __hash__ = str.__hash__


class YesDay(date):
    """Equals everything, and is a date."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = date.__hash__


@pytest.mark.parametrize(
    "value", [Yes(), [Yes()], (1, [Yes()]), {"a": Yes()}, YesText("a"), [1, YesText()], YesDay(2024, 1, 1)]
)
def test_what_claims_to_equal_everything_equals_nothing(value: Any) -> None:
    """At any depth; what a comparison with it says is noted to say nothing."""
    recorder = AssertionRecorder()
    assert claims_all(value)
    assert recorder.vet(value, False) is value
    assert recorder.faked


@pytest.mark.parametrize(
    "value",
    [
        1,
        "a",
        [1, [2]],
        {"a": (1,)},
        object(),
        ValueError(),
        len,
        float("nan"),
        date(2024, 1, 1),
        Decimal(2),
        timedelta(1),
    ],
)
def test_ordinary_values_claim_nothing(value: Any) -> None:
    """Plain data and objects that compare by identity are left alone."""
    assert not claims_all(value)


class Reads(Mapping[str, int]):
    """Counts how often it is read."""

    def __init__(self) -> None:
        self.count = 0

    def __getitem__(self, key: str) -> int:
        self.count += 1
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter("a")

    def __len__(self) -> int:
        return 1


def test_a_mapping_is_not_read_to_be_vetted() -> None:
    """A cache that counts its hits would count ours."""
    value = Reads()
    assert not claims_all(value)
    assert value.count == 0


def test_a_replaced_equality_of_mappings_is_noted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether in a class of the program, or in what all mappings inherit from."""
    monkeypatch.setattr(Reads, "__eq__", lambda self, other: True)
    assert claims_all(Reads())
    monkeypatch.undo()
    monkeypatch.setattr(Mapping, "__eq__", lambda self, other: True)
    assert claims_all(Reads())


class Between:
    """Claims any order at all."""

    def __lt__(self, other: object) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __lt__


@pytest.mark.parametrize(("left", "faked"), [(Between(), True), (1, False), (float("nan"), False), ({1}, False)])
def test_what_is_less_and_greater_at_once_is_no_order(left: Any, faked: bool) -> None:
    """Numbers that are in no order at all, and sets that are in part of one, are none of it."""
    recorder = AssertionRecorder()
    for sign in ("<", "<=", ">", ">="):
        recorder.compare(sign, left, {1, 2} if isinstance(left, set) else 2)
    assert bool(recorder.faked) is faked


def test_a_failed_assertion_raises_pythons_own_error_whatever_its_name_stands_for() -> None:
    """A program whose names the checks see may have an AssertionError of its own."""
    with pytest.raises(AssertionError, match="why"):
        run("assert 1 == 2, 'why'", AssertionError=SystemExit)


def test_a_flipped_check_is_denied_where_an_expected_exception_came() -> None:
    """Whoever comes past such a block has seen the exception."""
    text = "with raises(ValueError):\n    int('no')\n"
    assert run(text, flipped=True, raises=pytest.raises).denied
    assert not run("with nothing():\n    pass\n", flipped=True, nothing=nullcontext).denied


def test_cycles_end() -> None:
    """A list that holds itself is looked at to some depth only."""
    ring: list[Any] = []
    ring.append(ring)
    assert not claims_all(ring)
