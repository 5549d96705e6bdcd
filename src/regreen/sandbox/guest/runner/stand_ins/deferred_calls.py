"""Calls, methods and attributes of live objects, as the rewritten code of checks asks for them: in one question each.

A call of the program waits until the check does something with its answer; where that is a live object again, the guest
does both at once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

from regreen.sandbox.guest.runner.checks.assertions import AssertionRecorder, call_method
from regreen.sandbox.guest.runner.stand_ins.live_stand_ins import LiveType, Program
from regreen.sandbox.guest.runner.stand_ins.stubs import RemoteProgram

_CONSUMERS = (list, tuple, set, frozenset, sorted, sum)
"""Functions of Python's own that go through their first argument to its end, and do nothing meanwhile."""


class DeferredCall(NamedTuple):
    """A call of the program that waits for what the check does with its answer."""

    target: Any
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]


class AskedProgram(Program, Protocol):
    """The program as its calls see it."""

    remote: RemoteProgram

    def identical(self, left: Any, right: Any) -> bool:
        """Whether two values are one object. Raises NotPlain where only the program's process could tell."""


class DeferredCalls:
    """What the checks' recorder does with the live objects of one program."""

    def __init__(self, program: AskedProgram) -> None:
        self.program = program

    def decide_for(self, recorder: AssertionRecorder) -> None:
        """Have the rewritten code of checks do with live objects what costs few questions."""
        recorder.identity = self.program.identical
        recorder.method, recorder.consume = self.method, self.consume
        recorder.defer, recorder.attribute = self.defer, self.attribute

    def method(self, target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method: of a live object in one question, where its attribute and the call would be two."""
        if type(target) is DeferredCall:
            done, target = self._chained(target, "method", name, args, tuple(kwargs.items()))
            if done:
                return target
        if _is_any_live(target):
            return self.program.ask("method", target, name, args, tuple(kwargs.items()))
        return call_method(target, name, *args, **kwargs)

    def consume(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call a function: where it takes all that a live object gives, that comes at once."""
        if not args:
            return function(**kwargs)
        first, *others = args
        takes_all = any(map(partial(operator.is_, function), _CONSUMERS))
        if type(first) is DeferredCall:
            if function is next and not others and not kwargs:
                done, first = self._chained(first, "next")
                return first if done else next(first)
            done, first = self._chained(first, "items") if takes_all else (True, self._made(first))
        else:
            done = False
        if takes_all and not done and self.program.is_live(first):
            first = self.program.ask("items", first)
        return function(first, *others, **kwargs)

    def defer(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call a function, or let it wait where the program has it: what uses its answer knows of that."""
        if _is_any_live(function):
            return DeferredCall(function, args, tuple(kwargs.items()))
        return function(*args, **kwargs)

    def attribute(self, target: Any, name: str) -> Any:
        """An attribute of what `defer` gave."""
        if type(target) is DeferredCall:
            done, target = self._chained(target, "getattr", name)
            if done:
                return target
        return getattr(target, name)

    def _made(self, call: DeferredCall) -> Any:
        return self.program.ask("call", *call)

    def _chained(self, call: DeferredCall, operation: str, *rest: Any) -> tuple[bool, Any]:
        """Call, and do this with what it returns if that is a live object: whether it was one, and what came of it."""
        answer = self.program.ask("chain", *call, operation, rest)
        if type(answer) is not tuple or len(answer) != 2 or type(answer[0]) is not bool:
            raise self.program.remote.torn("an answer of another shape")
        return answer


def _is_any_live(value: Any) -> bool:
    """Whether a value stands for an object of the program, or for a class of it."""
    return issubclass(type(type(value)), LiveType) or issubclass(type(value), LiveType)
