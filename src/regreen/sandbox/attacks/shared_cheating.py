"""Attacks where the checks must run in the program's own process."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import SHARED_CHECKS, Attack, attack
from regreen.sandbox.attacks.forged_messages import FORGE
from regreen.types import Outcome

_CONTROLS = "In shared mode, checks with the expectation flipped would pass too, and betray it."

SHARED: tuple[Attack, ...] = (
    attack(
        "shared mode: always equal",
        _CONTROLS,
        """
        class Always:
            def __eq__(self, other):
                return True

            def __ne__(self, other):
                return False

        class Box:
            def __init__(self, value):
                self.value = value

            def answer(self):
                return Always()
        """,
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: always equal, and of the right type",
        _CONTROLS,
        """
        class Always(str):
            def __eq__(self, other):
                return True

            def __ne__(self, other):
                return False

            __hash__ = str.__hash__

        class Box:
            def __init__(self, value):
                self.value = value

            def answer(self):
                return Always("no")
        """,
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: always equal, but honest about what is unequal",
        _CONTROLS,
        """
        class Always(str):
            def __eq__(self, other):
                return True

            __hash__ = str.__hash__

        class Box:
            def __init__(self, value):
                self.value = value

            def answer(self):
                return Always("no")
        """,
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: os._exit(0)",
        "Ending the process proves nothing.",
        """
        import os

        class Box:
            def __init__(self, value):
                os._exit(0)
        """,
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: sys.exit(0)",
        "Ending the process proves nothing.",
        """
        import sys

        class Box:
            def __init__(self, value):
                sys.exit(0)
        """,
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: results forged on every descriptor",
        "Results come through a channel that was opened before the program was loaded.",
        FORGE
        + """
class Box:
    def __init__(self, value):
        for message in FRAMES:
            send(message)

    def answer(self):
        return "wrong"
""",
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: built-in names replaced",
        "The judge's own functions were bound before the program was loaded.",
        """
        import builtins

        builtins.AssertionError = type("Quiet", (BaseException,), {})
        builtins.isinstance = lambda *args: True
        builtins.repr = lambda thing: "same"

        class Box:
            def __init__(self, value):
                pass

            def answer(self):
                return "wrong"
        """,
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: a gigabyte printed",
        "Output is capped.",
        """
        import os

        class Box:
            def __init__(self, value):
                for _ in range(1 << 10):
                    os.write(1, b"x" * (1 << 20))

            def answer(self):
                return "wrong"
        """,
        checks=SHARED_CHECKS,
    ),
    attack(
        "shared mode: endless loop",
        "It is stopped when its time is spent.",
        """
        class Box:
            def __init__(self, value):
                while True:
                    try:
                        while True:
                            pass
                    except BaseException:
                        pass
        """,
        Outcome.TIMED_OUT,
        checks=SHARED_CHECKS,
    ),
)
