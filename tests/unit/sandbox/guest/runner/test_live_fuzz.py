"""Answers about live objects that a guest has damaged: a check gets an object, an exception or its end from any."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from regreen.sandbox.guest.runner.checks.captured_output import OutputFlood
from regreen.sandbox.guest.runner.guest_process import Guest
from regreen.sandbox.guest.runner.program_loading.precompile import precompiled
from regreen.sandbox.guest.runner.stand_ins.live_guest import LiveGuest
from regreen.sandbox.guest.runner.stand_ins.live_program import LiveProgram
from regreen.sandbox.guest.runner.stand_ins.stubs import GuestLost, RemoteProgram
from regreen.sandbox.guest.wire.codec_format import BadMessage, NotPlain

PROGRAM = """
class Box:
    def __init__(self, items=()):
        self.items = list(items)
    def put(self, item):
        self.items.append(item)
        return self
    def __eq__(self, other):
        return self.items == other.items
    __hash__ = None
class Full(ValueError):
    def __init__(self, n):
        super().__init__(f"{n} is too much")
        self.n = n
def count(n):
    print("counting")
    yield from range(n)
def fail(n):
    raise Full(n)
"""
CORPUS = Path(__file__).with_name("live_answers.txt")
"""Damages that were worth keeping, one a line: which answer, at which place, by which byte, and how much is cut off."""


def talk(live: LiveProgram) -> None:
    """Everything that a check does with live objects, in few words."""
    names = dict(live.ask("names", ("Box", "count", "fail", "Full")))
    box = names["Box"]([1, "a", {"k": 2.5}])
    assert box.put(3) is box
    assert len(box.items) == 4
    assert box == box
    assert list(names["count"](2)) == [0, 1]
    assert live.calls.method(live.calls.defer(names["Box"], [1]), "put", 2).items == [1, 2]
    assert live.calls.consume(list, live.calls.defer(names["count"], 2)) == [0, 1]
    with pytest.raises(names["Full"], match="too much"):
        names["fail"](3)


def conversation(damage: tuple[int, int, int, int] | None) -> BaseException | None:
    """How the talk ends where one answer comes damaged: an exception, or nothing."""
    streams, known = (sys.stdout, sys.stderr), sys.modules.get("program")
    guest = Guest({"output_bytes": 1000})
    guest._load((precompiled(PROGRAM, "<program>"), "program", "<program>", {}, 0))
    # The runner of this test has threads of its own.
    guest.threads = 1000
    answering, remote, turn = LiveGuest(guest), RemoteProgram(lambda patience: False), 0
    sys.stdout, sys.stderr = guest.streams = streams

    def exchange(request: bytes) -> bytes:
        nonlocal turn
        try:
            answer = bytearray(answering.answer(request))
        except BadMessage:
            # Its own lie has come back to the guest, which ends by it.
            raise GuestLost("closed") from None
        if damage is not None and damage[0] == turn:
            answer[damage[1] % len(answer)] = damage[2]
            del answer[len(answer) - damage[3] % len(answer) :]
        turn += 1
        return bytes(answer)

    remote.exchange = exchange  # type: ignore[method-assign]
    try:
        talk(LiveProgram(remote))
    except BaseException as error:  # noqa: BLE001  how it ends is what is asked
        return error
    finally:
        sys.modules.pop("program", None)
        if known is not None:
            sys.modules["program"] = known
    return None


def harmless(error: BaseException | None) -> bool:
    """Whether a check may end so: lost, undecided, failed by its own assertion, or by what the program raised."""
    ends = (GuestLost, NotPlain, OutputFlood, AssertionError, TypeError, AttributeError, KeyError, ValueError)
    return error is None or isinstance(error, ends) or hasattr(error, "__regreen__")


def kept() -> list[tuple[Any, ...]]:
    """The corpus."""
    return [tuple(map(int, line.split())) for line in CORPUS.read_text().splitlines() if line]


def test_an_undamaged_talk_comes_to_its_end() -> None:
    """Otherwise nothing would be known of the damaged ones."""
    assert conversation(None) is None


@pytest.mark.parametrize("damage", kept())
def test_a_damage_that_was_found_before_does_no_harm(damage: tuple[int, int, int, int]) -> None:
    """Once found, always tried."""
    assert harmless(conversation(damage))


@pytest.mark.timeout(1200)
@examples(0.5)
@given(st.tuples(st.integers(0, 15), st.integers(0, 400), st.integers(0, 255), st.sampled_from([0, 0, 0, 1, 9])))
def test_no_damage_does_harm(damage: tuple[int, int, int, int]) -> None:
    """`make fuzz` tries twenty thousand; what fails goes into the corpus."""
    assert harmless(conversation(damage))
