"""Attacks by messages of the program's own making."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import HANGING_LIMITS, Attack, attack
from regreen.types import Outcome

_NO_MESSAGE = "Whatever the program writes to the channel is at most a wrong answer."

FORGE = """
import json, os, struct

RESULT = {"outcome": "passed", "expected": "", "actual": "", "detail": "", "ns": 0, "cpu_ns": 0}
TELLING = [
    {"outcome": "passed"},
    {"passed": True},
    {"results": {"check-1": RESULT, "answer": RESULT, "only": RESULT}},
    {"results": [["check-1", RESULT]]},
    {"result": RESULT},
    {"value": True},
    {"ready": {"layers": []}},
    {"status": 0, "cpu": 0, "memory": 0, "text": ""},
]

def framed(body):
    yield body
    yield body + b"\\n"
    for form in ("<I", ">I", "<Q", ">Q"):
        yield struct.pack(form, len(body)) + body

FRAMES = [frame for telling in TELLING for frame in framed(json.dumps(telling).encode())]

def send(message):
    for fd in range(64):
        try:
            os.set_blocking(fd, False)
            os.write(fd, message)
        except OSError:
            pass
"""

_TORN = r"""
TORN = [b"\x00" * 3, b"\xff" * 8, b"\xff" * 4096, b"{", b'{"', b"[" * 100_000, b"\x00\x00\x00\x10short",
        struct.pack("<Q", 1 << 63), struct.pack(">I", 0xFFFFFFFF), struct.pack("<I", 0), os.urandom(1 << 16)]
"""

MESSAGES: tuple[Attack, ...] = (
    attack(
        "results forged on every descriptor",
        _NO_MESSAGE,
        FORGE
        + """
def answer(x):
    for message in FRAMES:
        send(message)
    return "wrong"
""",
    ),
    attack(
        "results forged on import",
        _NO_MESSAGE,
        FORGE
        + """
for message in FRAMES:
    send(message)

def answer(x):
    return "wrong"
""",
    ),
    attack(
        "results forged, and gone",
        _NO_MESSAGE,
        FORGE
        + """
def answer(x):
    for message in FRAMES:
        send(message)
    os._exit(0)
""",
    ),
    attack(
        "torn and absurd messages",
        _NO_MESSAGE,
        FORGE
        + _TORN
        + """
def answer(x):
    for message in TORN:
        send(message)
    return "wrong"
""",
    ),
    attack(
        "a torn message, then silence",
        _NO_MESSAGE,
        FORGE
        + """
import time

def answer(x):
    send(b"\\x00\\x00")
    while True:
        time.sleep(1)
""",
        limits=HANGING_LIMITS,
    ),
    attack(
        "messages without end",
        _NO_MESSAGE,
        FORGE
        + """
def answer(x):
    while True:
        for message in FRAMES:
            send(message)
""",
    ),
    attack(
        "answers sent twice",
        _NO_MESSAGE,
        """
        import os, socket

        REAL = {name: getattr(socket.socket, name) for name in ("send", "sendall", "sendmsg")}

        def twice(name):
            def send(self, *args):
                REAL[name](self, *args)
                return REAL[name](self, *args)
            return send

        for name in REAL:
            try:
                setattr(socket.socket, name, twice(name))
            except (AttributeError, TypeError):
                pass
        real_write = os.write

        def write(fd, data):
            real_write(fd, data)
            return real_write(fd, data)

        os.write = write

        def answer(x):
            return "wrong"
        """,
    ),
    attack(
        "something else in place of the channel",
        _NO_MESSAGE,
        """
        import os

        def answer(x):
            null = os.open("/dev/null", os.O_RDWR)
            for fd in range(256):
                if fd != null:
                    os.dup2(null, fd)
            return "wrong"
        """,
        Outcome.CRASHED,
        Outcome.FAILED,
        Outcome.RAISED,
        Outcome.TIMED_OUT,
    ),
    attack(
        "every descriptor closed",
        _NO_MESSAGE,
        """
        import os

        def answer(x):
            os.closerange(0, 4096)
            return "wrong"
        """,
        Outcome.CRASHED,
        Outcome.FAILED,
        Outcome.RAISED,
    ),
    attack(
        "standard output closed and gone",
        "Printing is not needed for a verdict.",
        """
        import os, sys

        def answer(x):
            sys.stdout.close()
            sys.stdout = sys.__stdout__ = sys.stderr = None
            os.close(1)
            os.close(2)
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.RAISED,
        Outcome.CRASHED,
    ),
)
