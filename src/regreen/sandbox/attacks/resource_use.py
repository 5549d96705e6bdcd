"""Attacks that spend without end: memory, output, files, processes."""

from __future__ import annotations

from dataclasses import replace

from regreen.sandbox.attacks.attack import ATTACK_LIMITS, HANGING_LIMITS, Attack, LeakDetector, attack
from regreen.types import Outcome

_SPENDS = "What one candidate may use is limited, and the machine does not notice."
_MANY_FILES = replace(ATTACK_LIMITS, seconds=2.0)

SPENDING: tuple[Attack, ...] = (
    attack(
        "ten gigabytes at once",
        _SPENDS,
        """
        def answer(x):
            return len(bytearray(10 << 30))
        """,
        Outcome.OUT_OF_MEMORY,
        Outcome.RAISED,
    ),
    attack(
        "ten gigabytes in small pieces",
        _SPENDS,
        """
        hoard = []

        def answer(x):
            while True:
                hoard.append(bytearray(1 << 20))
        """,
        Outcome.OUT_OF_MEMORY,
        Outcome.RAISED,
        Outcome.TIMED_OUT,
        Outcome.CRASHED,
    ),
    attack(
        "ten gigabytes, and the error swallowed",
        _SPENDS,
        """
        hoard = []

        def answer(x):
            while True:
                try:
                    hoard.append(bytearray(1 << 20))
                except MemoryError:
                    pass
        """,
        Outcome.OUT_OF_MEMORY,
        Outcome.TIMED_OUT,
        Outcome.CRASHED,
        Outcome.RAISED,
        limits=HANGING_LIMITS,
    ),
    attack(
        "a gigabyte printed",
        "Output is capped, and the flood is named or the answer judged.",
        """
        def answer(x):
            for _ in range(1 << 10):
                print("x" * (1 << 20))
            return "wrong"
        """,
        Outcome.OUTPUT_FLOOD,
        Outcome.FAILED,
        Outcome.TIMED_OUT,
    ),
    attack(
        "a gigabyte written to descriptor 1",
        "Output is capped, and the flood is named.",
        """
        import os

        def answer(x):
            for _ in range(1 << 10):
                os.write(1, b"x" * (1 << 20))
            return "wrong"
        """,
        Outcome.OUTPUT_FLOOD,
    ),
    attack(
        "a gigabyte written to descriptor 2, the signal ignored",
        "Output is capped, whatever the program ignores.",
        """
        import os, signal

        def answer(x):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            for _ in range(1 << 10):
                os.write(2, b"x" * (1 << 20))
            return "BREACH: a gigabyte was taken"
        """,
        Outcome.OUTPUT_FLOOD,
        Outcome.RAISED,
    ),
    attack(
        "a sparse file of a terabyte",
        _SPENDS,
        """
        import os

        def answer(x):
            with open("sparse", "wb") as file:
                os.ftruncate(file.fileno(), 1 << 40)
            return "BREACH: a terabyte was given"
        """,
        Outcome.OUTPUT_FLOOD,
        Outcome.RAISED,
        Outcome.CRASHED,
    ),
    attack(
        "the scratch folder filled",
        "It is emptied before the next program.",
        """
        def answer(x):
            try:
                for number in range(150):
                    with open(f"file{number}", "wb") as file:
                        file.write(bytes(1 << 20))
            except OSError:
                pass
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.TIMED_OUT,
        limits=_MANY_FILES,
    ),
    attack(
        "folders deeper than a path can name",
        "The scratch folder is emptied all the same.",
        """
        import os

        def answer(x):
            for _ in range(300):
                os.mkdir("deeper-and-deeper")
                os.chdir("deeper-and-deeper")
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.RAISED,
        limits=_MANY_FILES,
    ),
    attack(
        "every descriptor taken",
        _SPENDS,
        """
        import os

        def answer(x):
            try:
                while True:
                    os.open("/dev/null", os.O_RDONLY)
            except OSError:
                return "wrong"
        """,
        Outcome.FAILED,
        Outcome.RAISED,
        Outcome.CRASHED,
    ),
    attack(
        "fork bomb",
        "Forking is refused where the task does not need it.",
        """
        import os

        def answer(x):
            while True:
                os.fork()
        """,
        Outcome.RAISED,
        detector=LeakDetector.PROCESSES,
    ),
    attack(
        "fork bomb where forking is allowed",
        "The number of processes is limited, and all are ended with the verdict.",
        """
        import os

        def answer(x):
            while True:
                try:
                    os.fork()
                except OSError:
                    pass
        """,
        Outcome.TIMED_OUT,
        Outcome.CRASHED,
        detector=LeakDetector.PROCESSES,
        limits=replace(HANGING_LIMITS, processes=True),
    ),
    attack(
        "fork by bare system calls",
        "Every way to fork is refused.",
        """
        import ctypes, os, platform

        CALLS = {"x86_64": (57, 58, 56, 435), "aarch64": (220, 435)}

        def answer(x):
            libc = ctypes.CDLL(None)
            parent = os.getpid()
            for number in CALLS.get(platform.machine(), ()):
                if number == 58:
                    continue
                done = libc.syscall(number, 17, 0, 0, 0, 0)
                if os.getpid() != parent:
                    os._exit(0)
                if done > 0:
                    return "BREACH: forked"
            return "wrong"
        """,
        Outcome.FAILED,
        detector=LeakDetector.PROCESSES,
    ),
    attack(
        "thread bomb",
        "The number of threads is limited.",
        """
        import threading

        def answer(x):
            gate = threading.Event()
            threading.stack_size(1 << 16)
            try:
                for started in range(20_000):
                    threading.Thread(target=gate.wait, daemon=True).start()
            except (RuntimeError, MemoryError):
                return "wrong"
            return "BREACH: thousands of threads"
        """,
        Outcome.FAILED,
        Outcome.RAISED,
        Outcome.UNJUDGEABLE,
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
        Outcome.CRASHED,
    ),
    attack(
        "limits raised",
        "A limit that was set stays.",
        """
        import resource

        def answer(x):
            for which in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU, resource.RLIMIT_NPROC):
                try:
                    resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                    return "BREACH: a limit was raised"
                except (OSError, ValueError):
                    pass
            return "wrong"
        """,
        Outcome.FAILED,
    ),
)
