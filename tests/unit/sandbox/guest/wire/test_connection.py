"""Messages over a socket: whole ones arrive, and all else is told apart."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed, Overdue, Oversize, WireError
from regreen.sandbox.guest.wire.guest_connection import GuestConnection, HangUp

Ends = tuple[Connection, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """A wire, and the bare socket at its other end."""
    ours, theirs = socket.socketpair()
    wire = Connection(ours)
    yield wire, theirs
    wire.close()
    theirs.close()


def framed(payload: bytes) -> bytes:
    """A message as it travels."""
    return struct.pack("<I", len(payload)) + payload


@pytest.mark.parametrize("size", [0, 1, 1 << 16, 3 << 20])
def test_messages_of_any_size_arrive_whole(ends: Ends, size: int) -> None:
    """What was sent is what is received, however many reads it takes."""
    wire, theirs = ends
    sender = threading.Thread(target=Connection(theirs).send, args=(b"x" * size,))
    sender.start()
    assert wire.receive() == b"x" * size
    sender.join()


def test_messages_that_come_together_are_told_apart(ends: Ends) -> None:
    """What follows a message waits for the next call."""
    wire, theirs = ends
    theirs.sendall(framed(b"one") + framed(b"") + framed(b"three"))
    assert [wire.receive() for _ in range(3)] == [b"one", b"", b"three"]


def test_a_message_torn_by_the_end_is_a_closed_connection(ends: Ends) -> None:
    """Half a message is none."""
    wire, theirs = ends
    theirs.sendall(framed(b"whole")[:-1])
    theirs.close()
    with pytest.raises(ConnectionClosed):
        wire.receive()


def test_a_long_message_is_refused_before_it_is_read(ends: Ends) -> None:
    """The announcement is enough."""
    wire, theirs = ends
    theirs.sendall(struct.pack("<I", 1 << 31))
    with pytest.raises(Oversize):
        wire.receive()


def test_nothing_in_time_is_overdue_and_can_be_waited_for_again(ends: Ends) -> None:
    """A late message is not lost, even one that had begun."""
    wire, theirs = ends
    wire.set_timeout(0.02)
    message = framed(b"late")
    theirs.sendall(message[:6])
    with pytest.raises(Overdue):
        wire.receive()
    theirs.sendall(message[6:])
    assert wire.receive() == b"late"


def test_a_message_that_trickles_is_overdue_too(ends: Ends) -> None:
    """Patience is for the message, not for each byte of it."""
    wire, theirs = ends
    wire.set_timeout(0.1)
    theirs.sendall(struct.pack("<I", 1000))
    stop = threading.Event()

    def trickle() -> None:
        while not stop.wait(0.02):
            theirs.sendall(b"x")

    thread = threading.Thread(target=trickle)
    thread.start()
    started = time.monotonic()
    with pytest.raises(Overdue):
        wire.receive()
    stop.set()
    thread.join()
    assert time.monotonic() - started < 5


def test_descriptors_travel_with_a_message(ends: Ends) -> None:
    """They are taken in order; one that never came is an error."""
    wire, theirs = ends
    reading, writing = os.pipe()
    Connection(theirs).send_json({"a": 1}, writing)
    assert wire.receive_json(with_fds=True) == {"a": 1}
    taken = wire.take_fd()
    os.write(taken, b"hello")
    assert os.read(reading, 5) == b"hello"
    for fd in (reading, writing, taken):
        os.close(fd)
    with pytest.raises(WireError):
        wire.take_fd()


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_an_error_of_the_sender(ends: Ends, payload: bytes) -> None:
    """Whatever the bytes are, nothing but WireError comes of them."""
    wire, theirs = ends
    theirs.sendall(framed(payload))
    with pytest.raises(WireError):
        wire.receive_json()


def test_sending_to_nobody_is_a_closed_connection(ends: Ends) -> None:
    """No signal, no other error."""
    wire, theirs = ends
    theirs.close()
    with pytest.raises(ConnectionClosed):
        wire.send(b"x" * (1 << 20))


def test_a_line_carries_what_a_wire_carries(ends: Ends) -> None:
    """The bare form for guests speaks the same language."""
    wire, theirs = ends
    line = GuestConnection(theirs.fileno())
    wire.send(b"one")
    wire.send(b"")
    wire.send(b"three" * 10_000)
    assert [line.receive() for _ in range(3)] == [b"one", b"", b"three" * 10_000]
    line.send(b"back")
    assert wire.receive() == b"back"


def test_a_line_whose_other_end_went_away_is_closed(ends: Ends) -> None:
    """Also where unread bytes make the kernel say that the connection was reset."""
    wire, theirs = ends
    line = GuestConnection(theirs.fileno())
    line.send(b"never read")
    wire.close()
    with pytest.raises(HangUp):
        line.receive()
