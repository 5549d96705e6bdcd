"""The program as the judge sees it where checks use its live objects: every use is a question to the guest.

While the judge waits, the guest may ask back: to call a function that a check handed over, or for the next item of an
iterator. Nothing else of the judge's own objects can be reached.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import types
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from operator import length_hint
from typing import TYPE_CHECKING, Any

from regreen.sandbox.guest.runner.checks.captured_output import OutputFlood
from regreen.sandbox.guest.runner.stand_ins.call_prefetch import PrefetchedCall
from regreen.sandbox.guest.runner.stand_ins.deferred_calls import DeferredCalls
from regreen.sandbox.guest.runner.stand_ins.lent_errors import described_error, described_error_class
from regreen.sandbox.guest.runner.stand_ins.lent_functions import LentFunctions
from regreen.sandbox.guest.runner.stand_ins.lent_objects import LentObjects
from regreen.sandbox.guest.runner.stand_ins.live_guest import LIVE
from regreen.sandbox.guest.runner.stand_ins.live_stand_ins import LiveType, keep_hash, seen_class
from regreen.sandbox.guest.runner.stand_ins.stand_in_classes import StandInClasses, error_class
from regreen.sandbox.guest.runner.stand_ins.stubs import ENDLESS_NS, GuestLost, RemoteProgram
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.runner.timing.time_limits import OutOfTime
from regreen.sandbox.guest.wire.codec_exceptions import cut_text
from regreen.sandbox.guest.wire.codec_format import BadMessage, NotPlain, TooLarge, Unplain
from regreen.sandbox.guest.wire.live_channel import QUESTION, RAISED, RETURNED, LiveChannel
from regreen.sandbox.guest.wire.live_handles import HandleTable
from regreen.sandbox.guest.wire.live_names import (
    GENERATOR_METHODS,
    KNOWN_KINDS,
    is_plain_class,
    name_of_shared,
    named_object,
)
from regreen.sandbox.guest.wire.true_types import name_of

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.stand_ins.shared_world import SharedWorld
    from regreen.sandbox.guest.runner.stand_ins.world_events import WorldEvents

MOST_LIVE_QUESTIONS = 10_000
"""Questions that one check may ask: where it needs more, plain Python takes no time, and this would take too much."""
MOST_LIVE_BYTES = 32 << 20
"""Bytes that one check may have sent and received."""
_OURS = (OutOfTime, OutputFlood, NotPlain, GuestLost)
"""What ends a check, whatever the program makes of it."""
_COPIED = (int, float, complex, str, bytes, frozenset, range, tuple, decimal.Decimal, fractions.Fraction, datetime.date)
"""Types whose values are made anew where they cross."""
_SINGLE: Mapping[type, Container[Any]] = {
    bool: (True, False),
    int: range(-5, 257),
    tuple: ((),),
    str: ("",),
    bytes: (b"",),
}
"""Values of which Python has one object, wherever they are made, by their type: 0.0 equals one of them and is none."""
_ADDRESS = b" at 0x"
"""What is in the text of an object that has none of its own; a stand-in's would be another."""


class LiveProgram:
    """The live objects of one guest's program."""

    def __init__(self, remote: RemoteProgram, shares: Sequence[str] = ()) -> None:
        self.remote = remote
        self.shares = shares
        """What the checks share with the program beside objects (`Surface.shares`)."""
        self.world: SharedWorld | None = None
        self.events: WorldEvents | None = None
        self.word = ""
        """Why the check that is running rests on the program's word; empty where it does not."""
        self.classes = StandInClasses(self)
        self.calls = DeferredCalls(self)
        self.fetched: dict[str, Any] = {}
        """What checks use by its name in the program."""
        self.begin()
        self.renew()

    def renew(self) -> None:
        """Begin with another guest: what stands for objects of the one before has no object any more."""
        self.channel = LiveChannel(HandleTable(self._described, self._stand_in, self._forget), answering=False)
        self.classes.renew()
        self.packing = False
        self.callbacks: set[int] = set()
        """Ids of the functions and iterators that checks handed over."""
        self.functions = LentFunctions()
        self.lent = LentObjects(self.remote.refuse)

    def load(self, program: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
        """Have the guest load its program; returns what that has by these names. Raises what it raises.

        Where a guest was lost, what stood for an object of its program stands for that of the next one.
        """
        self._share(program)
        told = self.world.told() if self.world is not None else ()
        message = self._packed(QUESTION, ("names", tuple(names), told))
        # Both are sent at once: the guest need not wait for the judge between the two.
        self.remote.load(program, [PrefetchedCall(self.remote.check, LIVE + message)])
        before = self.fetched
        self.fetched = {name: self._continued(value, before.get(name)) for name, value in self._heard(lambda: message)}
        return self.fetched

    def _share(self, program: dict[str, Any]) -> None:
        if self.world is not None:
            self.world.renew()
        elif self.shares:
            from regreen.sandbox.guest.runner.stand_ins.shared_world import SharedWorld
            from regreen.sandbox.guest.runner.stand_ins.world_events import WorldEvents

            self.world = SharedWorld(self.shares)
            self.events = WorldEvents(program["module"], program["filename"])

    def _continued(self, found: Any, before: Any) -> Any:
        if not self.is_live(found) or type(found) is not type(before):
            return found
        number = self.channel.table.number_of(found)
        if number is not None:
            self.channel.table.add_other(number, before)
        return before

    def begin(self) -> None:
        """Begin a check."""
        self.word, self.questions, self.bytes = "", 0, 0

    def note_word(self, what: str) -> None:
        """Note that the check which is running rests on the program's word."""
        self.word = self.word or what

    def is_live(self, value: Any) -> bool:
        """Whether a value stands for an object of the program."""
        return issubclass(type(type(value)), LiveType)

    def identical(self, left: Any, right: Any) -> bool:
        """Whether two values are one object. Raises NotPlain where only the program's process could tell."""
        is_copied = type(left) is type(right) and isinstance(left, _COPIED)
        if is_copied and left not in _SINGLE.get(type(left), ()):
            raise self.remote.refuse(NotPlain("a check compares the identity of plain values", outward=False))
        return seen_class(left) is seen_class(right)

    def ask(self, *question: Any) -> Any:
        """The guest's answer. Raises what the program raises, and NotPlain where something cannot cross."""
        return self._heard(lambda: self._packed(QUESTION, question))

    def _heard(self, message: Callable[[], bytes]) -> Any:
        time_limits.CROSSINGS.begin()
        time_limits.hold()
        try:
            kind, content = self._asked(message())
        finally:
            time_limits.TIMER.held = False
            time_limits.CROSSINGS.end()
        time_limits.release()
        try:
            if kind == RAISED and isinstance(content, BaseException):
                raise content
            return content
        finally:
            # Its traceback holds this frame: the exception would hold itself.
            del content

    def _asked(self, message: bytes) -> tuple[int, Any]:
        raised: list[Any] = []
        while True:
            kind, content = self._unpacked(self.remote.exchange(LIVE + message))
            if kind in (RETURNED, RAISED):
                _forget_frames([error for error in raised if error is not content])
                return kind, content
            if kind != QUESTION:
                text = f"the program's objects cannot cross: {cut_text(content)}"
                raise self.remote.refuse(NotPlain(text, outward=False))
            kind, content = self._answer_to(content)
            raised += [content] if kind == RAISED else []
            message = self._packed(kind, content)

    def _packed(self, kind: int, content: Any) -> bytes:
        if kind == QUESTION and any(map(self._is_lost, content)):
            raise self.remote.refuse(NotPlain("a check uses an object of a process that has ended", outward=True))
        self.packing = True
        try:
            self.functions.check()
            aside = (self.world.changes(),) if self.world is not None else ()
            message = self.channel.pack(kind, content, aside)
        except (Unplain, TooLarge) as error:
            text = f"the check hands the program what cannot cross: {error}"
            raise self.remote.refuse(NotPlain(text, outward=True)) from None
        finally:
            self.packing = False
        self.questions += 1
        self.bytes += len(message)
        if self.questions > MOST_LIVE_QUESTIONS or self.bytes > MOST_LIVE_BYTES:
            raise self.remote.refuse(NotPlain("a check uses live objects too often to be asked for them", outward=True))
        return message

    def _is_lost(self, value: Any) -> bool:
        live = self.is_live(value) or issubclass(type(value), LiveType)
        return live and self.channel.table.number_of(value) is None

    def _unpacked(self, answer: bytes) -> tuple[int, Any]:
        self.bytes += len(answer)
        self.packing = True
        try:
            if answer[:1] != LIVE:
                raise BadMessage("an answer of another kind")
            if self.callbacks and _ADDRESS in answer:
                text = "a text of the program tells the address of an object"
                raise self.remote.refuse(NotPlain(text, outward=False))
            kind, content, aside = self.channel.unpack(answer[1:])
            printed, errors, spent, *changes = aside
            if changes and self.world is not None:
                self.world.apply(*changes)
            if type(printed) is not str or type(errors) is not str or type(spent) is not int:
                raise BadMessage("no text or no time")
            if not 0 <= spent < ENDLESS_NS:
                raise BadMessage("no time")
        except Unplain as error:
            text = f"the program's surroundings cannot be those of the checks: {error}"
            raise self.remote.refuse(NotPlain(text, outward=False)) from None
        except (BadMessage, TypeError, ValueError) as error:
            raise self.remote.torn(error) from None
        finally:
            self.packing = False
        self.remote.account((printed, errors), spent)
        return kind, content

    def _answer_to(self, question: Any) -> tuple[int, Any]:
        """Do what the program asks of an object of the checks; RETURNED or RAISED, and what."""
        time_limits.TIMER.held = False
        time_limits.CROSSINGS.end()
        try:
            kind, content = RETURNED, self._performed(question)
        except _OURS:
            raise
        except BaseException as error:  # noqa: BLE001  the program that called gets what the check's function raises
            kind, content = RAISED, error
        finally:
            time_limits.CROSSINGS.begin()
            time_limits.TIMER.held = True
        return kind, content

    def _performed(self, question: Any) -> Any:
        if self.events is not None and type(question) is tuple and question and _is_event(question[0]):
            return self._came_about(self.events, *question)
        if type(question) is tuple and len(question) > 2 and question[0] == "lent":
            return self._lent(*question[1:])
        if type(question) is not tuple or len(question) < 2 or id(question[1]) not in self.callbacks:
            raise self.remote.torn("a question that no honest guest asks")
        if question[0] == "next" and len(question) == 2:
            return next(question[1])
        if question[0] == "hint" and len(question) == 2:
            return length_hint(question[1])
        if question[0] == "resume" and type(question[1]) is types.GeneratorType:
            return self._resumed(*question[1:])
        if question[0] != "call" or len(question) != 4:
            raise self.remote.torn("a question that no honest guest asks")
        _, target, args, kwargs = question
        try:
            names = dict(kwargs)
        except (TypeError, ValueError) as error:
            raise self.remote.torn(error) from None
        return target(*args, **names)

    def _resumed(self, generator: Any, method: Any = None, args: Any = None, *more: Any) -> Any:
        """What a generator of the checks gives, or raises, where the program does more to it than ask for an item."""
        if method not in GENERATOR_METHODS or type(args) is not tuple or more:
            raise self.remote.torn("a question that no honest guest asks")
        return getattr(generator, method)(*args)

    def _lent(self, *use: Any) -> Any:
        try:
            return self.lent.use(*use)
        except BadMessage as error:
            raise self.remote.torn(error) from None

    def _came_about(self, events: WorldEvents, kind: str, *parts: Any) -> None:
        try:
            (events.warn if kind == "warn" else events.log)(parts)
        except BadMessage as error:
            raise self.remote.torn(error) from None

    def _described(self, value: Any) -> tuple[Any, ...]:
        """What the guest is told of an object of the checks. Raises Unplain where it cannot cross."""
        if (shared := name_of_shared(value)) is not None:
            return ("named", *shared)
        if not self.is_live(value) and (lent := self.lent.described(value)) is not None:
            return lent
        if not self.is_live(value) and (function := self.functions.described(value)) is not None:
            self.callbacks.add(id(value))
            return function
        if type(value) in KNOWN_KINDS.values() and isinstance(value, Iterator):
            self.callbacks.add(id(value))
            return "iterator", type(value).__name__, type(value).__module__, hasattr(value, "__length_hint__")
        if isinstance(value, BaseException):
            return described_error(value, self._is_ours)
        if isinstance(value, type) and issubclass(value, BaseException) and not self._is_ours(value):
            return described_error_class(value)
        if type(value) is types.TracebackType:
            return ("traceback",)
        raise Unplain(name_of(type(value)))

    def _forget(self, value: Any) -> None:
        self.callbacks.discard(id(value))

    def _is_ours(self, kind: type) -> bool:
        return id(kind) in self.channel.table.other_numbers

    def _stand_in(self, number: int, description: tuple[Any, ...]) -> Any:
        make = _STAND_INS.get(description[0]) if description else None
        if make is None:
            raise ValueError("an object of no kind")
        return make(self, *description[1:])

    def _object(self, kind: Any, known_hash: Any) -> Any:
        if not issubclass(type(kind), LiveType):
            raise ValueError("an object of no class")
        made = object.__new__(kind)
        if type(known_hash) is int:
            keep_hash(made, known_hash)
        return made

    def _mark(self) -> object:
        return object()

    def _known(self, name: str) -> Any:
        return object.__new__(self.classes.of_kind(name))

    def _named(self, module: str, qualname: str) -> Any:
        found = named_object(module, qualname)
        if not is_plain_class(found):
            raise ValueError("an object that does more than to make plain data")
        return found

    def _error(self, kind: Any, told: Any, cause: Any = None, context: Any = None) -> BaseException:
        fits = isinstance(kind, type) and issubclass(kind, BaseException)
        error = self.remote.rebuilt(told, kind if fits else None)
        hidden = error.__suppress_context__
        # Those of the checks themselves come back as what they are.
        if isinstance(cause, BaseException):
            error.__cause__ = cause
        if isinstance(context, BaseException):
            error.__context__ = context
        error.__suppress_context__ = hidden
        return error

    def _error_class(
        self, name: str, qualname: str, module: str, bases: Any, plain: Any, live: Any, silent: bool
    ) -> type[BaseException]:
        members = self.remote.rebuilder.members(plain, live)
        made = error_class(name, qualname, module, bases, members, silent=silent is True)
        self.remote.rebuilder.mirrors[name] = made
        return made

    def _library_error(self, module: str, qualname: str) -> type[BaseException]:
        found = self.remote.rebuilder.known(module, qualname)
        if found is None:
            raise NotPlain(f"a class of exceptions that the checks do not know: {module}.{qualname}", outward=False)
        return found

    def _coroutine(self) -> Any:
        async def coroutine() -> Any:
            return self.ask("await", waiting)

        waiting = coroutine()
        return waiting


def _forget_frames(errors: list[BaseException]) -> None:
    """Let go of where exceptions of the checks were raised that the program has caught.

    It may keep them: then their frames would keep what the checks had of the program, and this again the exceptions.
    """
    for error in errors:
        error.__traceback__ = None


def _is_event(kind: Any) -> bool:
    """Whether a question tells of what came about in the program."""
    return type(kind) is str and kind in ("warn", "log")


_STAND_INS: dict[str, Callable[..., Any]] = {
    "object": LiveProgram._object,
    "mark": LiveProgram._mark,
    "class": lambda program, *description: program.classes.of_program(*description),
    "known": LiveProgram._known,
    "named": LiveProgram._named,
    "error": LiveProgram._error,
    "error class": LiveProgram._error_class,
    "library error": LiveProgram._library_error,
    "coroutine": LiveProgram._coroutine,
}
"""What stands for an object of the program, by what it is said to be."""
