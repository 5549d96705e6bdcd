"""Attacks that leave something behind, for the next program to find or to stumble over."""

from __future__ import annotations

from dataclasses import replace

from regreen.sandbox.attacks.attack import ATTACK_LIMITS, Attack, attack
from regreen.types import Outcome

_NOTHING_STAYS = "The next program finds everything as the first one did."
_PROCESSES = replace(ATTACK_LIMITS, processes=True)

_LOOK_AT_FOLDER = """
import os

def answer(x):
    about = os.stat(".")
    if about.st_mode & 0o777 != 0o700 or about.st_mtime_ns or os.listdir("."):
        return f"BREACH: {oct(about.st_mode)} {about.st_mtime_ns} {os.listdir('.')}"
    for size in range(3):
        with open(f"file{size}", "wb") as file:
            file.write(bytes(1 << 20))
    return "wrong"
"""
_TAKE_LOCKS = """
import errno, fcntl, os, time

def take(place):
    # Another sandbox may hold the same lock for a moment: these files are everybody's.
    for _ in range(20):
        try:
            return fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.02)
        except OSError as error:
            # gVisor's devices have no locks at all.
            if error.errno == errno.ENOLCK:
                return
            raise
    raise BlockingIOError

def answer(x):
    for place in (0, 1, 2, os.open(os.__file__, os.O_RDONLY), os.open("/dev/null", os.O_RDONLY)):
        try:
            take(place)
        except BlockingIOError:
            return f"BREACH: the lock on {place} is taken"
        try:
            fcntl.flock(place, fcntl.LOCK_UN)
        except OSError:
            pass
    return "wrong"
"""
_LOOK_AT_OUTPUT = """
import fcntl, os

def answer(x):
    for place in (0, 1, 2):
        flags = fcntl.fcntl(place, fcntl.F_GETFL)
        if flags & (os.O_APPEND | os.O_NONBLOCK):
            return f"BREACH: flags {flags:o} on {place}"
    about = os.fstat(1)
    if about.st_blocks or about.st_size or os.lseek(1, 0, os.SEEK_CUR) or about.st_mode & 0o777 != 0o777:
        return f"BREACH: {about}"
    return "wrong"
"""

LEFTOVERS: tuple[Attack, ...] = (
    attack(
        "the scratch folder closed to its owner",
        _NOTHING_STAYS,
        """
        import os

        def answer(x):
            os.makedirs("deep/deeper")
            os.mkdir("closed", 0)
            for path in ("deep", "."):
                try:
                    os.chmod(path, 0)
                except PermissionError:
                    pass
            return "wrong"
        """,
        Outcome.FAILED,
        afterwards=_LOOK_AT_FOLDER,
    ),
    attack(
        "times of the scratch folder that tell something",
        _NOTHING_STAYS,
        """
        import os

        def answer(x):
            open("told", "w").close()
            os.unlink("told")
            try:
                os.utime(".", (12345, 67890))
            except PermissionError:
                pass
            return "wrong"
        """,
        Outcome.FAILED,
        afterwards=_LOOK_AT_FOLDER,
    ),
    attack(
        "folders in the way of whoever tidies up",
        "The names that tidying up uses cannot be guessed.",
        """
        import os

        def answer(x):
            for first in ("a", "z"):
                os.makedirs(f"{first}/b/c")
            for number in range(9):
                for pid in (1, os.getppid(), os.getpid()):
                    os.makedirs(f".regreen-{number}-{pid}/full", exist_ok=True)
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.RAISED,
        afterwards=_LOOK_AT_FOLDER,
    ),
    attack(
        "locks on what was inherited",
        "A lock ends with the program that took it.",
        """
        import fcntl

        def answer(x):
            for place in (0, 1, 2):
                fcntl.flock(place, fcntl.LOCK_EX)
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.RAISED,
        afterwards=_TAKE_LOCKS,
    ),
    attack(
        "locks of open files on what was inherited",
        "A lock ends with the program that took it.",
        """
        import fcntl, os, struct

        def answer(x):
            for command in (37, 38):
                for place in (0, 1):
                    try:
                        fcntl.fcntl(place, command, struct.pack("hhlli", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
                        return "BREACH: a lock that outlives its program"
                    except OSError:
                        pass
            return "wrong"
        """,
        Outcome.FAILED,
    ),
    attack(
        "locked files sent away in messages",
        "What is sent along with a message does not outlive the program.",
        """
        import fcntl, os, socket

        def answer(x):
            held = [os.open(path, os.O_RDONLY) for path in (os.__file__, "/dev/null")]
            big = os.open("big", os.O_RDWR | os.O_CREAT)
            os.write(big, bytes(1 << 20))
            os.unlink("big")
            for place in held:
                fcntl.flock(place, fcntl.LOCK_EX)
            for place in range(3, 64):
                try:
                    channel = socket.socket(fileno=os.dup(place))
                    socket.send_fds(channel, [b"\\x01"], [*held, big])
                except (OSError, ValueError):
                    pass
            return "wrong"
        """,
        afterwards=_TAKE_LOCKS,
    ),
    attack(
        "locked files sent away where processes are allowed",
        "What is sent along with a message does not outlive the program.",
        """
        import fcntl, os, socket

        def answer(x):
            held = [os.open(path, os.O_RDONLY) for path in (os.__file__, "/dev/null")]
            for place in held:
                fcntl.flock(place, fcntl.LOCK_EX)
            for place in range(3, 64):
                try:
                    socket.send_fds(socket.socket(fileno=os.dup(place)), [b"\\x01"], held)
                except (OSError, ValueError):
                    pass
            return "wrong"
        """,
        limits=_PROCESSES,
        afterwards=_TAKE_LOCKS,
    ),
    attack(
        "flags, modes and hidden space on the raw output",
        _NOTHING_STAYS,
        """
        import ctypes, fcntl, os

        libc = ctypes.CDLL(None)

        def answer(x):
            for place in (0, 1, 2):
                fcntl.fcntl(place, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)
            libc.fallocate(1, 1, ctypes.c_long(0), ctypes.c_long(1 << 20))
            try:
                os.fchmod(1, 0)
            except PermissionError:
                pass
            os.lseek(1, 1 << 19, os.SEEK_SET)
            return "wrong"
        """,
        Outcome.FAILED,
        afterwards=_LOOK_AT_OUTPUT,
    ),
    attack(
        "thousands of files in thousands of folders",
        "However much there is to remove, it is removed.",
        """
        import os

        def answer(x):
            try:
                for number in range(1000):
                    os.mkdir(f"d{number}")
                    os.symlink("nowhere", f"d{number}/link")
            except OSError:
                pass
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.TIMED_OUT,
        limits=replace(ATTACK_LIMITS, seconds=2.0),
        afterwards=_LOOK_AT_FOLDER,
    ),
)
