"""Live objects of a program behind the wall: a judge's stand-ins and a guest in a thread of this very process."""

from __future__ import annotations

import abc
import gc
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from regreen.sandbox.guest.runner import guest_process
from regreen.sandbox.guest.runner.stand_ins.live_guest import LIVE
from regreen.sandbox.guest.runner.stand_ins.live_program import LiveProgram
from regreen.sandbox.guest.runner.stand_ins.stubs import GuestLost, RemoteProgram
from regreen.sandbox.guest.wire.codec import encode
from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.connection import Connection
from regreen.sandbox.guest.wire.live_channel import QUESTION, RETURNED

PROGRAM = """
class Box:
    def __init__(self, items): self.items = items
    def __eq__(self, other): return True
    def __rsub__(self, other): return 0
    def __contains__(self, item): return True
    def __lt__(self, other): return False
    def each(self, f): return [f(x) for x in self.items]
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
    def __hash__(self): return hash(self.x)
def points(): return {Point(1), Point(2)}
def numbers(n):
    for x in range(n): yield x
def evaluator(): return eval
def talk(talker):
    heard = [next(talker), talker.send("a"), talker.throw(KeyError("b"))]
    talker.close()
    return heard + list(talker)
def same(x): return x
class Numb(Exception):
    def __init__(self, number):
        super().__init__(f"number {number}")
        self.number = number
def fail(): raise Numb(3)
class Full(Exception):
    def __init__(self, items): self.items = items
def overflow(number): raise Full([number])
def without(f):
    try:
        f(1)
    except OSError as error:
        return error.args[0]
def consumed(items): return list(items)
MARK = object()
def mark(): return MARK
def is_mark(x): return x is MARK
def marks(): return [MARK, object()]
"""


ORDER = {"source": PROGRAM, "module": "program", "filename": "<program>", "companions": {}, "seed": 0}


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveProgram]:
    """A judge's view of the program, which is loaded in a guest."""
    ours, theirs = socket.socketpair()
    fd = os.dup(theirs.fileno())
    theirs.close()
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.delitem(sys.modules, "program", raising=False)
    thread = threading.Thread(target=guest_process.Guest({"output_bytes": 100}).serve, args=(fd,))
    thread.start()
    remote = RemoteProgram(lambda patience: True)
    remote.wire = Connection(ours)
    found = LiveProgram(remote)
    found.load(ORDER, re.findall(r"^(?:def|class) (\w+)", PROGRAM, re.MULTILINE))
    yield found
    remote.wire.close()
    thread.join()
    os.close(fd)


@pytest.fixture
def named(live: LiveProgram) -> Callable[[str], Any]:
    """What stands for something of the program, by its name."""
    return live.fetched.__getitem__


def test_what_a_check_holds_is_what_the_program_holds(named: Callable[[str], Any]) -> None:
    """A list that both have is one list, whoever changes it."""
    mine = [1]
    box = named("Box")(mine)
    assert box.items is mine
    assert box.each(lambda x: mine.append(5) if len(mine) < 3 else x) == [None, None, 5]
    assert mine == [1, 5, 5]
    box.items.append(7)
    assert mine[-1] == 7
    assert type(box).__name__ == "Box"
    assert isinstance(box, named("Box"))


def test_a_program_may_do_to_a_generator_of_a_check_what_generators_do(named: Callable[[str], Any]) -> None:
    """It is sent values, has exceptions thrown in, and is closed, and its own code runs here."""
    ended = []

    def talker() -> Iterator[Any]:
        try:
            said = yield "begin"
            try:
                yield said + "!"
            except KeyError as error:
                yield type(error).__name__
            yield "never"
        finally:
            ended.append(1)

    assert named("talk")(talker()) == ["begin", "a!", "KeyError"]
    assert ended == [1]
    with pytest.raises(AttributeError, match="send"):
        named("talk")(iter([1, 2]))


@pytest.mark.parametrize(
    "question",
    [("resume", "gi_frame", ()), ("resume", "__class__", ()), ("resume", "send", [1]), ("resume", "send", (1,), 2)],
)
def test_nothing_else_of_a_generator_can_be_reached(live: LiveProgram, question: tuple[Any, ...]) -> None:
    """An honest guest asks for no more."""
    generator = (number for number in (1, 2))
    live.callbacks.add(id(generator))
    with pytest.raises(GuestLost):
        live._performed((question[0], generator, *question[1:]))


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (lambda live, names: live.calls.method(live.calls.defer(names["Box"], [1, 2]), "each", str), ["1", "2"]),
        (lambda live, names: live.calls.attribute(live.calls.defer(names["Box"], [3]), "items"), [3]),
        (lambda live, names: live.calls.consume(sum, live.calls.defer(names["numbers"], 4), 10), 16),
        (lambda live, names: live.calls.consume(next, live.calls.defer(names["numbers"], 4)), 0),
    ],
)
def test_a_call_and_what_is_done_with_its_answer_are_one_question(
    live: LiveProgram, use: Callable[[LiveProgram, dict[str, Any]], Any], expected: object
) -> None:
    """Each costs both processes a turn."""
    live.begin()
    assert use(live, live.fetched) == expected
    assert live.questions == 1


def test_what_is_no_live_object_is_used_here(live: LiveProgram, named: Callable[[str], Any]) -> None:
    """Nothing that is plain data is for the program to compute with."""
    assert live.calls.method(live.calls.defer(named("same"), "ab"), "upper") == "AB"
    assert live.calls.attribute(live.calls.defer(named("same"), 3), "real") == 3
    assert live.calls.consume(next, live.calls.defer(named("numbers"), 0), "none") == "none"
    assert live.calls.consume(sorted, live.calls.defer(named("same"), [2, 1])) == [1, 2]
    assert live.calls.consume(sorted, live.calls.defer(sorted, [2, 1])) == [1, 2]
    assert live.calls.consume(list) == []


@pytest.mark.parametrize("answer", [5, (1, 5), (True,), [True, 5]])
def test_a_chained_answer_of_another_shape_loses_the_guest(live: LiveProgram, answer: object) -> None:
    """It is torn, as any other message that no honest guest sends."""
    live.ask = lambda *question: answer  # type: ignore[method-assign]
    with pytest.raises(GuestLost):
        live.calls.attribute(live.calls.defer(live.fetched["Box"], [3]), "items")


def test_a_mark_is_the_same_on_both_sides(named: Callable[[str], Any]) -> None:
    """`object()` has nothing but that it is itself, and no two of them are alike."""
    mark = named("mark")()
    assert type(mark) is object
    assert named("mark")() is mark
    assert named("is_mark")(mark)
    assert not named("is_mark")(3)
    first, other = named("marks")()
    assert first is mark
    assert other is not mark
    assert {mark: 1}[named("mark")()] == 1


def test_objects_are_themselves(live: LiveProgram, named: Callable[[str], Any]) -> None:
    """One stand-in for each, also where it was handed over and comes back."""
    box, function = named("Box")([]), [].append
    assert live.identical(named("same")(box), box)
    assert named("same")(function) is function
    with pytest.raises(NotPlain, match="identity of plain values"):
        live.identical((1, 2), (1, 2))
    with pytest.raises(NotPlain, match="identity of plain values"):
        live.identical(1.0, 1.0)
    assert live.identical(5, 5)
    assert not live.identical("ab", 5)


@pytest.mark.parametrize(
    "claim", [lambda box: box == 5, lambda box: 5 in [box], lambda box: box < 5, lambda box: box == [5]]
)
def test_no_object_says_itself_that_it_is_right(named: Callable[[str], Any], claim: Callable[[Any], bool]) -> None:
    """Neither equal nor unequal to plain data; a check that asks is judged otherwise."""
    with pytest.raises(NotPlain, match="how it compares with plain data"):
        claim(named("Box")([]))


def test_an_object_that_equals_everything_is_found(named: Callable[[str], Any]) -> None:
    """Two objects of the program are compared by its own code, which is asked about something absurd as well."""
    with pytest.raises(NotPlain, match="equal everything"):
        assert named("Box")([]) == named("Box")([1])


def test_what_rests_on_the_programs_word_is_noted(live: LiveProgram, named: Callable[[str], Any]) -> None:
    """Comparisons, and what Python also does with plain data; attributes and calls do not."""
    point = named("Point")(1)
    assert point.x == 1
    assert not live.word
    assert point == named("Point")(1)
    assert "compared by code of its own" in live.word
    for use in (lambda box: 5 - box, lambda box: 5 in box):
        live.begin()
        use(named("Box")([]))
        assert "what Python does with plain data" in live.word


def test_sets_and_generators_are_what_they_are(named: Callable[[str], Any]) -> None:
    """A set of objects that have a hash of their own; a generator, which is asked for one item after the other."""
    assert named("Point")(1) in named("points")()
    assert len(named("points")() | {named("Point")(2)}) == 2
    assert list(named("numbers")(3)) == [0, 1, 2]
    assert isinstance(named("numbers")(1), Iterator)
    assert not isinstance(named("Point")(1), abc.ABC)


def test_exceptions_are_of_the_programs_classes(named: Callable[[str], Any]) -> None:
    """With their attributes; but none can be made here, since its constructor is the program's."""
    with pytest.raises(named("Numb"), match="number 3") as caught:
        named("fail")()
    assert caught.value.number == 3
    with pytest.raises(NotPlain, match="makes an exception"):
        named("Numb")(4)


def test_no_function_of_pythons_own_comes_from_the_program(named: Callable[[str], Any]) -> None:
    """`eval` that the program hands out is run where the program is: there it knows no judge."""
    evaluate = named("evaluator")()
    assert evaluate is not eval
    assert evaluate("__import__('sys').modules['program'].__name__") == "program"


def test_too_many_questions_are_not_asked(live: LiveProgram, named: Callable[[str], Any]) -> None:
    """Such a check is judged in the program's process, where it takes no time."""
    numbers = named("numbers")(30)
    assert next(numbers) == 0
    live.questions = 1_000_000
    with pytest.raises(NotPlain, match="too often"):
        next(numbers)


def test_objects_that_no_check_holds_are_set_free(live: LiveProgram, named: Callable[[str], Any]) -> None:
    """A loop of a check may make as many as it likes; those that it keeps are the same ones."""
    kept = []
    for number in range(500):
        box = named("Box")([number])
        if number % 10 == 0:
            kept.append((box, number))
    alive = [item for item in gc.get_objects() if type(item).__name__ == "Box" and not live.is_live(item)]
    assert len(kept) <= len(alive) < 2 * len(kept) + 32
    assert [box.items for box, _ in kept] == [[number] for _, number in kept]


def test_what_is_sent_does_not_grow_with_the_rounds_of_a_loop(live: LiveProgram, named: Callable[[str], Any]) -> None:
    """Neither by exceptions of the program and what they hold, nor by iterators that it went through to their end."""
    sent = []

    def round_trip(number: int) -> None:
        before = live.bytes
        with pytest.raises(named("Numb"), match="number"):
            named("Box")(iter([number])).each(lambda x: named("fail")())
        assert named("consumed")(iter([[number]])) == [[number]]
        with pytest.raises(named("Full")) as caught:
            named("overflow")(number)
        assert caught.value.items == [number]
        sent.append(live.bytes - before)

    for number in range(300):
        round_trip(number)
    assert sum(sent[-100:]) < 1.5 * sum(sent[100:200])


def test_an_exception_that_the_program_caught_keeps_no_frames(named: Callable[[str], Any]) -> None:
    """They would keep what the checks had; one that comes back has been where it was."""
    caught: list[Exception] = []

    def fails(item: int) -> None:
        caught.append(OSError(item))
        raise caught[-1]

    assert named("without")(fails) == 1
    assert caught[-1].__traceback__ is None
    with pytest.raises(OSError, match="5") as seen:
        named("Box")([5]).each(fails)
    assert "fails" in [entry.name for entry in seen.traceback]


def test_an_iterator_that_was_let_go_of_is_asked_no_more(live: LiveProgram, named: Callable[[str], Any]) -> None:
    """Its place in memory may be another object's by then."""
    for number in range(200):
        assert named("consumed")(iter([number])) == [number]
    assert len(live.callbacks) < 64


def forged(*body: Any) -> bytes:
    """A message of a guest that is not honest."""
    return LIVE + encode(body)


@pytest.mark.parametrize(
    "answer",
    [
        forged(RETURNED, 1, ("", "", 0), (), (), ()) + b"x",
        forged(RETURNED, 1, ("", "", -1), (), (), ()),
        forged(RETURNED, 1, ("", 5, 0), (), (), ()),
        forged(RETURNED, 1, ("", "", 0), (3,), (), ()),
        forged(RETURNED, 1, ("", "", 0), (), (5,), ()),
        forged(RETURNED, 1, ("", "", 0), (), (), (7,)),
        forged(RETURNED, 1, ("", "", 0), (), (), ([],)),
        forged(RETURNED, 1, ("", "", 0), (), ()),
        forged(RETURNED, 1),
        forged(QUESTION, ("call",), ("", "", 0), (), (), ()),
        forged(QUESTION, ("next", 5), ("", "", 0), (), (), ()),
        LIVE + b"\x1c\x00\x00\x00\x00",
        b"R" + encode((1, None, None, None, "", 0)),
        b"",
    ],
)
def test_a_forged_answer_loses_the_guest(answer: bytes) -> None:
    """Whatever has no honest form ends the check, and is no answer."""
    remote = RemoteProgram(lambda patience: False)
    remote.exchange = lambda request: answer  # type: ignore[method-assign]
    with pytest.raises((GuestLost, NotPlain)):
        LiveProgram(remote).ask("names", ("x",))
    assert remote.lost is not None
