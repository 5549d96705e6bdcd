"""A program with the names of another and nothing behind them: checks that fail alike on both do not depend on it."""

from __future__ import annotations

from collections.abc import Iterator

from regreen.verify.program_facts import ProgramFacts, read_program_facts

_FRAME = """
class _Untouchable(BaseException):
    pass


def _refuse(*arguments, **named):
    raise _Untouchable("the hollow program was used")


def _without_marks(self, name):
    if "pytest" in name or name == "_mock_name" or name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)
    _refuse()


class _HollowClass(type):
    __getattr__ = _without_marks
    __call__ = __instancecheck__ = __subclasscheck__ = __iter__ = __len__ = __contains__ = _refuse
    __getitem__ = __or__ = __ror__ = __prepare__ = _refuse


class _Hollow:
    __slots__ = ()
    __getattr__ = _without_marks
    __setattr__ = __delattr__ = __call__ = __iter__ = __next__ = __len__ = __contains__ = _refuse
    __getitem__ = __setitem__ = __delitem__ = __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __repr__ = __str__ = __format__ = __bytes__ = __int__ = __float__ = __complex__ = __index__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __mod__ = _refuse
    __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __and__ = _refuse
    __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = _refuse
    __invert__ = __round__ = __divmod__ = __rdivmod__ = __enter__ = __exit__ = __await__ = __aiter__ = _refuse
    __fspath__ = __mro_entries__ = __reversed__ = __aenter__ = __aexit__ = __buffer__ = _refuse


def _hollow_class(name):
    return type.__new__(_HollowClass, name, (), {})


def _hollow_function(name):
    def hollow(*arguments, **named):
        _refuse()

    hollow.__name__ = hollow.__qualname__ = name
    return hollow


def __getattr__(name):
    _without_marks(None, name)

"""
"""Every use of a name behind it raises what no `except Exception` catches, and runs a line of this text, which a trace
of the check shows even where the check swallows it. Imports and pytest look for marks of their own: they find none."""

REFUSING_LINE = _FRAME.split("\n").index('    raise _Untouchable("the hollow program was used")') + 1
"""The line of a hollow program that runs at every use of it."""


def hollow_program(source: str) -> str:
    """The program's text with every top-level name bound to something that refuses to be used."""
    return "\n".join([_FRAME, *_bindings(read_program_facts(source)), ""])


def _bindings(program: ProgramFacts) -> Iterator[str]:
    for name in sorted(program.names):
        if name.startswith("__") and name.endswith("__"):
            continue
        if name in program.classes:
            yield f"{name} = _hollow_class({name!r})"
        elif name in program.functions:
            yield f"{name} = _hollow_function({name!r})"
        else:
            yield f"{name} = _Hollow()"
