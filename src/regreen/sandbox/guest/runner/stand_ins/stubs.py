"""Stand-ins for the program on the judge's side of the wall: functions that ask the guest.

A stub sends its arguments as plain data, rebuilds the answer as the judge's own types, and brings changes of mutable
arguments back into the caller's objects. Nothing that the guest sends is executed or believed.
"""

from __future__ import annotations

import json
import marshal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from regreen.sandbox.guest.runner.checks.captured_output import OutputFlood
from regreen.sandbox.guest.runner.program_loading.precompile import precompiled
from regreen.sandbox.guest.runner.stand_ins.call_prefetch import PrefetchedCall
from regreen.sandbox.guest.runner.stand_ins.exception_rebuild import ExceptionRebuilder
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.wire.aliases import containers, restore
from regreen.sandbox.guest.wire.codec import BadMessage, TooLarge, Unplain, decode, encode
from regreen.sandbox.guest.wire.codec_exceptions import checked_description, cut_text
from regreen.sandbox.guest.wire.codec_format import NotPlain
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed, Overdue, Oversize, WireError
from regreen.sandbox.guest.wire.fast_formats import plain_request
from regreen.sandbox.guest.wire.kept_objects import KeptObjects

ENDLESS_NS = 10**15
"""More nanoseconds than any honest guest reports (11 days)."""


class GuestLost(BaseException):
    """The guest gave no usable answer; `why` is "closed", "overdue", "torn" or "oversize"."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.detail = detail


class RaisedByProgram:
    """Attached to exceptions that the program raised: type name, message, and the program's lines in the traceback."""

    def __init__(self, name: str, message: str, lines: list[int], *, flood: bool) -> None:
        self.name = name
        self.message = message
        self.lines = lines
        self.flood = flood


class RemoteProgram:
    """The guest as the judge sees it."""

    def __init__(self, overdue: Callable[[float], bool]) -> None:
        self.wire: Connection | None = None
        self.overdue = overdue
        """Called when an answer is late, with the timeout so far in seconds; True grants more time."""
        self.rebuilder = ExceptionRebuilder()
        self.lost: GuestLost | None = None
        """How the guest was lost: kept here, since a check that catches everything may swallow the exception."""
        self.undecided: NotPlain | OutputFlood | None = None
        """Why the check that is running cannot pass any more; kept here for the same reason."""
        self.prefetched: deque[str] = deque()
        """The checks whose one call has been sent already."""
        self.kept = KeptObjects()
        """What the program and the checks both hold; requests without it have the guest forget it."""
        self.check = ""
        """The id of the check that is running; empty while the program is loaded."""
        self.spent = 0
        """Nanoseconds of CPU time that all guests together reported."""

    def load(self, program: dict[str, Any], prefetched_calls: Sequence[PrefetchedCall] = ()) -> None:
        """Send the guest its program, and calls that are sure to come. Raises what the program raises."""
        source, filename = program["source"], program["filename"]
        code = precompiled(source, filename) if program.get("compile") else None
        body = (code or source, program["module"], filename, program["companions"], program["seed"])
        order = (b"L" if code else b"S") + marshal.dumps(body)
        reply = self._ask([order, *(question.request for question in prefetched_calls)])
        self.prefetched.extend(question.check for question in prefetched_calls)
        self._settle(reply, (), {})

    def prefetch(self, calls: Sequence[PrefetchedCall]) -> None:
        """Send calls ahead; their checks receive the answers in this order."""
        if self.wire is not None and calls:
            self.wire.send_all([question.request for question in calls])
            self.prefetched.extend(question.check for question in calls)

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], kind: str = "call") -> Any:
        """Call a function of the program. Raises what it raises, as the judge's own exception."""
        time_limits.CROSSINGS.begin()
        try:
            return self._called(name, args, kwargs, kind)
        finally:
            time_limits.CROSSINGS.end()

    def _called(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], kind: str) -> Any:
        if self.prefetched:
            if self.kept.objects:
                self.kept.select(())
            if self.check in self.prefetched:
                return self._settle(self._ask([]), args, kwargs)
        try:
            request = self._request(kind, name, args, kwargs)
        except (Unplain, TooLarge) as error:
            text = f"the check hands {name}() an argument that cannot cross: {error}"
            raise self.refuse(NotPlain(text, outward=True)) from None
        return self._settle(self._ask([request]), args, kwargs)

    def _request(self, kind: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
        if self.kept.objects:
            # A check may have changed what it has dropped since: all of it is sent once more.
            places = self.kept.held_places()
            message = b"K" + encode((kind, name, args, kwargs, places, self.kept.objects), answering=False)
            self.kept.select(places)
            return message
        return plain_request(kind, name, args, kwargs) or b"C" + encode((kind, name, args, kwargs), answering=False)

    def refuse(self, why: NotPlain | OutputFlood) -> NotPlain | OutputFlood:
        """Have the check that is running not pass any more; returns what to raise."""
        self.undecided = self.undecided or why
        return why

    def _ask(self, requests: Sequence[bytes]) -> tuple[bytes, Any]:
        """The answer to the first of these requests, or to one that was prefetched.

        Time that runs out in the middle counts when both are through.
        """
        if self.lost is not None:
            raise self.lost
        try:
            time_limits.hold()
            try:
                reply = self._exchange(requests)
            finally:
                time_limits.TIMER.held = False
            time_limits.release()
            return reply[:1], (_quick if reply[:1] == b"J" else decode)(reply[1:])
        except BadMessage as error:
            raise self.torn(error) from None
        except GuestLost as lost:
            self.lost = lost
            raise

    def torn(self, why: object) -> GuestLost:
        """The exception for an answer that no honest guest gives; the guest counts as lost."""
        self.lost = GuestLost("torn", str(why))
        return self.lost

    def exchange(self, request: bytes) -> bytes:
        """The answer to a request, unread. Raises GuestLost."""
        if self.lost is not None:
            raise self.lost
        try:
            return self._exchange([request])
        except GuestLost as lost:
            self.lost = lost
            raise

    def _exchange(self, requests: Sequence[bytes]) -> bytes:
        if self.wire is None:
            raise GuestLost("closed")
        try:
            while self.prefetched and self.prefetched[0] != self.check:
                # A check that ended before its call has left the answer unread.
                self._await(self.wire)
                self.prefetched.popleft()
            if self.prefetched:
                self.prefetched.popleft()
            else:
                self.wire.send_all(requests)
            return self._await(self.wire)
        except ConnectionClosed:
            raise GuestLost("closed") from None
        except Oversize as error:
            raise GuestLost("oversize", str(error)) from None
        except WireError as error:
            raise GuestLost("torn", str(error)) from None

    def _await(self, wire: Connection) -> bytes:
        while True:
            try:
                return wire.receive()
            except Overdue:
                if not self.overdue(wire.timeout_seconds):
                    raise GuestLost("overdue") from None

    def _settle(self, reply: tuple[bytes, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        kind, body = reply
        if kind == b"J":
            return self._settle_quick(body)
        try:
            content, back, kept, new, printed, spent = _fields(kind, body)
            if back is not None or kept is not None or new is not None:
                content = self._restored(content, containers((args, kwargs)), back, kept, new)
        except (TypeError, ValueError) as error:
            raise self.torn(f"an answer of another shape ({error})") from None
        self.account(printed, spent)
        if kind in (b"U", b"T"):
            text = f"the program returns what cannot cross: {cut_text(content)}"
            raise self.refuse(NotPlain(text, outward=False))
        if kind == b"E":
            raise self._exception(content)
        return content

    def _settle_quick(self, body: Any) -> Any:
        """The answer of a call that printed nothing, and changed and kept nothing that the check knows."""
        try:
            content, spent = body
            self.spent += _nanoseconds(spent)
        except (TypeError, ValueError) as error:
            raise self.torn(f"an answer of another shape ({error})") from None
        return content

    def _restored(self, content: Any, given: list[Any], back: Any, kept: Any, new: Any) -> Any:
        """The answer, with the caller's own objects in it; these become what they are on the guest's side."""
        olds = [*(given if back is not None else ()), *(self.kept.objects if kept is not None else ())]
        news = [*(_listed(back) if back is not None else ()), *(_listed(kept) if kept is not None else ())]
        content, new = restore(olds, news, (content, _listed(new) if new is not None else []))
        self.kept.add(new)
        return content

    def account(self, printed: str | tuple[str, str], spent: int) -> None:
        """Print what the program printed, and count the nanoseconds that it took."""
        self.spent += spent
        text, errors = printed if isinstance(printed, tuple) else (printed, "")
        if not text and not errors:
            return
        try:
            sys.stdout.write(text)
            sys.stderr.write(errors)
        except OutputFlood as flood:
            raise self.refuse(flood) from None

    def _exception(self, told: Any) -> BaseException:
        try:
            return self.rebuilt(told)
        except (BadMessage, TypeError, ValueError) as bad:
            raise self.torn(f"an exception of another shape ({bad})") from None

    def rebuilt(self, told: Any, kind: type[BaseException] | None = None) -> BaseException:
        """The program's exception made again, as `kind` where that is given.

        Raises BadMessage, TypeError or ValueError where it has another shape.
        """
        described = checked_description(told)
        error = self.rebuilder.rebuild(described, kind)
        name, message, flood = described["name"], described["message"], described["flood"]
        if flood:
            self.refuse(OutputFlood(message))
        error.__regreen__ = RaisedByProgram(name, message, described["lines"], flood=flood)  # type: ignore[attr-defined]
        return error


def _refuse(pairs: Any) -> Any:
    """Refuse JSON objects: no honest guest sends any here, and a hostile one could choose keys that collide."""
    raise ValueError("an object")


_DECODER = json.JSONDecoder(object_pairs_hook=_refuse)


def _quick(body: bytes) -> Any:
    """The value of an answer in JSON. Raises BadMessage for anything else, or anything after it."""
    try:
        answer, end = _DECODER.raw_decode(body.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"not JSON: {error}") from error
    if end < len(body):
        raise BadMessage("not JSON: it goes on after its end")
    return answer


def _fields(kind: bytes, body: Any) -> tuple[Any, Any, Any, Any, Any, int]:
    back = kept = new = None
    if kind in (b"R", b"E"):
        content, back, kept, new, printed, spent = body
    elif kind in (b"U", b"T"):
        content, printed, spent = body
    else:
        raise ValueError(kind)
    texts = printed if type(printed) is tuple and len(printed) == 2 else (printed,)
    if any(type(text) is not str for text in texts):
        raise TypeError("no text")
    return content, back, kept, new, printed, _nanoseconds(spent)


def _nanoseconds(spent: Any) -> int:
    if type(spent) is not int or not 0 <= spent < ENDLESS_NS:
        raise TypeError("no time")
    return spent


def _listed(back: Any) -> list[Any]:
    if type(back) is not list:
        raise TypeError("no list of what became of the arguments")
    return back
