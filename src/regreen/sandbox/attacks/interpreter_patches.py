"""Attacks that change the interpreter under their own feet."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import Attack, attack
from regreen.types import Outcome

_NO_PATCH = "What the program changes in its own process changes nothing in the judge's."

PATCHES: tuple[Attack, ...] = (
    attack(
        "built-in functions replaced",
        _NO_PATCH,
        """
        import builtins

        def answer(x):
            for name in ("isinstance", "type", "len", "repr", "__import__", "print", "hasattr", "getattr", "compile"):
                setattr(builtins, name, lambda *args, **kwargs: True)
            builtins.AssertionError = ZeroDivisionError
            return "wrong"
        """,
    ),
    attack(
        "every function of the sandbox's own modules replaced",
        _NO_PATCH,
        """
        import sys

        def passed(*args, **kwargs):
            return {"outcome": "passed"}

        for name, module in list(sys.modules.items()):
            if name.startswith("regreen"):
                for attribute, value in list(vars(module).items()):
                    if callable(value):
                        setattr(module, attribute, passed)

        def answer(x):
            return "wrong"
        """,
    ),
    attack(
        "constants and code of the sandbox's own functions replaced",
        _NO_PATCH,
        """
        import gc, types

        def passed(*args, **kwargs):
            return True

        def answer(x):
            for thing in gc.get_objects():
                if type(thing) is types.FunctionType and "regreen" in thing.__code__.co_filename:
                    try:
                        thing.__code__ = passed.__code__
                    except (ValueError, TypeError):
                        pass
            return "wrong"
        """,
    ),
    attack(
        "checks skipped by a trace function",
        _NO_PATCH,
        """
        import sys, threading

        def trace(frame, event, arg):
            frame.f_trace_lines = True
            try:
                frame.f_lineno = frame.f_code.co_firstlineno + 1_000
            except ValueError:
                pass
            return trace

        sys.settrace(trace)
        threading.settrace(trace)
        frame = sys._getframe()
        while frame is not None:
            frame.f_trace = trace
            frame = frame.f_back

        def answer(x):
            return "wrong"
        """,
    ),
    attack(
        "equality of texts patched by memory",
        _NO_PATCH,
        """
        import ctypes

        def answer(x):
            kind = ctypes.CFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.py_object, ctypes.c_int)
            always = kind(lambda *_: True)
            answer.keep = always
            slots = (ctypes.c_void_p * 40).from_address(id(str))
            for index in range(20, 30):
                slots[index] = ctypes.cast(always, ctypes.c_void_p).value
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.CRASHED,
        Outcome.TIMED_OUT,
        Outcome.RAISED,
    ),
    attack(
        "small numbers changed in memory",
        _NO_PATCH,
        """
        import ctypes

        def answer(x):
            ctypes.memmove(id(5) + 24, id(4) + 24, 4)
            return 4
        """,
        checks="assert answer(20) == 5\n",
    ),
)
