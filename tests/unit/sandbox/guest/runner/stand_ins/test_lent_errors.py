"""Exceptions of checks as a program meets them: described in one process, made again in the other."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from regreen.sandbox.guest.runner.stand_ins.lent_error_stand_ins import LentErrors
from regreen.sandbox.guest.runner.stand_ins.lent_errors import described_error, described_error_class
from regreen.sandbox.guest.wire.codec_format import Unplain
from regreen.sandbox.guest.wire.exception_parts import BUILTIN_EXCEPTIONS


class Refused(BaseException):
    """The judge was told that these checks cannot be judged so."""


class Judge:
    """Refuses as a guest does."""

    def refuse(self, why: str) -> None:
        raise Refused(why)


class Busy(OSError):
    """Of the checks."""

    retry_after = 0

    def is_fatal(self) -> bool:
        return True


class Mixin:
    fatal = True


class Told(Mixin, Exception):
    def __init__(self, number: int) -> None:
        self.number = number

    def __str__(self) -> str:
        return f"told {self.number}"


class Stop(BaseException):
    """What ends a check."""


@pytest.fixture
def lent() -> LentErrors:
    """A program's side, on which nothing of these checks is loaded."""
    return LentErrors(Judge())


def across(lent: LentErrors, error: BaseException, is_ours: Any = lambda kind: False) -> BaseException:
    """What the program meets for an exception of the checks."""
    _, kind, *rest = described_error(error, is_ours)
    return lent.error(kind if kind in BUILTIN_EXCEPTIONS else class_across(lent, kind), *rest)


def class_across(lent: LentErrors, kind: type[BaseException]) -> type[BaseException]:
    """What stands for a class of the checks; those of no module that both have loaded."""
    _, module, qualname, bases, *rest = described_error_class(kind)
    stand_ins = tuple(base if base in BUILTIN_EXCEPTIONS else class_across(lent, base) for base in bases)
    loaded = module if module.startswith(("json", "subprocess")) else "checks"
    return lent.error_class(loaded, qualname, stand_ins, *rest)


def test_a_program_sees_the_plain_attributes_of_a_class_of_the_checks(lent: LentErrors) -> None:
    """And an exception of the class is one of Python's own that it comes from."""
    met = across(lent, Busy("x"))
    assert isinstance(met, OSError)
    assert not isinstance(met, Busy)
    assert (type(met).__name__, met.args, str(met), met.retry_after) == ("Busy", ("x",), "x", 0)  # type: ignore[attr-defined]


def test_what_only_the_checks_could_tell_is_refused(lent: LentErrors) -> None:
    """A method is code of the checks, and a missing answer would be another answer."""
    with pytest.raises(Refused, match="is_fatal"):
        hasattr(across(lent, Busy("x")), "is_fatal")
    held = ValueError("x")
    held.response = object()  # type: ignore[attr-defined]
    with pytest.raises(Refused, match="response"):
        hasattr(across(lent, held), "response")


def test_text_attributes_and_mixed_in_ones_cross(lent: LentErrors) -> None:
    """What the constructor of the checks did is done, and not done again."""
    met: Any = across(lent, Told(4))
    assert (str(met), met.number, met.fatal, met.args) == ("told 4", 4, True, (4,))


def test_a_class_with_a_constructor_of_its_own_is_not_called_by_a_program(lent: LentErrors) -> None:
    """What it would do is not known."""
    with pytest.raises(Refused, match="__new__"):
        class_across(lent, Told)(5)
    assert isinstance(class_across(lent, Busy)("x"), OSError)


@pytest.mark.parametrize(
    "error",
    [
        OSError(2, "gone"),
        ImportError("x", name="yaml"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
        KeyError("k"),
        StopIteration(3),
        subprocess.CalledProcessError(3, "ls", output="o"),
        json.JSONDecodeError("bad", "{", 1),
    ],
)
def test_exceptions_of_python_and_its_library_are_what_they_are(lent: LentErrors, error: BaseException) -> None:
    """Slots and attributes with them."""
    met = across(lent, error)
    assert type(met) is type(error)
    assert (str(met), met.args, vars(met)) == (str(error), error.args, vars(error))
    for name in ("errno", "name", "start", "reason", "value", "returncode", "pos"):
        assert getattr(met, name, None) == getattr(error, name, None)


def test_groups_and_notes_cross(lent: LentErrors) -> None:
    """With the exceptions that they hold."""
    group = ExceptionGroup("g", [ValueError("a"), KeyError("k")])
    group.add_note("one")
    met: Any = across(lent, group)
    assert (met.message, [repr(one) for one in met.exceptions], met.__notes__) == (
        "g",
        ["ValueError('a')", "KeyError('k')"],
        ["one"],
    )


@pytest.mark.parametrize("change", ["seen = True", "add_note('x')", "history.append(2)", "__cause__ = KeyError()"])
def test_what_a_program_does_to_an_exception_of_the_checks_is_noticed(lent: LentErrors, change: str) -> None:
    """The checks may look for it, and have another exception."""
    error = Busy("x")
    error.history = [1]  # type: ignore[attr-defined]
    met = across(lent, error)
    handles = [met]
    assert not lent.is_changed()
    exec(f"met.{change}", {"met": met})
    assert lent.is_changed()
    assert handles


def test_exceptions_that_a_program_let_go_of_are_not_looked_at_again(lent: LentErrors) -> None:
    """What its handles alone hold is nothing that it could change any more."""
    handles = [across(lent, Busy("x")), across(lent, Busy("y"))]
    seen = handles[1]
    assert not lent.is_changed()
    assert [error for error, *_ in lent.watched] == [seen]


def test_a_program_is_told_nothing_of_what_ends_a_check() -> None:
    """It could keep it."""
    with pytest.raises(Unplain, match="Stop"):
        described_error(Stop(), lambda kind: False)
