"""The guest where checks use live objects of its program: it does to them what the checks do to their stand-ins.

What it says of an object is only believed as far as an answer of the program is: the judge compares plain data itself.
"""

from __future__ import annotations

import copy
import importlib
import os
import sys
from collections.abc import Callable
from time import process_time_ns
from types import CoroutineType, TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from regreen.sandbox.guest.runner.checks.captured_output import CappedText, OutputFlood
from regreen.sandbox.guest.runner.checks.traceback_lines import forget_frames, program_lines
from regreen.sandbox.guest.runner.stand_ins.lent_function_stand_ins import FunctionStandIns
from regreen.sandbox.guest.runner.stand_ins.live_classes import described_object
from regreen.sandbox.guest.wire.codec_exceptions import describe_exception
from regreen.sandbox.guest.wire.codec_format import TooLarge, Unplain
from regreen.sandbox.guest.wire.guest_connection import GuestConnection, HangUp
from regreen.sandbox.guest.wire.live_channel import QUESTION, RAISED, REFUSED, RETURNED, LiveChannel
from regreen.sandbox.guest.wire.live_handles import HandleTable
from regreen.sandbox.guest.wire.live_names import GENERATOR_METHODS, KIND_NAMES, named_object

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.stand_ins.lent_error_stand_ins import LentErrors
    from regreen.sandbox.guest.runner.stand_ins.shared_world import SharedWorld

LIVE = b"V"
"""The first byte of every message about live objects."""


class Host(Protocol):
    """What the guest's process has: its program's names, its streams and its connection."""

    names: dict[str, Any]
    filename: str
    output: CappedText
    errors: CappedText
    line: GuestConnection
    started: int

    def unlike(self) -> str:
        """What the program has done to its process that the checks would notice; empty for nothing."""

    def replaced(self) -> str:
        """Which stream the program has replaced; empty for none."""


class LiveGuest:
    """The live objects of one program, and those of its checks that it was handed."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.channel = LiveChannel(HandleTable(self._described, self._stand_in, self._forget), answering=True)
        self.functions = FunctionStandIns(self)
        self.replaced: dict[tuple[str, str], Any] = {}
        """Module and name -> what was there before the checks replaced it."""
        self.errors: LentErrors | None = None
        """The exceptions of the checks, where there were any."""
        self.world: SharedWorld | None = None
        """What the checks share beside objects, where they share any."""

    def answer(self, message: bytes) -> bytes:
        """The answer to a question of the judge's; both begin with LIVE."""
        kind, content, aside = self.channel.unpack(message[1:])
        if kind != QUESTION:
            raise HangUp("an answer without a question")
        return LIVE + (self._unlike(aside) or self._answer_to(content))

    def _unlike(self, aside: tuple[Any, ...]) -> bytes:
        """Take over what changed around the checks; a refusal where that cannot be."""
        if aside and self.world is not None:
            try:
                self.world.apply(aside[0])
            except Unplain as error:
                return self._refused(str(error))
        return b""

    def ask(self, *question: Any) -> Any:
        """Have the judge do something with an object of the checks. Raises what that raises."""
        if replaced := self.host.replaced():
            self.refuse(replaced)
        try:
            message = self._packed(QUESTION, question)
        except (Unplain, TooLarge) as error:
            message = self._refused(str(error))
        return self._heard(message)

    def refuse(self, why: str) -> None:
        """Have the judge know that these checks cannot be judged so: there is nothing that the program is answered."""
        self._heard(self._refused(why))

    def _heard(self, message: bytes) -> Any:
        try:
            while True:
                self.host.line.send(LIVE + message)
                kind, content, aside = self.channel.unpack(self.host.line.receive()[1:])
                refused = self._unlike(aside)
                try:
                    if kind == RETURNED and not refused:
                        return content
                    if kind == RAISED and not refused:
                        raise content
                    message = refused or self._answer_to(content)
                finally:
                    # The traceback of what is raised holds this frame: it would hold itself.
                    del content
        except HangUp:
            # No program may take the judge's end for an exception of its own.
            os._exit(0)

    def _answer_to(self, question: tuple[Any, ...]) -> bytes:
        try:
            kind, content = RETURNED, _OPERATIONS[question[0]](self, *question[1:])
        except Unplain as error:
            kind, content = REFUSED, str(error)
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
            kind, content = RAISED, error
        if unlike := self.host.unlike():
            kind, content = REFUSED, unlike
        elif self.functions.have_attributes():
            kind, content = REFUSED, "an attribute that the program gave to a function of the checks"
        elif self.errors is not None and self.errors.is_changed():
            kind, content = REFUSED, "what the program did to an exception of the checks"
        try:
            return self._packed(kind, content)
        except (Unplain, TooLarge, ValueError) as error:
            return self._refused(str(error))

    def _refused(self, why: str) -> bytes:
        return self._packed(REFUSED, why)

    def _packed(self, kind: int, content: Any) -> bytes:
        host = self.host
        changes = (self.world.changes(),) if self.world is not None and kind != REFUSED else ()
        now = process_time_ns()
        spent, host.started = now - host.started, now
        # Taken only once nothing can go wrong any more: what was printed is told once.
        parts = [*host.output.parts], [*host.errors.parts]
        message = self.channel.pack(kind, content, ("".join(parts[0]), "".join(parts[1]), spent, *changes))
        host.output.parts.clear()
        host.errors.parts.clear()
        return message

    def _described(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, BaseException):
            return self._described_error(value)
        return described_object(value)

    def _described_error(self, error: BaseException) -> tuple[Any, ...]:
        lines = program_lines(error.__traceback__, self.host.filename)
        described = {**describe_exception(error), "lines": lines, "flood": type(error) is OutputFlood}
        lent = tuple(self._if_lent(other) for other in (error.__cause__, error.__context__))
        if not isinstance(error, MemoryError):
            forget_frames(error)
        return "error", type(error), described, *lent

    def _if_lent(self, error: BaseException | None) -> BaseException | None:
        """The exception, where it is one of the checks; None otherwise."""
        return error if self.channel.table.number_of(error) is not None else None

    def _stand_in(self, number: int, description: tuple[Any, ...]) -> Any:
        return _STAND_INS[description[0]](self, number, *description[1:])

    def _forget(self, value: Any) -> None:
        self.functions.let_go(value)
        if self.errors is not None:
            self.errors.texts.pop(id(value), None)

    def _callback(self, number: int, *names: str | None) -> Callable[..., Any]:
        return self.functions.callback(*names)

    def _bound(self, number: int, *description: Any) -> Any:
        return self.functions.method(*description)

    def _partial(self, number: int, *description: Any) -> Any:
        return self.functions.partial(*description)

    def _iterator(self, number: int, name: str, module: str, knows_length: bool) -> Any:
        def following(iterator: Any) -> Any:
            return self.ask("next", iterator)

        methods: dict[str, Any] = {"__iter__": lambda iterator: iterator, "__next__": following}
        if knows_length:
            methods["__length_hint__"] = lambda iterator: self.ask("hint", iterator)
        if (name, module) == ("generator", "builtins"):
            methods |= {method: self._resuming(method) for method in GENERATOR_METHODS}
        return type(name, (), {**methods, "__module__": module})()

    def _resuming(self, method: str) -> Callable[..., Any]:
        def resumed(generator: Any, *args: Any) -> Any:
            return self.ask("resume", generator, method, args)

        return resumed

    def _mock(self, number: int, *description: Any) -> Any:
        # Imported late, as few checks hand over any.
        from regreen.sandbox.guest.runner.stand_ins.lent_stand_ins import lent_mock

        return lent_mock(self, *description)

    def _stream(self, number: int, name: str) -> Any:
        from regreen.sandbox.guest.runner.stand_ins.lent_stand_ins import lent_stream

        return lent_stream(self, name)

    def _named(self, number: int, module: str, qualname: str) -> Any:
        return named_object(module, qualname)

    def _error(self, number: int, *description: Any) -> BaseException:
        return self._lent_errors().error(*description)

    def _error_class(self, number: int, *description: Any) -> type[BaseException]:
        return self._lent_errors().error_class(*description)

    def _lent_errors(self) -> LentErrors:
        if self.errors is None:
            # Imported late, as few checks raise anything into a program.
            from regreen.sandbox.guest.runner.stand_ins.lent_error_stand_ins import LentErrors

            self.errors = LentErrors(self)
        return self.errors

    def _traceback(self, number: int) -> TracebackType:
        return TracebackType(None, sys._getframe(), 0, 1)

    def _share(self, parts: tuple[str, ...], root: str, environment: dict[str, str]) -> None:
        """Keep these parts of the world from now on as they are around the checks."""
        from regreen.sandbox.guest.runner.stand_ins import shared_world, world_events

        self.world = shared_world.SharedWorld(parts, root, environment)
        if shared_world.SHARED_WARNINGS in parts:
            world_events.tell_warnings(self.ask)
        if shared_world.SHARED_LOG in parts:
            world_events.tell_log(self.ask, self.refuse)

    def _names(self, names: tuple[str, ...], shared: tuple[Any, ...] = ()) -> tuple[tuple[str, Any], ...]:
        if shared:
            self._share(*shared)
        return tuple((name, self.host.names[name]) for name in names if name in self.host.names)

    def _bind(self, name: str, value: Any) -> None:
        self.host.names[name] = value

    def _unbind(self, name: str) -> None:
        self.host.names.pop(name, None)

    def _put(self, module: str, name: str, value: Any) -> None:
        """Have a function of Python's library be another for a while."""
        place = importlib.import_module(module)
        self.replaced.setdefault((module, name), vars(place)[name])
        setattr(place, name, value)

    def _put_back(self, module: str, name: str) -> None:
        if (module, name) in self.replaced:
            setattr(importlib.import_module(module), name, self.replaced.pop((module, name)))

    def _call(self, target: Any, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Any:
        return target(*args, **dict(kwargs))

    def _method(self, target: Any, name: str, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Any:
        return getattr(target, name)(*args, **dict(kwargs))

    def _chain(
        self, target: Any, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...], operation: str, rest: Any
    ) -> tuple[bool, Any]:
        """Call, and go on with what is returned if it is a live object; whether it was one, and what came of it.

        What the judge might hold otherwise, or refuse, it has to get itself: all but instances of classes that it
        knows, and Python's own kinds.
        """
        made = target(*args, **dict(kwargs))
        if id(type(made)) in self.channel.table.own_numbers or type(made) in KIND_NAMES:
            return True, _OPERATIONS[operation](self, made, *rest)
        return False, made

    def _special(self, target: Any, name: str, args: tuple[Any, ...]) -> Any:
        return getattr(type(target), name)(target, *args)

    def _dataclass(self, target: Any, function: str, kwargs: tuple[tuple[str, Any], ...]) -> Any:
        import dataclasses

        return getattr(dataclasses, function)(target, **dict(kwargs))

    def _own(self, target: Any, name: str) -> tuple[bool, Any]:
        """Whether a class or an object has a name of itself, and its value; one with slots has none."""
        names = getattr(target, "__dict__", {})
        return name in names, names.get(name)

    def _is_async(self, target: Any) -> bool:
        import inspect

        return inspect.iscoroutinefunction(target)

    def _await(self, target: CoroutineType[Any, Any, Any]) -> Any:
        import asyncio

        return asyncio.run(target)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "names": LiveGuest._names,
    "bind": LiveGuest._bind,
    "unbind": LiveGuest._unbind,
    "put": LiveGuest._put,
    "put back": LiveGuest._put_back,
    "items": lambda guest, target: tuple(target),
    "next": lambda guest, target: next(target),
    "chain": LiveGuest._chain,
    "call": LiveGuest._call,
    "method": LiveGuest._method,
    "special": LiveGuest._special,
    "await": LiveGuest._await,
    "is async": LiveGuest._is_async,
    "own": LiveGuest._own,
    "dataclass": LiveGuest._dataclass,
    "getattr": lambda guest, target, name: getattr(target, name),
    "setattr": lambda guest, target, name, value: setattr(target, name, value),
    "delattr": lambda guest, target, name: delattr(target, name),
    "repr": lambda guest, target: repr(target),
    "str": lambda guest, target: str(target),
    "format": lambda guest, target, form: format(target, form),
    "dir": lambda guest, target: dir(target),
    "copy": lambda guest, target: copy.copy(target),
    "deepcopy": lambda guest, target: copy.deepcopy(target),
}
"""What a judge may ask for."""
_STAND_INS: dict[str, Callable[..., Any]] = {
    "callback": LiveGuest._callback,
    "method": LiveGuest._bound,
    "partial": LiveGuest._partial,
    "iterator": LiveGuest._iterator,
    "mock": LiveGuest._mock,
    "stream": LiveGuest._stream,
    "named": LiveGuest._named,
    "error": LiveGuest._error,
    "error class": LiveGuest._error_class,
    "traceback": LiveGuest._traceback,
}
"""What stands for an object of the checks, by what it is said to be."""
