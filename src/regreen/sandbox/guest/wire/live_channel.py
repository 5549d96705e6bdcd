"""The form of messages between a judge and a guest that share live objects.

Either side asks, and either answers, also while its own question waits. Every message carries what became of the
containers that both hold, so that each sees what the other did to them; the objects of both sides stay the same ones.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

from regreen.sandbox.guest.wire.aliases import containers, restore
from regreen.sandbox.guest.wire.codec_format import BadMessage, TooLarge
from regreen.sandbox.guest.wire.kept_objects import MOST_KEPT, KeptObjects
from regreen.sandbox.guest.wire.live_handles import HandleTable, decode_live, encode_live

QUESTION, RETURNED, RAISED, REFUSED = range(4)
"""What a message is: a request, an answer, an exception in its place, or why there is no answer that could cross."""
_FEWEST_MANY = 64
"""Containers that both sides hold before what only holds itself is looked for."""


class LiveChannel:
    """One side's objects that the other side knows of, and its messages about them."""

    def __init__(self, table: HandleTable, *, answering: bool) -> None:
        self.table = table
        self.answering = answering
        """Whether this is the program's side."""
        self.shared = KeptObjects()
        """The containers that both sides hold, in the order that both know."""
        self.many = _FEWEST_MANY
        """How many of them there are when what holds itself is let go of."""
        self.unheld: tuple[int, ...] = ()
        """Numbers of the other side's objects that nothing holds here: the next message tells them."""

    def pack(self, kind: int, content: Any, aside: tuple[Any, ...] = ()) -> bytes:
        """A message; `aside` is plain data beside its content. Raises Unplain or TooLarge where it cannot cross."""
        shared = self.shared
        self._let_go()
        if not shared.objects and not containers(content):
            # Most messages are about handles and scalars alone.
            return self._encoded(kind, content, aside, (), ())
        places = shared.held_places()
        known = {id(item) for item in shared.objects}
        fresh = [item for item in containers((content, *shared.objects)) if id(item) not in known]
        if len(known) + len(fresh) > MOST_KEPT:
            raise TooLarge(f"more than {MOST_KEPT:,} containers")
        message = self._encoded(kind, content, aside, tuple(places), (*shared.objects, *fresh))
        shared.select(places)
        shared.add(fresh)
        return message

    def _let_go(self) -> None:
        """Forget what is not held any more, and where much is shared, also what only holds itself.

        An exception that a function caught and kept in a variable holds that function's frame, and so itself; all that
        it carries would be told with every message until Python looks for such rings, which it does seldom.
        """
        is_much = len(self.shared.objects) >= self.many
        if is_much:
            gc.collect()
        self.unheld += self.table.forget_unheld(surely=is_much)
        if is_much:
            self.many = max(_FEWEST_MANY, 2 * len(self.shared.held_places()))

    def _encoded(self, *parts: Any) -> bytes:
        message = encode_live((*parts, self.unheld), self.table, answering=self.answering)
        self.unheld = ()
        return message

    def unpack(self, message: bytes) -> tuple[int, Any, tuple[Any, ...]]:
        """Kind, content and what is beside it. Raises BadMessage for what no honest side sends."""
        kind, content, aside, places, contents, unheld = _six(decode_live(message, self.table))
        count = len(self.shared.objects)
        fresh: Sequence[Any] = contents
        try:
            if count:
                content, *fresh = restore(
                    self.shared.objects, contents[:count], (content, *contents[count:]), spare_same=True
                )
            if not _ascending(places, count):
                raise ValueError("places of nothing")
            self.shared.select(places)
            self.shared.add(fresh)
            self._set_free(unheld)
        except (TypeError, ValueError) as error:
            raise BadMessage(f"containers of another shape ({error})") from None
        return kind, content, aside

    def _set_free(self, unheld: tuple[Any, ...]) -> None:
        """Forget objects of this side that nothing holds on the other. Raises ValueError for what was not there."""
        try:
            self.table.forget_own(unheld)
        except KeyError:
            raise ValueError("a number of nothing") from None


def _six(body: Any) -> tuple[int, Any, tuple[Any, ...], Sequence[int], tuple[Any, ...], tuple[Any, ...]]:
    if type(body) is not tuple or len(body) != 6:
        raise BadMessage("a message of another shape")
    kind, content, aside, places, contents, unheld = body
    if type(kind) is not int or any(type(part) is not tuple for part in (aside, places, contents, unheld)):
        raise BadMessage("a message of another shape")
    return kind, content, aside, places, contents, unheld


def _ascending(places: Sequence[Any], count: int) -> bool:
    """Whether these are numbers below `count`, each greater than the one before."""
    last = -1
    for place in places:
        if type(place) is not int or not last < place < count:
            return False
        last = place
    return True
