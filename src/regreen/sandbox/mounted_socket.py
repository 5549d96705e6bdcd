"""A socket that the first process of one container may connect to, before there is any program in that container.

It lies in a folder that no other user of this machine may enter, and it alone is mounted. It accepts one connection at
most, from a process that the engine names, and is gone before anything hostile is read: what stays in the container is
the name of a socket that nobody listens at.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import struct
import sys

from regreen.sandbox.memory_file import memory_file
from regreen.sandbox.owned_folder import new_owned_folder

SOCKET_FOLDER_PREFIX = "regreen-socket-"
_NAME = "socket"
_CREDENTIALS = struct.Struct("3i")
"""struct ucred of unix(7): process, user and group."""
_WORD_BYTES = 16
_GREETING = b"\n"


class MountedSocket:
    """Listens in a folder of its own until it is closed."""

    def __init__(self) -> None:
        self.folder = new_owned_folder(SOCKET_FOLDER_PREFIX)
        self.path = str(self.folder / _NAME)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._bind()
            self.listener.listen(1)
        except BaseException:
            self.close()
            raise

    def _bind(self) -> None:
        """The path may be longer than a socket's address can be (unix(7)): so it is named by its folder's descriptor.

        Any user may connect to the file itself, since a container's user is none of this machine's.
        """
        folder = os.open(self.folder, os.O_PATH | os.O_DIRECTORY)
        try:
            self.listener.bind(f"/proc/self/fd/{folder}/{_NAME}")
        finally:
            os.close(folder)
        os.chmod(self.path, 0o666)  # noqa: PTH101

    def accept(self, stream: socket.socket, pid: int, seconds: float) -> socket.socket | None:
        """The connection to process `pid`, once it is shown that descriptors pass over it.

        None as soon as `stream` has something to read (the server takes that way then, or has ended), where somebody
        else connects, where descriptors do not pass, and after `seconds`.
        """
        watch = select.poll()
        for fd in (self.listener.fileno(), stream.fileno()):
            watch.register(fd, select.POLLIN)
        ready = [fd for fd, _ in watch.poll(seconds * 1000)]
        if self.listener.fileno() not in ready:
            return None
        control, _ = self.listener.accept()
        peer, _, _ = _CREDENTIALS.unpack(control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
        if peer == pid and _passes_descriptors(control, seconds):
            return control
        control.close()
        return None

    def close(self) -> None:
        """Listen no more, and leave no file."""
        self.listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _passes_descriptors(control: socket.socket, seconds: float) -> bool:
    """Send a file in memory with a secret word and one end of a pair of sockets, over which the word has to come back.

    Who cannot use both closes them, or never gets them: then the pair is hung up on.
    """
    word = os.urandom(_WORD_BYTES)
    near, far = socket.socketpair()
    with near:
        near.settimeout(seconds)
        try:
            with far, memory_file(word) as file:
                rights = b"".join(fd.to_bytes(4, sys.byteorder) for fd in (file, far.fileno()))
                control.sendmsg([_GREETING], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            return near.recv(_WORD_BYTES + 1) == word
        except OSError:
            return False
