"""The link to a container: bytes arrive whole and in order, no lane holds up another, and absurd frames end it."""

from __future__ import annotations

import os
import select
import socket
import struct
from collections.abc import Iterator

import pytest

from regreen.sandbox.guest.link import frames
from regreen.sandbox.guest.link.lane import Lane, Lanes, SharedPage
from regreen.sandbox.guest.link.relay import BrokenLink, Relay
from regreen.sandbox.guest.wire.connection import Connection

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    near, far = socket.socketpair()
    yield near, far
    near.close()
    far.close()


@pytest.fixture
def relay(pair: Pair) -> Iterator[tuple[Relay, socket.socket]]:
    """A relay, and the engine's end of its stream."""
    near, far = socket.socketpair()
    relay = Relay(Connection(pair[0]), near)
    yield relay, far
    for number in list(relay.lanes.open):
        relay.lanes.drop(number)
    near.close()
    far.close()


def as_engine(content: bytes, which: int = 1) -> bytes:
    """Content as an engine's API frames it."""
    return struct.pack(">BxxxI", which, len(content)) + content


def test_a_lane_keeps_what_its_socket_does_not_take(pair: Pair) -> None:
    """Up to the window, and hands it over whole and in order as it is read."""
    near, far = pair
    lane = Lane(near)
    content = os.urandom(frames.WINDOW)
    for at in range(0, len(content), frames.CHUNK):
        lane.take(memoryview(content)[at : at + frames.CHUNK])
        lane.flush()
    assert lane.events & select.POLLOUT
    read = b""
    while len(read) < len(content):
        read += far.recv(1 << 16)
        lane.flush()
    assert read == content
    assert not lane.events & select.POLLOUT
    lane.close()


def test_more_than_the_window_is_refused(pair: Pair) -> None:
    """Whoever sends it does not keep to the form."""
    lane = Lane(pair[0])
    for _ in range(2):
        lane.take(memoryview(bytes(frames.WINDOW)))
    with pytest.raises(ValueError, match="window"):
        lane.take(memoryview(b"x"))
    lane.close()


def test_a_descriptor_goes_along_with_its_byte(pair: Pair) -> None:
    """Neither earlier nor later, whatever waits before it."""
    near, far = pair
    reader, writer = os.pipe()
    lane = Lane(near)
    lane.take(memoryview(b"first"))
    lane.attach(reader)
    lane.take(memoryview(b"second"))
    lane.flush()
    assert far.recv(5) == b"first"
    content, rights, _, _ = far.recvmsg(6, socket.CMSG_SPACE(4))
    os.write(writer, b"x")
    taken = int.from_bytes(rights[0][2], "little")
    assert (content, os.read(taken, 1)) == (b"second", b"x")
    os.close(taken)
    os.close(writer)
    lane.close()


def test_who_reads_nothing_is_waited_for_by_nobody(pair: Pair) -> None:
    """A lane without window left asks for no events, even where its socket was hung up on."""
    sent: list[tuple[int, int, bytes]] = []
    lanes = Lanes(select.poll(), lambda *told: sent.append(told))
    lanes.add(7, pair[0])
    lane = lanes.open[7]
    lanes.count(lane, frames.WINDOW)
    pair[1].close()
    assert lanes.poll.poll(0) == []
    lanes.obey(frames.DELIVERED, 7, (5).to_bytes(4, "little"))
    assert lanes.ready(*lanes.poll.poll(0)[0]) == (7, lane)
    lanes.end(7)
    assert sent == [(frames.HUNG_UP, 7, b"")]


def test_an_end_waits_for_what_came_before_it(pair: Pair) -> None:
    """The other end hangs up, and its last bytes still arrive."""
    lanes = Lanes(select.poll(), lambda *told: None)
    near, far = pair
    lanes.add(0, near)
    for _ in range(frames.WINDOW // frames.CHUNK):
        lanes.obey(frames.LANE_BYTES, 0, bytes(frames.CHUNK))
    lanes.obey(frames.HUNG_UP, 0, b"")
    count = 0
    while content := far.recv(1 << 16):
        count += len(content)
        for fd, events in lanes.poll.poll(0):
            lanes.ready(fd, events)
    assert (count, lanes.open) == (frames.WINDOW, {})


def test_a_page_is_kept_alike() -> None:
    """Changes cross, and are not sent back."""
    fds = [os.memfd_create("page") for _ in range(2)]
    for fd in fds:
        os.ftruncate(fd, frames.PAGE_LENGTH)
    here, there = map(SharedPage, fds)
    here.memory[3:5] = b"ab"
    there.change(here.changes())
    assert there.memory[:6] == b"\0\0\0ab\0"
    assert (here.changes(), there.changes()) == (b"", b"")
    with pytest.raises(ValueError, match="outside"):
        there.change((60).to_bytes(2, "little") + bytes(10))
    for page, fd in zip((here, there), fds, strict=True):
        page.close()
        os.close(fd)


@pytest.mark.parametrize(
    "content",
    [
        as_engine(frames.FRAME_HEADER.pack(frames.CONTROL, 0, frames.FRAME_BYTES + 1)),
        as_engine(frames.frame(99, 0)),
        as_engine(frames.frame(frames.FILE, 0, b"x")),
        struct.pack(">BxxxI", 1, 1 << 31),
    ],
    ids=["too long", "unknown", "only the host sends files", "no engine's"],
)
def test_a_container_that_sends_what_no_server_does_is_given_up(
    relay: tuple[Relay, socket.socket], content: bytes
) -> None:
    """It is believed in nothing: its frames are read with bounds, and others end the link."""
    relay[1].sendall(content)
    with pytest.raises(BrokenLink):
        relay[0].read_stream()


def test_frames_arrive_however_the_engine_cuts_them(relay: tuple[Relay, socket.socket], pair: Pair) -> None:
    """An answer in single bytes, each in a frame of the engine's; and what comes for lanes that are gone is dropped."""
    answer = frames.frame(frames.LANE_BYTES, 9, b"late") + frames.frame(frames.CONTROL, 0, b"{}")
    for at in range(len(answer)):
        relay[1].sendall(as_engine(answer[at : at + 1]))
    while not select.select([pair[1]], [], [], 0)[0]:
        relay[0].read_stream()
    assert Connection(pair[1]).receive() == b"{}"
