"""What an attack is, as a row of the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from textwrap import dedent

from regreen.types import Isolation, Limits, Outcome

BREACH = "BREACH"
"""What an attack returns when something succeeded that must be refused; no verdict may contain it."""

EXPECTED_PREFIX = "EXPECTED-"
"""How the expected value begins: some attacks search for texts with this prefix."""
ATTACK_CHECKS = f"assert answer(20) == '{EXPECTED_PREFIX}4b1f-c7e2'\n"
"""The check of most attacks, with a value that cannot be guessed."""
HONEST = "def answer(x):\n    return 2 * x\n"
"""The program with which the checks are read: a candidate has no influence on that."""
SHARED_HONEST = """
class Box:
    def __init__(self, value):
        self.value = value

    def answer(self):
        return str(self.value)

    def number(self):
        return float(self.value)

    def check(self):
        if self.value < 0:
            raise ValueError
"""
SHARED_CHECKS = f"box = Box(20)\nassert box.answer() == '{EXPECTED_PREFIX}4b1f-c7e2'\n"
"""The same with a live object, which only shared mode can judge."""

NOT_PASSED = frozenset(Outcome) - {Outcome.PASSED}
ATTACK_LIMITS = Limits(seconds=0.5, total_seconds=5.0, memory_bytes=512 << 20, output_bytes=1 << 20)
HANGING_LIMITS = replace(ATTACK_LIMITS, seconds=0.15)
"""For attacks that are expected to run out of time: less of it."""


class LeakDetector(StrEnum):
    """How the host notices that an attack got out; words in a source that begin with HOST_ stand for what is set up.

    HOST_PID is the host's pid, HOST_DISK the number of the device that its temporary files lie on, and
    HOST_SYSTEM_FILES a dict of files by which a system is known, each with the digest of what the host's has. Whatever
    the detector: the verdict must not say `BREACH`, and a good program must still pass afterwards.
    """

    NONE = "none"
    LISTENER = "listener"
    """TCP at 127.0.0.1:HOST_PORT, UNIX stream at HOST_SOCKET, UNIX datagram at HOST_DATAGRAM, and both kinds at the
    abstract names HOST_ABSTRACT and HOST_ABSTRACT_DATAGRAM: nothing may arrive."""
    FOLDER = "folder"
    """HOST_FOLDER holds one file, `kept`, open to everybody: afterwards it must be as before, and the only one."""
    SECRET = "secret"
    """HOST_SECRET is how a secret begins that is in the host's environment, in the file HOST_FOLDER/kept and on the
    host's heap: the whole of it must not be in the verdict."""
    PROCESSES = "processes"
    """The sandbox must have as many processes afterwards as after a good program."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A program whose `answer` gives a wrong answer or none, and tries something on the way."""

    name: str
    promise: str
    """What must hold, as a sentence."""
    source: str
    acceptable: frozenset[Outcome] = NOT_PASSED
    """The outcomes that its check may have; never includes passed."""
    detector: LeakDetector = LeakDetector.NONE
    checks: str = ATTACK_CHECKS
    isolation: Isolation = Isolation.SEPARATE
    limits: Limits = field(default=ATTACK_LIMITS)
    afterwards: str = ""
    """A second program, judged next, whose `answer` says `BREACH` where the first has left anything."""
    needs_landlock: bool = False
    """Whether it looks at what a container shows of itself (its image, its kernel's /proc and /dev), which is none of
    the host's, and which nothing but Landlock hides there."""

    @property
    def needs_pytest(self) -> bool:
        """Whether its checks are pytest's: where the programs' Python has none, it cannot be tried."""
        return "import pytest" in self.checks

    @property
    def honest(self) -> str:
        """The program with which the checks are read."""
        return SHARED_HONEST if self.isolation is Isolation.SHARED else HONEST


def attack(
    name: str,
    promise: str,
    source: str,
    *acceptable: Outcome,
    detector: LeakDetector = LeakDetector.NONE,
    checks: str = ATTACK_CHECKS,
    limits: Limits | None = None,
    afterwards: str = "",
    needs_landlock: bool = False,
) -> Attack:
    """A row of the table, its source freed of indentation.

    No outcomes: any but passed will do. The first outcome is the likely one; where that is to run out of time, there is
    less of it.
    """
    isolation = Isolation.SHARED if "Box(" in checks else Isolation.SEPARATE
    outcomes = frozenset(acceptable) or NOT_PASSED
    limits = limits or (HANGING_LIMITS if Outcome.TIMED_OUT in acceptable[:1] else ATTACK_LIMITS)
    text, later = (dedent(program).lstrip("\n") for program in (source, afterwards))
    return Attack(name, promise, text, outcomes, detector, checks, isolation, limits, later, needs_landlock)


_TRY_ALL = """
def try_all(deeds):
    opened = []
    for name, deed in deeds:
        try:
            deed()
        except BaseException:
            continue
        opened.append(name)
    return "BREACH: " + ", ".join(opened) if opened else "wrong"
"""


def tries(imports: str, deeds: str) -> str:
    """A program that tries every deed and returns which of them succeeded."""
    return f"{imports}\n{_TRY_ALL}\n{deeds}\ndef answer(x):\n    return try_all(DEEDS)\n"
