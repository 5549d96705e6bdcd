"""The direct link to a container's server: it believes nothing, and keeps no descriptor that comes along."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from regreen.sandbox.container_link import DirectLink
from regreen.sandbox.guest.wire.connection import ConnectionClosed, Overdue, WireError

Ends = tuple[DirectLink, socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """The link, the server's end of it, and the engine's end of the streams."""
    control, server = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    stream, engine = socket.socketpair()
    link = DirectLink(control, stream)
    with server, engine:
        yield link, server, engine
        link.close()


def test_orders_and_answers_pass(ends: Ends) -> None:
    """With the child's end of its connection."""
    link, server, _ = ends
    near, far = socket.socketpair()
    with near, far:
        link.send(b"S{}", far.fileno())
        order, fds, _, _ = socket.recv_fds(server, 10, 1)
        os.write(fds[0], b"child")
        os.close(fds[0])
        assert (order, near.recv(10)) == (b"S{}", b"child")
    server.send(b'{"cpu": 1}')
    assert link.receive(5) == {"cpu": 1}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors as Linux shows them")
def test_descriptors_that_a_container_sends_are_not_taken(ends: Ends) -> None:
    """They would fill this process's table, or be something that only it may open."""
    link, server, _ = ends
    before = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with Path(os.devnull).open() as something:
        socket.send_fds(server, [b"{}"], [something.fileno()] * 200)
    assert link.receive(5) == {}
    assert sorted(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


@pytest.mark.parametrize("said", [b"\xff\xfe", b"[" * 100_000, b"{", b'"' + b"x" * 140_000 + b'"'])
def test_what_is_no_answer_is_an_error_of_the_wire(ends: Ends, said: bytes) -> None:
    """Not JSON, nested without end, cut off, or longer than any answer."""
    link, server, _ = ends
    server.send(said)
    with pytest.raises(WireError):
        link.receive(5)


def test_silence_and_hanging_up_are_told_apart(ends: Ends) -> None:
    """The one is overdue, the other final; also for a thread that waits while another abandons the link."""
    link, server, _ = ends
    with pytest.raises(Overdue):
        link.receive(0.01)
    link.abandon()
    with pytest.raises(ConnectionClosed):
        link.receive(5)
    server.close()
    with pytest.raises(ConnectionClosed):
        link.send(b"R")


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (struct.pack(">BxxxI", 2, 5) + b"no: 1" + struct.pack(">BxxxI", 1, 3) + b"out", "no: 1"),
        (struct.pack(">BxxxI", 2, 5) + b"no", ""),
        (b"\xff" * 100, ""),
        (b"", ""),
    ],
    ids=["error and output", "cut off", "no engine's", "nothing"],
)
def test_last_words_are_what_came_by_the_standard_error(ends: Ends, sent: bytes, told: str) -> None:
    """As the engine frames it; whatever else comes is left alone."""
    link, _, engine = ends
    engine.sendall(sent)
    engine.shutdown(socket.SHUT_WR)
    assert link.last_words() == told
