"""Which calls can be put to the guest before their checks are run?"""

from __future__ import annotations

import ast
import marshal
import socket
from collections.abc import Iterator

import pytest

from regreen.sandbox.guest.runner.stand_ins.call_prefetch import CallPrefetch, PrefetchedCall
from regreen.sandbox.guest.runner.stand_ins.stubs import RemoteProgram
from regreen.sandbox.guest.wire.connection import Connection

MOST_BYTES = 32_768


def foreseen(*steps: str, functions: tuple[str, ...] = ("f", "g")) -> list[tuple[str, object]]:
    """(check, (name, args, kwargs)) of what is foreseen; a step that begins with `assert` is a check."""
    prefetch = CallPrefetch(functions, "program")
    for number, code in enumerate(steps):
        prefetch.add_step(ast.parse(code), f"c{number}" if code.startswith("assert") else None)
    return [(check, asked(request)) for check, request in prefetch.calls]


def asked(request: bytes) -> tuple[str, tuple[object, ...], dict[str, object]]:
    """What a request asks, in any of its plain forms."""
    told = marshal.loads(request[1:])
    if request[:1] == b"A":
        return told
    return (told[0], *marshal.loads(told[1])) if request[:1] == b"F" else told[1:]


def test_a_row_of_assertions_on_literals_is_foreseen_whole() -> None:
    """Arguments of any plain kind, by position and by name, whatever is done with the answer."""
    assert foreseen(
        "assert f(1, [2, 'x']) == 3",
        "assert abs(g(n=-1.5) - 2.0) < 1e-6, 'message'",
        "assert not f({'a': (1, None)})",
    ) == [
        ("c0", ("f", (1, [2, "x"]), {})),
        ("c1", ("g", (), {"n": -1.5})),
        ("c2", ("f", ({"a": (1, None)},), {})),
    ]


def test_what_asks_nothing_is_passed_over() -> None:
    """Imports, plain values and assertions about other things."""
    steps = ("import math", "limit = 3", "assert limit == 3", "from program import f", "assert f(1) == 1")
    assert foreseen(*steps) == [("c4", ("f", (1,), {}))]


def test_another_name_for_a_function_is_followed() -> None:
    """`candidate = f` is how many suites begin."""
    assert foreseen("candidate = f", "assert candidate(2) == 2") == [("c1", ("f", (2,), {}))]


@pytest.mark.parametrize(
    "doubtful",
    [
        "assert f(1) == f(2)",
        "assert f(f(1)) == 1",
        "assert x or f(1)",
        "assert f(1) if x else True",
        "assert [f(1) for _ in range(2)]",
        "assert 1 < f(1) < 3",
        "assert f(x) == 1",
        "assert f(*[1]) == 1",
        "assert f(1) == 1, g(2)",
        "assert f.count == 1",
        "assert (y := f(1)) == 1",
        "for n in range(2):\n    f(n)",
        "f(1)",
        "f = 3",
        "from other import f",
        "import other as g",
        "def f(x):\n    return x",
        "x = f(1)",
    ],
)
def test_nothing_after_a_doubtful_step_is_foreseen(doubtful: str) -> None:
    """Questions come in one order: where it is not known which is next, looking ahead ends."""
    assert foreseen("assert f(0) == 0", doubtful, "assert f(9) == 9") == [("c0", ("f", (0,), {}))]


def test_no_more_is_sent_ahead_than_a_socket_takes_unread() -> None:
    """Both ends would wait for each other otherwise."""
    big = "x" * (MOST_BYTES // 2)
    assert [check for check, _ in foreseen(*[f"assert f({big!r}) == 1"] * 5)] == ["c0"]


@pytest.fixture
def wires() -> Iterator[tuple[RemoteProgram, Connection]]:
    """A judge's view of a guest, and the guest's end."""
    ours, theirs = socket.socketpair()
    remote, guest = RemoteProgram(lambda patience: False), Connection(theirs)
    remote.wire = Connection(ours)
    yield remote, guest
    remote.wire.close()
    guest.close()


def test_an_answer_that_nobody_came_for_is_not_given_to_the_next_check(wires: tuple[RemoteProgram, Connection]) -> None:
    """A check may end before it comes to its question; its answer is left out."""
    remote, guest = wires
    remote.prefetch([PrefetchedCall("a", b"M1"), PrefetchedCall("b", b"M2"), PrefetchedCall("c", b"M3")])
    for answer in (b"J[1, 0]", b"J[2, 0]", b"J[3, 0]", b"J[4, 0]"):
        guest.send(answer)
    remote.check = "b"
    assert remote.call("f", (2,), {}) == 2
    remote.check = "d"
    assert remote.call("f", (4,), {}) == 4
    assert [guest.receive() for _ in range(3)] == [b"M1", b"M2", b"M3"]
    assert asked(guest.receive()) == ("f", (4,), {})
