"""The judge's stand-ins for a program, against a guest that keeps to no rule."""

from __future__ import annotations

import json
import socket
import threading
import unittest
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from regreen.sandbox.guest.runner.stand_ins.program_stubs import stub_module
from regreen.sandbox.guest.runner.stand_ins.stubs import GuestLost, RemoteProgram
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.wire.codec import encode
from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.connection import Connection

Guest = Callable[..., None]


@pytest.fixture
def remote() -> Iterator[tuple[RemoteProgram, Guest]]:
    """The judge's view of a guest that answers with the given bytes, one for each question."""
    ours, theirs = socket.socketpair()
    far = Connection(theirs)
    threads: list[threading.Thread] = []
    near = RemoteProgram(lambda patience: False)
    near.wire = Connection(ours)
    near.wire.set_timeout(0.5)

    def answers(*replies: bytes, raw: bool = False) -> None:
        def serve() -> None:
            for reply in replies:
                far.receive()
                far.sock.sendall(reply) if raw else far.send(reply)

        threads.append(threading.Thread(target=serve))
        threads[-1].start()

    yield near, answers
    near.wire.close()
    for thread in threads:
        thread.join()
    far.close()


def returned(
    value: Any, back: Any = None, printed: Any = "", spent: Any = 0, kept: Any = None, new: Any = None
) -> bytes:
    """An honest answer, or what looks like one."""
    return b"R" + encode((value, back, kept, new, printed, spent))


def raising(**described: Any) -> bytes:
    """An exception as it comes over the wire."""
    text = described.get("message", "")
    told = {"name": "", "mro": [], "message": "", "args": (text,) if text else (), **described}
    return b"E" + encode((told, None, None, None, "", 0))


@pytest.mark.parametrize("reply", [returned(5), b"J[5, 100]"])
def test_an_answer_is_rebuilt(remote: tuple[RemoteProgram, Guest], reply: bytes) -> None:
    """In either of its two forms."""
    near, answers = remote
    answers(reply)
    assert near.call("f", (1,), {}) == 5


ABSURD = {
    "empty": b"",
    "of no kind": b"Zabc",
    "noise": b"R\xff\xfe\xfd",
    "no tuple": b"R" + encode(5),
    "too short": b"R" + encode((1, None)),
    "too long": b"R" + encode((1, None, None, None, "", 0, 0)),
    "printed is no text": returned(1, printed=b"x"),
    "time is no number": returned(1, spent="0"),
    "time is endless": returned(1, spent=10**18),
    "time is nan": returned(1, spent=float("nan")),
    "time is a truth": returned(1, spent=True),
    "time runs backwards": returned(1, spent=-5),
    "arguments that were not given": returned(1, back=[[1], [2]]),
    "arguments of another kind": returned(1, back=[{}]),
    "arguments that are no list": returned(1, back=5),
    "kept objects that nobody has": returned(1, kept=[[1]]),
    "kept objects that are no list": returned(1, kept=5),
    "new kept objects that are no list": returned(1, new=5),
    "new kept objects that do not change": returned(1, new=[()]),
    "new kept objects without end": returned(1, new=[[]] * 10_001),
    "broken JSON": b"J[1",
    "JSON of another shape": b"J5",
    "JSON that is too deep": b"J" + b"[" * 100_000,
    "a JSON object": b"J" + json.dumps([{"a": 1}, 0]).encode(),
    "JSON in another coding": "J[1, 0]".encode("utf-16"),
    "a huge JSON number": b"J[" + b"9" * 10_000 + b", 0]",
    "an exception of no form": b"E" + encode((5, None, None, None, "", 0)),
}


@pytest.mark.parametrize("what", ABSURD)
def test_an_absurd_answer_is_the_guests_failure(remote: tuple[RemoteProgram, Guest], what: str) -> None:
    """The guest counts as lost from then on, and the caller's arguments are untouched."""
    near, answers = remote
    answers(ABSURD[what])
    mine = [1]
    with pytest.raises(GuestLost) as caught:
        near.call("f", (mine,), {})
    assert caught.value.why == "torn"
    assert mine == [1]
    with pytest.raises(GuestLost):
        near.call("f", (), {})


def test_a_message_beyond_the_limit_is_not_read(remote: tuple[RemoteProgram, Guest]) -> None:
    """Only announced, it is refused."""
    near, answers = remote
    answers(b"\xff\xff\xff\x7f", raw=True)
    with pytest.raises(GuestLost) as caught:
        near.call("f", (), {})
    assert caught.value.why == "oversize"


def test_no_answer_is_overdue_and_stays_so(remote: tuple[RemoteProgram, Guest]) -> None:
    """A late answer must not be taken for that of the next question."""
    near, _ = remote
    assert near.wire is not None
    near.wire.set_timeout(0.02)
    for _ in range(2):
        with pytest.raises(GuestLost) as caught:
            near.call("f", (), {})
        assert caught.value.why == "overdue"


def test_time_that_runs_out_in_the_middle_of_a_question_waits_for_the_answer(
    remote: tuple[RemoteProgram, Guest],
) -> None:
    """So that the next answer is that of the next question."""
    near, answers = remote
    answers(b"J[1, 0]", b"J[2, 0]")
    near.overdue = lambda patience: False

    def exchange(request: bytes, genuine: Any = near._exchange) -> Any:
        time_limits._ring(0, None)
        return genuine(request)

    near._exchange = exchange  # type: ignore[method-assign]
    time_limits.TIMER.armed, time_limits.TIMER.pending = True, False
    try:
        with pytest.raises(time_limits.OutOfTime):
            near.call("f", (), {})
        del near._exchange  # type: ignore[method-assign]
        assert near.call("f", (), {}) == 2
    finally:
        time_limits.TIMER.armed = False


RAISED = {
    "a builtin": (raising(mro=["KeyError"], builtin="KeyError", args=("k",)), KeyError, ("k",)),
    "without arguments": (raising(mro=["ValueError"], builtin="ValueError", args=()), ValueError, ()),
    "of the program, mirrored": (raising(mro=["Mine"], builtin="ValueError", args=(1,)), ValueError, (1,)),
    "of the program, unknown": (raising(mro=["Own", "OSError"], builtin="OSError", message="m"), OSError, ("m",)),
    "whose arguments do not fit": (
        raising(mro=["UnicodeDecodeError"], builtin="UnicodeDecodeError", args=(1,), message="m"),
        UnicodeDecodeError,
        (1,),
    ),
    "a group": (
        raising(
            mro=["ExceptionGroup"],
            builtin="ExceptionGroup",
            message="m",
            parts={"slots": {"message": "m"}},
            group=[{"mro": ["KeyError"], "builtin": "KeyError", "args": (), "message": ""}],
        ),
        ExceptionGroup,
        ("m", [KeyError()]),
    ),
    "of no known type": (raising(mro=["X", "Y"], builtin="Y", message="m"), RuntimeError, ("m",)),
    "that is no exception": (raising(mro=["print"], builtin="eval", message="m"), RuntimeError, ("m",)),
    "with a hostile mro": (raising(mro=[1, None], builtin="KeyError", message="m"), KeyError, ("m",)),
    "with a hostile name": (raising(mro=["\0\ud800"], builtin="KeyError", message="m"), KeyError, ("m",)),
}


@pytest.mark.parametrize("what", RAISED)
def test_an_exception_is_raised_as_one_of_the_judges_own(remote: tuple[RemoteProgram, Guest], what: str) -> None:
    """By type where it is known, with its arguments where they fit; never by running what came."""
    reply, kind, args = RAISED[what]
    near, answers = remote
    answers(reply)
    with pytest.raises(kind) as caught:
        near.call("f", (), {})
    assert repr(caught.value.args) == repr(args)


SHAPELESS = {
    "parts that are none": {"parts": 5},
    "a class of another shape": {"parts": {"classes": [["m", "q"]]}},
    "a class without a name": {"parts": {"classes": [["m", "", {}, []]]}},
    "an endless cause": {"cause": 5},
    "a group of nothing": {"builtin": "ExceptionGroup"},
    "a group of numbers": {"builtin": "ExceptionGroup", "group": [1]},
}


@pytest.mark.parametrize("what", SHAPELESS)
def test_an_exception_of_another_shape_is_the_guests_failure(remote: tuple[RemoteProgram, Guest], what: str) -> None:
    """Nothing is raised that a check could expect."""
    near, answers = remote
    answers(raising(**{"mro": ["KeyError"], "builtin": "KeyError", **SHAPELESS[what]}))
    with pytest.raises(GuestLost, match="torn"):
        near.call("f", (), {})


def test_what_steers_the_checks_is_not_raised_by_a_program(remote: tuple[RemoteProgram, Guest]) -> None:
    """A class of the same name is made instead."""
    near, answers = remote
    row = ["unittest.case", "SkipTest", {}, []]
    answers(raising(mro=["SkipTest", "Exception"], builtin="Exception", message="m", parts={"classes": [row]}))
    with pytest.raises(Exception, match="m") as caught:
        near.call("f", (), {})
    assert type(caught.value).__name__ == "SkipTest"
    assert not isinstance(caught.value, unittest.SkipTest)


def test_a_class_of_the_program_is_not_pythons_of_the_same_name(remote: tuple[RemoteProgram, Guest]) -> None:
    """What it derives from counts, not what it is called."""
    near, answers = remote
    parts = {"classes": [["program", "KeyError", {}, []]], "bases": ["Exception", "BaseException"]}
    answers(raising(mro=["KeyError", "Exception", "BaseException", "object"], builtin="Exception", parts=parts))
    with pytest.raises(Exception) as caught:  # noqa: PT011  which one it is not is the question
        near.call("f", (), {})
    assert type(caught.value).__name__ == "KeyError"
    assert not isinstance(caught.value, LookupError)


def test_a_live_argument_does_not_cross(remote: tuple[RemoteProgram, Guest]) -> None:
    """It is said that the check, not the program, brought it."""
    near, _ = remote
    with pytest.raises(NotPlain) as caught:
        near.call("f", (object(),), {})
    assert caught.value.outward


def test_a_live_answer_does_not_cross(remote: tuple[RemoteProgram, Guest]) -> None:
    """It is said that the program gave it, and the guest is still of use."""
    near, answers = remote
    answers(b"U" + encode(("generator", "", 0)), b"J[1, 0]")
    with pytest.raises(NotPlain) as caught:
        near.call("f", (), {})
    assert not caught.value.outward
    assert near.call("f", (), {}) == 1


def test_the_module_of_stubs_has_all_that_the_checks_touch(remote: tuple[RemoteProgram, Guest]) -> None:
    """Functions, exceptions in their order of descent, and imports; what cannot be imported stays undefined."""
    from types import ModuleType

    module = ModuleType("program")
    surface = {
        "functions": ["f"],
        "coroutines": ["g"],
        "constants": [],
        "exceptions": [["Mine", "ValueError"], ["Below", "Mine"]],
        "imports": ["import math", "import nowhere_at_all"],
    }
    near, answers = remote
    stub_module(near, {"surface": surface}, module)
    answers(b"J[3, 0]")
    assert module.f(1) == 3
    assert issubclass(module.Below, module.Mine)
    assert issubclass(module.Mine, ValueError)
    assert module.math.pi > 3
    assert not hasattr(module, "nowhere_at_all")
