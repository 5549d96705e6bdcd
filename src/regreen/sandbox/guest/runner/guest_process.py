"""The guest: holds one candidate, answers calls of its functions, and knows nothing of the checks.

Whatever a candidate does to this process, its only effect is another answer on the wire; the judge believes no answer,
it compares them.

The process is a fresh fork, in which the first access to a page of memory often costs a fault: what most programs need
is done by few functions, and the rest is not touched until it is needed.
"""

from __future__ import annotations

import sys
from _thread import _count as thread_count
from marshal import loads
from time import process_time_ns
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks.captured_output import CappedText, OutputFlood
from regreen.sandbox.guest.runner.checks.traceback_lines import forget_frames, program_lines
from regreen.sandbox.guest.runner.program_loading.program_module import SEED, install_companions, introduce, seed_random
from regreen.sandbox.guest.runner.stand_ins.live_guest import LiveGuest
from regreen.sandbox.guest.wire.aliases import containers, flat_containers, restore
from regreen.sandbox.guest.wire.codec import TooLarge, Unplain, decode, describe_exception, encode
from regreen.sandbox.guest.wire.fast_formats import JSON_SCALARS, as_json, flat_image
from regreen.sandbox.guest.wire.guest_connection import GuestConnection, HangUp
from regreen.sandbox.guest.wire.kept_objects import KeptObjects, is_held_flat, newly_kept

_SCALARS, _FLAT, _LOAD, _SOURCE, _MARSHALLED, _KEPT, _LIVE = b"AFLSMKV"
"""The first byte of a request: a call with scalars alone or with flat arguments, a program's code or its text, another
call or name, one that comes with the objects that both sides hold, or one about live objects. After any other byte
comes a message of the codec."""
_NOTHING: dict[str, Any] = {}
_LoadOrder = tuple[Any, str, str, dict[str, str], int]
"""A program, its module name and file name, companion modules by their paths, and the seed of its random numbers."""
_IMMUTABLE = frozenset({int, float, str, bytes, bool, type(None), complex})


class Guest:
    """One program, its connection to the judge, and the text that it prints."""

    __slots__ = (
        "errors",
        "filename",
        "kept",
        "line",
        "live",
        "module",
        "names",
        "output",
        "started",
        "streams",
        "threads",
    )

    def __init__(self, limits: dict[str, Any]) -> None:
        self.output = CappedText(limits["output_bytes"])
        self.errors = CappedText(limits["output_bytes"])
        """What is written to `sys.stderr`: an example of a doctest shows none of it."""
        self.line = GuestConnection(-1)
        # Made before the fork: in the child the module and the streams would cost faults of a dozen pages.
        self._forget()
        self._take_streams()
        self.filename = ""
        self.kept = KeptObjects()
        """What the program and a check both hold; a request that does not mention it has the program's end forget."""
        self.live: LiveGuest | None = None
        """What answers where the checks use live objects of the program."""
        self.threads = 0
        """How many threads there were before the program."""
        self.streams: tuple[Any, Any] = sys.stdout, sys.stderr
        """Where it printed to when it was asked."""
        self.started = 0
        """This process's CPU clock, in nanoseconds, when the last answer was ready; it stands still while it waits."""

    def serve(self, fd: int) -> None:
        """Load the program that comes first, then answer until the judge hangs up."""
        if sys.stdout is not self.output:
            self._take_streams()
        line = self.line
        line.fd = fd
        self.threads = thread_count()
        try:
            while True:
                request = line.receive()
                self.streams = sys.stdout, sys.stderr
                kind = request[0]
                if kind == _SCALARS:
                    answer = self._of_scalars(loads(request[1:]))
                elif kind == _FLAT:
                    answer = self._flat(loads(request[1:]))
                elif kind == _LOAD:
                    answer = self._load(loads(request[1:]))
                elif kind == _SOURCE:
                    answer = self._compile(loads(request[1:]))
                elif kind == _KEPT:
                    answer = self._with_kept(decode(request[1:]))
                elif kind == _LIVE:
                    self.live = self.live or LiveGuest(self)
                    answer = self.live.answer(request)
                else:
                    answer = self._any((loads if kind == _MARSHALLED else decode)(request[1:]))
                line.send(answer)
        except HangUp:
            return

    def unlike(self) -> str:
        """What the program has done to its process that the checks would notice in one with it; empty for nothing."""
        return "a thread that goes on" if thread_count() > self.threads else self.replaced()

    def replaced(self) -> str:
        """Which stream the program has replaced, into which the checks may print; empty for none."""
        output, errors = self.streams
        # Where it took one away, nobody sees what the checks print.
        is_own = (sys.stdout is output or sys.stdout is None) and (sys.stderr is errors or sys.stderr is None)
        return "" if is_own else "a standard stream that the program replaced"

    def _forget(self) -> None:
        """Start over with a fresh module without a name, holding what `exec` puts into it."""
        self.module = ModuleType("")
        self.names = self.module.__dict__
        exec("", self.names)

    def _take_streams(self) -> None:
        sys.stdout, sys.stderr = self.output, self.errors

    def _compile(self, order: _LoadOrder) -> bytes:
        """Compile the program's text, then do as `_load`."""
        source, name, self.filename, companions, seed = order
        try:
            code = compile(source, self.filename, "exec", dont_inherit=True)
        except BaseException as error:  # noqa: BLE001  what is wrong with its text is its answer
            self._forget()
            return self._raised(error)
        return self._load((code, name, self.filename, companions, seed))

    def _load(self, order: _LoadOrder) -> bytes:
        """Run the program."""
        code, name, self.filename, companions, seed = order
        if companions:
            install_companions(companions)
        if seed != SEED:
            seed_random(seed)
        try:
            introduce(self.module, self.names, name, self.filename)
            exec(code, self.names)
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
            self._forget()
            return self._raised(error)
        return self._returned(None, None)

    def _of_scalars(self, request: tuple[str, tuple[Any, ...], dict[str, Any]]) -> bytes:
        """Call a function with scalars alone, which it can neither change nor keep as objects."""
        name, args, kwargs = request
        names = self.names
        if self.kept.objects:
            self.kept.select(())
        try:
            value = names[name](*args, **kwargs) if name in names else _missing(name)
            if type(value) in JSON_SCALARS:
                return self._returned(value, None)
            if _is_apart(value, (), _NOTHING) and not is_held_flat((), _NOTHING, value):
                return self._returned(value, None)
            answer = [value]
            del value
            return self._settled(answer, args, kwargs, [], changed=False)
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
            return self._raised(error, args, kwargs, [])

    def _flat(self, request: tuple[str, bytes]) -> bytes:
        """Call a function with scalars and flat containers of them."""
        name, image = request
        args, kwargs = loads(image)
        names = self.names
        if self.kept.objects:
            self.kept.select(())
        try:
            value = names[name](*args, **kwargs) if name in names else _missing(name)
            same = flat_image(args, kwargs) == image
            plain = type(value) in JSON_SCALARS or _is_apart(value, args, kwargs)
            if same and plain and not is_held_flat(args, kwargs, value):
                return self._returned(value, None)
            answer = [value]
            del value
            return self._settled(answer, args, kwargs, flat_containers(args, kwargs), changed=not same)
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
            changed = flat_image(args, kwargs) != image
            return self._raised(error, args, kwargs, flat_containers(args, kwargs), changed=changed)

    def _any(self, request: tuple[str, str, tuple[Any, ...], dict[str, Any]]) -> bytes:
        """Call a function, or fetch a value."""
        if self.kept.objects:
            self.kept.select(())
        return self._call(*request)

    def _with_kept(self, request: tuple[str, str, tuple[Any, ...], dict[str, Any], list[int], list[Any]]) -> bytes:
        """Do as `_any`, once the objects that both sides hold are what the judge's side made of them."""
        kind, name, args, kwargs, places, contents = request
        args, kwargs = restore(self.kept.objects, contents, (args, kwargs))
        self.kept.select(places)
        del contents, request
        return self._call(kind, name, args, kwargs)

    def _call(self, kind: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
        given = _image(args, kwargs)
        held = containers((args, kwargs)) if given is not None else []
        try:
            answer = [_perform(kind, self._named(name), args, kwargs)]
            return self._settled(answer, args, kwargs, held, changed=bool(held) and _image(args, kwargs) != given)
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
            return self._raised(error, args, kwargs, held, changed=bool(held) and _image(args, kwargs) != given)

    def _settled(
        self, answer: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any], held: list[Any], *, changed: bool
    ) -> bytes:
        """The reply to a call that returned the one item of `answer`, and whose arguments' containers are `held`."""
        known = [*self.kept.objects]
        new = newly_kept(args, kwargs, answer, held, known)
        back = held if held and (changed or new or _shared(answer, held)) else None
        return self._returned(answer[0], back, known, new)

    def _named(self, name: str) -> Any:
        names = self.names
        return names[name] if name in names else _missing(name)

    def _returned(self, value: Any, back: Any, known: Any = None, new: Any = None) -> bytes:
        output, before = self.output, self.started
        self.started = process_time_ns()
        spent = self.started - before
        if unlike := self.unlike():
            return b"U" + encode((unlike, "", spent))
        if (
            back is None
            and not known
            and not new
            and not output.parts
            and not self.errors.parts
            and (text := as_json(value))
        ):
            return f"J[{text}, {spent}]".encode()
        try:
            self.kept.add(new or ())
            return b"R" + encode((value, back, known or None, new or None, self._printed(), spent))
        except (Unplain, ValueError) as error:
            return b"U" + encode((str(error), "", spent))
        except TooLarge as error:
            return b"T" + encode((str(error), "", spent))

    def _printed(self) -> str | tuple[str, str]:
        """What was printed since the last answer; together with the text for `sys.stderr`, if there is any."""
        text, errors = self.output.take(), self.errors.take()
        return (text, errors) if errors else text

    def _raised(
        self,
        error: BaseException,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] = _NOTHING,
        held: list[Any] | None = None,
        *,
        changed: bool = False,
    ) -> bytes:
        lines = program_lines(error.__traceback__, self.filename)
        before, self.started = self.started, process_time_ns()
        spent = self.started - before
        described = {**describe_exception(error), "lines": lines, "flood": type(error) is OutputFlood}
        back, known, new = None, None, None
        if not isinstance(error, MemoryError):
            forget_frames(error)
            known = [*self.kept.objects]
            new = newly_kept(args, kwargs, [described["args"]], held or (), known)
            back = held if held and (changed or new or _shared([described["args"]], held)) else None
        try:
            self.kept.add(new or ())
            return b"E" + encode((described, back, known or None, new or None, self._printed(), spent))
        except (Unplain, TooLarge, ValueError):
            brief = {name: described[name] for name in ("name", "mro", "builtin", "message", "lines", "flood")}
            return b"E" + encode(({**brief, "args": None}, None, None, None, "", spent))


def _perform(kind: str, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kind == "get":
        return target
    if kind == "await":
        import asyncio

        return asyncio.run(_awaited(target, args, kwargs))
    return target(*args, **kwargs)


async def _awaited(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return await target(*args, **kwargs)


def _missing(name: str) -> Any:
    raise NameError(f"the program defines no {name!r}")


def _image(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes | None:
    """The arguments as bytes, to compare after the call; None when nothing in them can change."""
    if not kwargs and all(type(a) in _IMMUTABLE for a in args):
        return None
    try:
        return encode((args, kwargs))
    except (Unplain, TooLarge):
        return b""


def _is_apart(value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether an answer is a list of scalars that is none of the arguments."""
    if type(value) is not list or not JSON_SCALARS.issuperset(map(type, value)):
        return False
    return not any(value is argument for argument in args) and not (kwargs and value in kwargs.values())


def _shared(answer: list[Any], held: list[Any]) -> bool:
    """Whether an answer is, or contains, one of the containers of the arguments."""
    if not held or type(answer[0]) in _IMMUTABLE:
        return False
    known = {id(item) for item in held}
    return any(id(item) in known for item in containers(answer))
