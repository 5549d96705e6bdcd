"""What is told of an exception beside its text."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from regreen.sandbox.guest.runner.mutation_runs.error_evidence import ErrorEvidence, error_chain


def chain_of(action: Callable[[], object]) -> list[ErrorEvidence]:
    """What is told of the exception that the action raises."""
    try:
        action()
    except BaseException as error:  # noqa: BLE001  whatever it is
        return error_chain(error)
    raise AssertionError("nothing was raised")


NAMED = {
    "a module": (lambda: __import__("no_such_module"), "name", "no_such_module"),
    "a file": (lambda: open("no/such/file"), "file", "no/such/file"),  # noqa: SIM115, PTH123
    "a key": (lambda: os.environ["NO_SUCH_VARIABLE"], "key", "NO_SUCH_VARIABLE"),
}


@pytest.mark.parametrize("what", NAMED)
def test_what_an_exception_names_is_told(what: str) -> None:
    """Its text may say it in any words."""
    action, field, expected = NAMED[what]
    assert chain_of(action)[0][field] == expected


def test_the_frames_are_told_from_the_outermost_in() -> None:
    """File, line and function: the places by which a cause is found."""
    frames = chain_of(lambda: os.environ["NO_SUCH_VARIABLE"])[0]["frames"]
    assert [function for _, _, function in frames] == ["chain_of", "<lambda>", "__getitem__"]
    assert frames[0][0] == __file__


def test_what_led_to_an_exception_is_told_after_it() -> None:
    """A library's own error may hide that the sandbox refused a socket; a ring of causes ends."""

    def fail() -> None:
        try:
            raise PermissionError(1, "no")
        except PermissionError as cause:
            error = ConnectionError("no connection")
            cause.__cause__ = error
            raise error from cause

    assert [error["kind"] for error in chain_of(fail)] == ["ConnectionError", "PermissionError"]


class Hostile(Exception):
    """Its attributes do what they like."""

    name = filename = property(lambda self: 1 / 0)


class Deceitful(Exception):
    """Its attributes are no texts."""

    name, errno, filename = ["a"], "7", b"file"


def test_a_hostile_exception_tells_nothing() -> None:
    """Neither its own errors nor values of other types get through."""
    assert error_chain(Hostile()) == []
    told = error_chain(Deceitful("said"))[0]
    assert (told["name"], told["errno"], told["file"], told["message"]) == ("", None, "", "said")
