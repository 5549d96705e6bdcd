"""Functions of checks as a program has them: which are equal, what a partial shows, and what is refused."""

from __future__ import annotations

import functools
import weakref
from typing import Any

import pytest

from regreen.sandbox.guest.runner.stand_ins.lent_function_stand_ins import FunctionStandIns
from regreen.sandbox.guest.runner.stand_ins.lent_functions import LentFunctions
from regreen.sandbox.guest.wire.codec_format import Unplain


class Judge:
    """Answers calls with what it was asked, and refuses as a guest does."""

    def ask(self, *question: Any) -> Any:
        return question

    def refuse(self, why: str) -> None:
        raise LookupError(why)


class Seen:
    def note(self, x: int) -> int:
        return x


def across(lent: LentFunctions, stand_ins: FunctionStandIns, function: Any) -> Any:
    """What the program has for a function of the checks."""
    described = lent.described(function)
    assert described is not None
    kind, *rest = described
    return getattr(stand_ins, kind)(*rest)


@pytest.fixture
def both() -> tuple[LentFunctions, FunctionStandIns]:
    """The judge's side and the program's."""
    return LentFunctions(), FunctionStandIns(Judge())


def test_methods_are_equal_where_python_has_them_equal(both: tuple[LentFunctions, FunctionStandIns]) -> None:
    """A listener is taken off by another bound method than the one that was put on."""
    one, other, got = Seen(), Seen(), list[int]()
    assert across(*both, one.note) == across(*both, one.note)
    assert len({across(*both, one.note), across(*both, one.note), across(*both, other.note)}) == 2
    assert across(*both, got.append) == across(*both, got.append)
    assert across(*both, got.append) != across(*both, got.remove)
    assert across(*both, one.note).__name__ == "note"


def test_calling_what_stands_for_a_method_asks_for_one_that_the_judge_knows(
    both: tuple[LentFunctions, FunctionStandIns],
) -> None:
    """The first of those that are equal has a number; the others are made here."""
    seen = Seen()
    first, second = across(*both, seen.note), across(*both, seen.note)
    assert second(3, y=4)[1] is first
    assert second(3, y=4)[2:] == ((3,), (("y", 4),))


def test_nothing_is_told_of_the_object_of_a_method(both: tuple[LentFunctions, FunctionStandIns]) -> None:
    """Only its method was handed over."""
    owner = across(*both, Seen().note).__self__
    with pytest.raises(LookupError, match="object of a method"):
        _ = owner.name
    with pytest.raises(LookupError, match="object of a method"):
        owner.name = 1


def test_a_partial_shows_what_it_is_made_of(both: tuple[LentFunctions, FunctionStandIns]) -> None:
    """And calls what stands for its function."""

    def f(a: int, b: int) -> int:
        return a + b

    lent = both[0].described(functools.partial(f, 1, b=2))
    assert lent == ("partial", f, (1,), (("b", 2),))
    made: Any = both[1].partial(len, ("abc",), ())
    assert (made.func, made.args, made()) == (len, ("abc",), 3)


@pytest.mark.parametrize("given_late", [False, True])
def test_a_function_with_attributes_is_not_lent(both: tuple[LentFunctions, FunctionStandIns], given_late: bool) -> None:
    """The program could read them at any time, and the checks change them."""

    def f() -> None: ...

    if given_late:
        both[0].described(f)
        both[0].check()
    f.calls = 0  # type: ignore[attr-defined]
    with pytest.raises(Unplain, match="attribute"):
        both[0].check() if given_late else both[0].described(f)


def test_attributes_that_a_program_gives_are_noticed(both: tuple[LentFunctions, FunctionStandIns]) -> None:
    """The checks may look for them on their own function."""
    stand_in = across(*both, lambda: 1)
    assert not both[1].have_attributes()
    stand_in.tag = 1
    assert both[1].have_attributes()


def test_what_a_program_let_go_of_is_freed_and_looked_at_once_more(
    both: tuple[LentFunctions, FunctionStandIns],
) -> None:
    """An attribute that it had given is still the checks' to see."""
    _, stand_ins = both
    plain, marked = across(*both, lambda: 1), across(*both, lambda: 2)
    marked.tag = 1
    gone = weakref.ref(plain)
    stand_ins.let_go(plain)
    assert len(stand_ins.functions) == 1
    del plain
    assert gone() is None
    stand_ins.let_go(marked)
    assert not stand_ins.functions
    assert stand_ins.have_attributes()
