"""Attacks by what the program returns or raises."""

from __future__ import annotations

from dataclasses import replace

from regreen.sandbox.attacks.attack import ATTACK_LIMITS, EXPECTED_PREFIX, Attack, attack
from regreen.types import Outcome

_PLAIN_DATA = "Only plain data crosses the wall, rebuilt as the judge's own types."

_EQUAL = """
class Equal(BASE):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    __hash__ = None

    def __bool__(self):
        return True

def answer(x):
    return VALUE
"""


def _equal(name: str, base: str, value: str) -> Attack:
    outcomes = (Outcome.FAILED, Outcome.UNJUDGEABLE, Outcome.RAISED)
    return attack(f"always equal: {name}", _PLAIN_DATA, _EQUAL.replace("BASE", base).replace("VALUE", value), *outcomes)


_CHECKS_TELL = "What a mock of the checks tells them is what the program did."
_MOCKED = (
    f"from unittest.mock import Mock\nm = Mock()\nanswer(m)\nm.send.assert_called_once_with('{EXPECTED_PREFIX}4b1f')\n"
)

VALUES: tuple[Attack, ...] = (
    _equal("an object", "object", "Equal()"),
    _equal("a text", "str", "Equal('no')"),
    _equal("a number", "int", "Equal(1)"),
    _equal("a list", "list", "Equal([1])"),
    _equal("a dict", "dict", "Equal()"),
    _equal("inside a list", "str", "[Equal('no')]"),
    attack(
        "always equal: a mock",
        _PLAIN_DATA,
        """
        from unittest.mock import ANY

        def answer(x):
            return ANY
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        # The import alone takes long in some kernels.
        limits=replace(ATTACK_LIMITS, seconds=2.0),
    ),
    *(
        attack(f"a mock of the checks {name}", _CHECKS_TELL, deed, checks=_MOCKED)
        for name, deed in {
            "configured": "def answer(m):\n    m.configure_mock(**{'send.assert_called_once_with': print})\n",
            "given a method": "def answer(m):\n    m.send.assert_called_once_with = print\n",
            "given a method behind its stand-in's back": """
            def answer(m):
                checks = [cell.cell_contents for cell in type(m).__call__.__closure__ if cell.cell_contents][0]
                for name in ("assert_called_once_with", "side_effect", "_mock_methods", "__class__"):
                    checks.ask("lent", m.send, "setattr", name, print)
            """,
        }.items()
    ),
    attack(
        "a class that claims to be text",
        _PLAIN_DATA,
        """
        class Liar:
            __class__ = property(lambda self: str)

            def __eq__(self, other):
                return True

            def __reduce_ex__(self, protocol):
                return (eval, ("__import__('os')._exit(0)",))

        def answer(x):
            return Liar()
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        Outcome.RAISED,
    ),
    attack(
        "a metaclass that claims to be everything",
        _PLAIN_DATA,
        """
        class Meta(type):
            def __instancecheck__(cls, thing):
                return True

            def __eq__(cls, other):
                return True

            def __hash__(cls):
                return hash(str)

        class Liar(str, metaclass=Meta):
            def __eq__(self, other):
                return True

            __hash__ = str.__hash__

        def answer(x):
            return Liar("no")
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        Outcome.RAISED,
    ),
    attack(
        "an exception that only has the right name",
        "A class of the program's own is not the one that the check names.",
        """
        class ZeroDivisionError(Exception):
            pass

        def answer(x):
            raise ZeroDivisionError("division by zero")
        """,
        checks="""
try:
    answer(20)
except ZeroDivisionError:
    pass
else:
    assert False
""",
    ),
    attack(
        "an answer of a hundred megabytes",
        "Messages are capped.",
        """
        def answer(x):
            return "x" * 100_000_000
        """,
        Outcome.FAILED,
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
        Outcome.OUTPUT_FLOOD,
        Outcome.UNJUDGEABLE,
    ),
    attack(
        "an answer of ten million parts",
        "Messages are capped.",
        """
        def answer(x):
            return [0] * 10_000_000
        """,
        Outcome.FAILED,
        Outcome.OUT_OF_MEMORY,
        Outcome.TIMED_OUT,
        Outcome.UNJUDGEABLE,
    ),
    attack(
        "an answer that unfolds",
        "Shared parts are not told over and over until memory ends.",
        """
        def answer(x):
            nest = ["x"] * 10
            for _ in range(40):
                nest = [nest] * 10
            return nest
        """,
        Outcome.FAILED,
        Outcome.OUT_OF_MEMORY,
        Outcome.TIMED_OUT,
        Outcome.UNJUDGEABLE,
        Outcome.RAISED,
    ),
    attack(
        "an answer that holds itself",
        "Cycles are rebuilt or refused.",
        """
        def answer(x):
            ring = []
            ring.append(ring)
            return ring
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        Outcome.RAISED,
    ),
    attack(
        "an answer nested a hundred thousand deep",
        "Depth is limited before any stack is.",
        """
        def answer(x):
            nest = []
            for _ in range(100_000):
                nest = [nest]
            return nest
        """,
        Outcome.FAILED,
        Outcome.TIMED_OUT,
        Outcome.UNJUDGEABLE,
        Outcome.RAISED,
    ),
    attack(
        "a generator without end",
        "Nothing is drawn from it without limit.",
        """
        def answer(x):
            while True:
                yield x
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        Outcome.TIMED_OUT,
        Outcome.RAISED,
        Outcome.OUT_OF_MEMORY,
    ),
    attack(
        "text that is no Unicode",
        "Lone surrogates are told as they are, and never break the judge.",
        """
        def answer(x):
            print("\\udcff\\ud800\\x00\\x1b[2J")
            return "\\udcff\\ud800\\x00"
        """,
        Outcome.FAILED,
    ),
    attack(
        "bytes that are no text",
        "Raw output is told with what cannot be decoded replaced.",
        """
        import os

        def answer(x):
            os.write(1, bytes(range(256)) * 16)
            os.write(2, b"\\xff\\xfe\\x00")
            return bytes(range(256))
        """,
        Outcome.FAILED,
    ),
    attack(
        "a number of a million digits",
        "The judge does not stumble over it.",
        """
        def answer(x):
            return 1 << 4_000_000
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        Outcome.TIMED_OUT,
        Outcome.RAISED,
    ),
    attack(
        "arguments changed after the answer",
        "What counts is how the arguments are when the answer is given.",
        """
        import threading, time

        def answer(numbers):
            def later():
                time.sleep(0.05)
                numbers.sort()
            threading.Thread(target=later).start()
            return None
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        checks="numbers = [3, 1, 2]\nanswer(numbers)\nassert numbers == [1, 2, 3]\n",
    ),
    attack(
        "arguments swapped for ones that are always equal",
        _PLAIN_DATA,
        """
        class Equal(int):
            def __eq__(self, other):
                return True

            __hash__ = int.__hash__

        def answer(numbers):
            numbers[:] = [Equal(0), Equal(0), Equal(0)]
        """,
        Outcome.FAILED,
        Outcome.UNJUDGEABLE,
        checks="numbers = [3, 1, 2]\nanswer(numbers)\nassert numbers == [1, 2, 3]\n",
    ),
)
