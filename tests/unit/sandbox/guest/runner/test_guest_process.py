"""The guest's answers, asked for as the judge asks, in this very process."""

from __future__ import annotations

import contextlib
import marshal
import os
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from regreen.sandbox.guest.runner import guest_process
from regreen.sandbox.guest.runner.program_loading.program_module import fresh_module
from regreen.sandbox.guest.runner.stand_ins.stubs import RaisedByProgram, RemoteProgram
from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.connection import Connection

PROGRAM = """
import sys
from helper import TWO
LIVE = object()
OUT = sys.stdout
def double(n, *, times=2): return n * times
def grow(xs): xs.append(1); return xs
def fail(xs): xs.append(1); raise KeyError('k')
def say(text): print(text, file=OUT); return text
def live(): return LIVE
def parts(xs): return [xs, xs[0]]
def same(xs): return xs
def inside(xs): return {'xs': xs}
def copied(xs, more=None): return xs + (more or [])
def alive(xs): xs.append(LIVE)
def grown(*, xs): xs[0] = 9; return len(xs)
def first(a, b): a.append(1); return a is b
def bare(d): d['k'] = b'x'
async def later(n): return n
KEPT = [[]]
def keep(xs, fail=False): KEPT.append(xs); return {}['k'] if fail else len(KEPT)
def kept(): return KEPT
def rows(n): return [[n], {'n': [n]}]
LISTED = []
def listed(n): LISTED.append(n); return LISTED
def refuse(xs): raise ValueError('no')
"""
COMPANIONS = {"helper.py": "from pack.inner import TWO\n", "pack/inner.py": "TWO = 2\n"}


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> Iterator[RemoteProgram]:
    """A judge's view of a guest that runs in a thread, with the program loaded."""
    ours, theirs = socket.socketpair()
    fd = os.dup(theirs.fileno())
    theirs.close()
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    for name in ("program", "helper", "pack", "pack.inner"):
        monkeypatch.setitem(sys.modules, name, None)
        del sys.modules[name]
    thread = threading.Thread(target=guest_process.Guest({"output_bytes": 100}).serve, args=(fd,))
    thread.start()
    remote = RemoteProgram(lambda patience: True)
    remote.wire = Connection(ours)
    load(remote, PROGRAM)
    yield remote
    remote.wire.close()
    thread.join()
    os.close(fd)


def load(remote: RemoteProgram, source: str) -> None:
    """Hand the guest a program."""
    remote.load({"source": source, "module": "program", "filename": "<program>", "companions": COMPANIONS, "seed": 0})


def test_calls_are_answered(remote: RemoteProgram) -> None:
    """With positional and named arguments, of plain functions and coroutines; and values by their name."""
    assert remote.call("double", (3,), {"times": 3}) == 9
    assert remote.call("later", (3,), {}, "await") == 3
    assert remote.call("TWO", (), {}, "get") == 2


def test_arguments_come_back_as_the_call_left_them(remote: RemoteProgram) -> None:
    """Also where it raised."""
    mine: list[Any] = [[0]]
    assert remote.call("grow", (mine,), {}) is mine
    with pytest.raises(KeyError) as caught:
        remote.call("fail", (mine,), {})
    assert mine == [[0], 1, 1]
    whole, first = remote.call("parts", (mine,), {})
    assert whole is mine
    assert first is mine[0]
    told = caught.value.__regreen__  # type: ignore[attr-defined]
    assert isinstance(told, RaisedByProgram)
    assert told.lines == [8]


def test_a_list_that_the_program_goes_on_holding_is_one_list(remote: RemoteProgram) -> None:
    """Also where a call had scalars alone, and nothing that it could have changed."""
    mine = remote.call("listed", (1,), {})
    assert remote.call("listed", (2,), {}) is mine
    assert mine == [1, 2]
    assert remote.call("copied", ([3],), {}) is not mine


def test_flat_arguments_come_back_as_the_call_left_them(remote: RemoteProgram) -> None:
    """Numbers and strings in lists and dicts take a shorter way, and nothing of this is lost on it."""
    mine: list[Any] = [1, 2]
    assert remote.call("grow", (mine,), {}) is mine
    assert remote.call("same", (mine,), {}) is mine
    assert remote.call("inside", (mine,), {})["xs"] is mine
    assert remote.call("grown", (), {"xs": mine}) == 3
    assert mine == [9, 2, 1]
    with pytest.raises(KeyError):
        remote.call("fail", (mine,), {})
    assert mine == [9, 2, 1, 1]
    held: dict[str, Any] = {}
    assert remote.call("bare", (held,), {}) is None
    assert held == {"k": b"x"}


def test_an_answer_of_its_own_is_not_taken_for_an_argument(remote: RemoteProgram) -> None:
    """An equal list is another list."""
    mine = [1.5, "é\n", True, None]
    answer = remote.call("copied", (mine,), {"more": []})
    assert answer == mine
    assert answer is not mine


def test_one_list_twice_is_one_list_there(remote: RemoteProgram) -> None:
    """And both mentions of it change."""
    mine = [0]
    assert remote.call("first", (mine, mine), {}) is True
    assert remote.call("first", ([0], [0]), {}) is False
    assert mine == [0, 1]


def test_a_live_object_put_into_an_argument_does_not_cross(remote: RemoteProgram) -> None:
    """The judge is told, and does not take the argument for unchanged."""
    with pytest.raises(NotPlain):
        remote.call("alive", ([1],), {})


def test_what_the_program_lacks_is_a_name_error(remote: RemoteProgram) -> None:
    """Under its own name."""
    with pytest.raises(NameError, match="missing"):
        remote.call("missing", (), {})


def test_a_live_object_does_not_cross(remote: RemoteProgram) -> None:
    """The answer says of what type it was."""
    with pytest.raises(NotPlain, match="object"):
        remote.call("live", (), {})


def test_a_program_that_does_not_load_says_why(remote: RemoteProgram) -> None:
    """And every call after that says so too."""
    with pytest.raises(SyntaxError):
        load(remote, "def f(:\n")
    with pytest.raises(ZeroDivisionError):
        load(remote, "1 / 0\n")
    with pytest.raises(NameError):
        remote.call("double", (1,), {})


def test_a_flood_is_told_as_one(remote: RemoteProgram) -> None:
    """And the next call is answered."""
    with pytest.raises(BaseException, match="printed") as caught:
        remote.call("say", ("x" * 200,), {})
    assert caught.value.__regreen__.flood  # type: ignore[attr-defined]
    assert remote.call("double", (1,), {}) == 2


def test_modules_of_a_package_are_attributes_of_it() -> None:
    """A dotted name makes its parents."""
    names = ("judge_test_parent", "judge_test_parent.child")
    try:
        child = fresh_module(names[1], "x.py")
        assert sys.modules[names[0]].child is child
    finally:
        for name in names:
            sys.modules.pop(name, None)
    assert marshal.loads(marshal.dumps(names)) == names


def test_what_the_program_and_a_check_hold_is_one_object(remote: RemoteProgram) -> None:
    """Whoever changes it, the other sees it; also what was stored by a call that raised."""
    mine: list[Any] = [1]
    theirs = remote.call("kept", (), {})
    assert remote.call("keep", (mine,), {}) == 2
    assert theirs == [[], [1]]
    assert theirs[1] is mine
    mine.append(2)
    assert remote.call("kept", (), {}) is theirs
    other = {"a": 1}
    with pytest.raises(KeyError):
        remote.call("keep", (other, True), {})
    other["b"] = 2
    theirs.pop(0)
    assert remote.call("kept", (), {}) == [[1, 2], {"a": 1, "b": 2}]


def test_what_a_check_changed_and_dropped_is_told_once_more(remote: RemoteProgram) -> None:
    """It holds it no longer, but the program does."""
    remote.call("kept", (), {})[0].append("x")
    assert remote.call("kept", (), {}) == [["x"]]


def test_nothing_is_kept_of_a_call_that_keeps_nothing(remote: RemoteProgram) -> None:
    """Else every later request would carry it."""
    answers = [remote.call("rows", (3,), {}), remote.call("same", ([[1], [2]],), {}), remote.call("grow", ([1],), {})]
    with pytest.raises(ValueError, match="no"):
        remote.call("refuse", ([[1]],), {})
    assert len(answers) == 3
    assert remote.kept.objects == []


def test_a_thread_that_goes_on_is_told_apart(remote: RemoteProgram) -> None:
    """It may change what the checks look at, at any time."""
    load(
        remote,
        "import threading\ngate = threading.Event()\ndef go():\n"
        "    t = threading.Thread(target=gate.wait); t.start(); return t.name\ndef end(): gate.set()\n",
    )
    with pytest.raises(NotPlain, match="a thread that goes on"):
        remote.call("go", (), {})
    with contextlib.suppress(NotPlain):
        remote.call("end", (), {})
