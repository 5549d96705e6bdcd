"""Attacks that end too early, in every way that a process can end."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import Attack, attack
from regreen.types import Outcome

_PROVES_NOTHING = "Ending the process proves nothing: the check did not pass."

LEAVING: tuple[Attack, ...] = (
    attack(
        "os._exit(0)",
        _PROVES_NOTHING,
        """
        import os

        def answer(x):
            os._exit(0)
        """,
        Outcome.CRASHED,
    ),
    attack(
        "os._exit(0) on import",
        _PROVES_NOTHING,
        """
        import os
        os._exit(0)
        """,
        Outcome.CRASHED,
    ),
    attack(
        "sys.exit(0)",
        _PROVES_NOTHING,
        """
        import sys

        def answer(x):
            sys.exit(0)
        """,
        Outcome.CRASHED,
        Outcome.RAISED,
    ),
    attack(
        "sys.exit(0) on import",
        _PROVES_NOTHING,
        """
        import sys
        sys.exit(0)
        """,
        Outcome.CRASHED,
        Outcome.RAISED,
    ),
    attack(
        "an exit handler that smiles",
        _PROVES_NOTHING,
        """
        import atexit, os

        def smile():
            os.write(1, b"1 passed\\n")
            os._exit(0)

        atexit.register(smile)

        def answer(x):
            raise SystemExit(0)
        """,
        Outcome.CRASHED,
        Outcome.RAISED,
    ),
    attack(
        "KeyboardInterrupt",
        "It ends the check, not the judge.",
        """
        def answer(x):
            raise KeyboardInterrupt
        """,
        Outcome.RAISED,
        Outcome.CRASHED,
    ),
    attack(
        "an exception whose text is no text",
        "It counts as raised.",
        """
        class Odd(Exception):
            def __str__(self):
                return 42

            __repr__ = __str__

        def answer(x):
            raise Odd
        """,
        Outcome.RAISED,
    ),
    attack(
        "an exception that raises when it is told",
        "It counts as raised.",
        """
        class Odd(Exception):
            def __str__(self):
                raise SystemExit(0)

            __repr__ = __str__

        def answer(x):
            raise Odd
        """,
        Outcome.RAISED,
        Outcome.CRASHED,
    ),
    attack(
        "an exception as large as memory",
        "What is told of it is cut; on a busy machine its time ends first.",
        """
        def answer(x):
            raise ValueError("x" * 100_000_000)
        """,
        Outcome.RAISED,
        Outcome.OUT_OF_MEMORY,
        Outcome.FAILED,
        Outcome.TIMED_OUT,
    ),
    attack(
        "a recursion that overflows the C stack",
        _PROVES_NOTHING,
        """
        import sys

        def answer(x):
            sys.setrecursionlimit(10 ** 8)
            nest = []
            for _ in range(10 ** 6):
                nest = [nest]
            return len(repr(nest))
        """,
        Outcome.CRASHED,
        Outcome.RAISED,
        Outcome.OUT_OF_MEMORY,
        Outcome.TIMED_OUT,
    ),
    attack(
        "a recursion without end",
        _PROVES_NOTHING,
        """
        import sys
        sys.setrecursionlimit(10 ** 9)

        def answer(x):
            return answer(x) + 1
        """,
        Outcome.CRASHED,
        Outcome.RAISED,
        Outcome.OUT_OF_MEMORY,
        Outcome.TIMED_OUT,
    ),
    attack(
        "reading address zero",
        _PROVES_NOTHING,
        """
        import ctypes

        def answer(x):
            return ctypes.string_at(0)
        """,
        Outcome.CRASHED,
    ),
    attack(
        "faulthandler's own crash",
        _PROVES_NOTHING,
        """
        import faulthandler

        def answer(x):
            faulthandler.enable()
            faulthandler._sigsegv()
        """,
        Outcome.CRASHED,
        Outcome.RAISED,
    ),
    attack(
        "SIGKILL to itself",
        _PROVES_NOTHING,
        """
        import os, signal

        def answer(x):
            os.kill(os.getpid(), signal.SIGKILL)
        """,
        Outcome.CRASHED,
    ),
    attack(
        "abort",
        _PROVES_NOTHING,
        """
        import os

        def answer(x):
            os.abort()
        """,
        Outcome.CRASHED,
    ),
)
