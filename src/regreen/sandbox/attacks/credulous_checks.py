"""Attacks on checks that catch everything, or that work without end on what they are given."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import Attack, attack
from regreen.types import Outcome

_NO_PASS_BY_SILENCE = "What ends a check cannot be swallowed by it: it has not passed."
_LIMITS_HOLD = "Every limit holds in the judge's own work, too."
_OUR_FAULT = "No message makes a fault of the candidate one of the sandbox."

_SWALLOWS = """
try:
    answer(20)
except BaseException:
    pass
else:
    assert False
"""
_SWALLOWS_IN_A_TEST = """
def test_answer():
    try:
        answer(20)
    except:
        return
    assert False
"""
_PREPARES_AND_SWALLOWS = """
try:
    got = answer(20)
except BaseException:
    got = 40
assert got == 40
"""
_OLD_VALUE = """
got = 40
got = answer(20)
assert got == 40
"""

_TELL = """
import os
from regreen.sandbox.guest.wire.codec import encode

def tell(body):
    message = len(body).to_bytes(4, "little") + body
    for place in range(3, 64):
        try:
            sent = 0
            while sent < len(message):
                sent += os.write(place, message[sent:])
        except OSError:
            pass

def told(**more):
    error = {"name": "ValueError", "mro": ["ValueError"], "builtin": "ValueError", "message": "no", "args": ("no",)}
    tell(b"E" + encode(({**error, "lines": [3], **more}, None, "", 5)))
    os._exit(0)
"""


def _tells(name: str, deed: str) -> Attack:
    return attack(f"an exception forged: {name}", _OUR_FAULT, f"{_TELL}\ndef answer(x):\n    {deed}\n")


_NESTED = "".join(
    " " * depth + "try:\n" + " " * depth + " pass\n" + " " * depth + "finally:\n" for depth in range(1, 19)
)

CREDULOUS: tuple[Attack, ...] = (
    *(
        attack(
            f"{what}, {where}",
            _NO_PASS_BY_SILENCE,
            f"def answer(x):\n    {deed}\n",
            *outcomes,
            checks=checks,
        )
        for what, deed, outcomes in (
            ("a live object", "return object()", (Outcome.UNJUDGEABLE,)),
            ("a flood", "print('x' * (3 << 20))\n    return 1", (Outcome.OUTPUT_FLOOD,)),
            ("a huge answer", "return 'x' * (40 << 20)", (Outcome.FAILED, Outcome.UNJUDGEABLE, Outcome.TIMED_OUT)),
        )
        for where, checks in (
            ("swallowed by a statement", _SWALLOWS),
            ("swallowed by a test", _SWALLOWS_IN_A_TEST),
            ("swallowed before the check", _PREPARES_AND_SWALLOWS),
        )
    ),
    attack(
        "an exception where the answer was to be taken",
        "An old value proves nothing.",
        """
        def answer(x):
            raise ValueError
        """,
        Outcome.RAISED,
        checks=_OLD_VALUE,
    ),
    attack(
        "a range without end",
        _LIMITS_HOLD,
        """
        def answer(x):
            return range(10 ** 18)
        """,
        Outcome.TIMED_OUT,
        checks="".join(f"assert sum(answer({number})) == 4\n" for number in range(4)),
    ),
    attack(
        "a program that takes ages to compile",
        _LIMITS_HOLD,
        "".join(f"def f{number}():\n{_NESTED}{' ' * 19}x = 1\n" for number in range(4))
        + "def answer(x):\n    return 1\n",
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
    ),
    _tells("a line number of thousands of digits", "told(lines=[1 << 40_000] * 3)"),
    _tells("a million lines", "told(lines=[1 << 62] * 1_900_000)"),
    _tells("lines that are none", "told(lines={'a': 1}, mro=7, builtin=b'x', message=None)"),
    _tells("a name of megabytes", "told(name='x' * (8 << 20), message='y' * (7 << 20))"),
    _tells("a base that cannot be", "told(mro=['\\0', 'x' * 1_000_000], builtin='__build_class__')"),
    _tells("an argument that holds itself", "ring = []\n    ring.append(ring)\n    told(args=(ring,))"),
)
