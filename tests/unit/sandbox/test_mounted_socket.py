"""The socket that a container's server connects to: for that process alone, once, and gone afterwards."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from waiting import wait_for

from regreen.sandbox.guest.link.inside import connect_to_host
from regreen.sandbox.mounted_socket import SOCKET_FOLDER_PREFIX, MountedSocket
from regreen.sandbox.owned_folder import remove_orphaned_folders
from regreen.sandbox.process_owner import Owner, this_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sockets are mounted on Linux alone")
SECONDS = 20.0


@pytest.fixture
def mounted() -> Iterator[MountedSocket]:
    mounted = MountedSocket()
    yield mounted
    mounted.close()


@pytest.fixture
def stream() -> Iterator[socket.socket]:
    """The streams of a container that says nothing."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours


def connecting(path: str, connect: Callable[[str], object]) -> list[object]:
    """What a server gets that connects meanwhile, in the end."""
    got: list[object] = []
    threading.Thread(target=lambda: got.append(connect(path)), daemon=True).start()
    return got


def test_the_server_connects_and_descriptors_pass(mounted: MountedSocket, stream: socket.socket) -> None:
    """Both sides know it then, and nothing of it stays on disk."""
    got = connecting(mounted.path, connect_to_host)
    control = mounted.accept(stream, os.getpid(), SECONDS)
    mounted.close()
    assert control is not None
    wait_for(lambda: got, what="the connection")
    with control:
        inner, reason = got[0]  # type: ignore[misc]
        assert reason == ""
        control.send(b"order")
        assert inner.recv(10) == b"order"
        inner.close()
    assert not mounted.folder.exists()


def test_nobody_else_gets_in(mounted: MountedSocket, stream: socket.socket) -> None:
    """Whoever connects is asked of the kernel; a stranger is hung up on, and reads nothing."""
    got = connecting(mounted.path, connect_to_host)
    assert mounted.accept(stream, os.getpid() + 1, SECONDS) is None
    mounted.close()
    assert connect_to_host(mounted.path)[0] is None
    wait_for(lambda: got, what="the stranger's end")
    assert got == [(None, "the host has hung up")]


def test_only_its_owner_may_enter_the_folder(mounted: MountedSocket) -> None:
    """And the socket is for any user, since containers have users of their own."""
    assert mounted.folder.stat().st_mode & 0o777 == 0o700
    assert Path(mounted.path).stat().st_mode & 0o777 == 0o666


def test_a_server_that_speaks_by_its_streams_is_not_waited_for(mounted: MountedSocket) -> None:
    """It could not connect: what it says comes on the streams."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(b"ready")
        assert mounted.accept(ours, os.getpid(), SECONDS) is None
        assert ours.recv(10) == b"ready"


def test_without_descriptors_the_streams_are_taken(mounted: MountedSocket, stream: socket.socket) -> None:
    """A kernel in between may carry bytes alone: nobody waits for the word then."""

    def without(path: str) -> object:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as plain:
            plain.connect(path)
            return plain.recv(10)

    connecting(mounted.path, without)
    assert mounted.accept(stream, os.getpid(), SECONDS) is None


def test_what_no_server_sends_back_is_no_answer(mounted: MountedSocket, stream: socket.socket) -> None:
    """The word is secret, and known by the file that came along alone."""

    def guessing(path: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as plain:
            plain.connect(path)
            _, fds, _, _ = socket.recv_fds(plain, 10, 2)
            os.write(fds[1], bytes(16))
            for fd in fds:
                os.close(fd)

    connecting(mounted.path, guessing)
    assert mounted.accept(stream, os.getpid(), SECONDS) is None


def test_a_folder_with_a_long_name_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than the address of a socket can be."""
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    mounted = MountedSocket()
    assert Path(mounted.path).is_socket()
    mounted.close()
    assert list(deep.iterdir()) == []


def test_what_a_killed_process_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the next one, and nothing of a process that lives."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, living = MountedSocket(), MountedSocket()
    mine = this_process()
    (left.folder / "owner").write_text(str(Owner(mine.place, mine.pid, "0")))
    remove_orphaned_folders(SOCKET_FOLDER_PREFIX)
    assert list(tmp_path.iterdir()) == [living.folder]
    left.close()
    living.close()


def test_no_socket_is_no_connection(tmp_path: Path) -> None:
    """Where none was mounted, and where it cannot be reached, which is said."""
    assert connect_to_host(None) == (None, "")
    assert "No such file" in connect_to_host(str(tmp_path / "none"))[1]
