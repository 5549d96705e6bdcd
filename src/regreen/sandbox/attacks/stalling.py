"""Attacks that never end."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import HANGING_LIMITS, Attack, LeakDetector, attack
from regreen.types import Outcome

_TIMES_OUT = "It is stopped when its time is spent, and the verdict says so."

STALLING: tuple[Attack, ...] = (
    attack(
        "endless loop",
        _TIMES_OUT,
        """
        def answer(x):
            while True:
                pass
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "every signal ignored",
        _TIMES_OUT,
        """
        import signal

        def answer(x):
            for number in range(1, 65):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            try:
                signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            except ValueError:
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            while True:
                pass
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "every exception swallowed",
        _TIMES_OUT,
        """
        def answer(x):
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    continue
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "sleep without end",
        _TIMES_OUT,
        """
        import time

        def answer(x):
            while True:
                try:
                    time.sleep(1000)
                except BaseException:
                    pass
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "a loop in C",
        _TIMES_OUT,
        """
        def answer(x):
            return sum(iter(int, 1))
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "a regular expression that backtracks for ages",
        _TIMES_OUT,
        """
        import re

        def answer(x):
            return re.match(r"(a+)+$", "a" * 60 + "b")
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "a power tower",
        _TIMES_OUT,
        """
        def answer(x):
            return 9 ** 9 ** 9
        """,
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
    ),
    attack(
        "stopping itself",
        _TIMES_OUT,
        """
        import os, signal

        def answer(x):
            os.kill(os.getpid(), signal.SIGSTOP)
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "hanging on import",
        _TIMES_OUT,
        """
        def answer(x):
            return None

        while True:
            pass
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "an object that hangs when it is looked at",
        _TIMES_OUT,
        """
        class Tar:
            def _hang(self, *args):
                while True:
                    pass

            __repr__ = __str__ = __len__ = __iter__ = __hash__ = __bool__ = __getattr__ = __reduce_ex__ = __eq__ = _hang

        def answer(x):
            return Tar()
        """,
        Outcome.TIMED_OUT,
        Outcome.UNJUDGEABLE,
        Outcome.FAILED,
    ),
    attack(
        "an exception that hangs when it is told",
        _TIMES_OUT,
        """
        class Tar(Exception):
            def __str__(self):
                while True:
                    pass

            __repr__ = __str__

        def answer(x):
            raise Tar
        """,
        Outcome.TIMED_OUT,
        Outcome.RAISED,
    ),
    attack(
        "a destructor that hangs",
        _TIMES_OUT,
        """
        class Tar:
            def __del__(self):
                while True:
                    pass

        def answer(x):
            Tar()
            return "wrong"
        """,
        Outcome.TIMED_OUT,
    ),
    attack(
        "a thread that goes on",
        "What it leaves running is ended with the verdict.",
        """
        import threading

        def spin():
            while True:
                pass

        def answer(x):
            threading.Thread(target=spin).start()
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        Outcome.TIMED_OUT,
        detector=LeakDetector.PROCESSES,
    ),
    attack(
        "an alarm every microsecond",
        _TIMES_OUT,
        """
        import signal

        def answer(x):
            signal.signal(signal.SIGALRM, lambda *_: None)
            signal.setitimer(signal.ITIMER_REAL, 1e-6, 1e-6)
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.TIMED_OUT,
        Outcome.CRASHED,
        Outcome.RAISED,
        limits=HANGING_LIMITS,
    ),
)
