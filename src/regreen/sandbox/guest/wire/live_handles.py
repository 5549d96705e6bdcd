"""Live objects across the wall: each stays in the process that made it, and the other process has its number.

Both sides number what they hand over, and each makes stand-ins for the other's objects, one for each. What an object is
said to be crosses once, with its first mention. As in `codec.py`, what comes from the other side is a description and
nothing that can run, and what it may be is for the reading side to decide.

A stand-in that nothing holds any more is forgotten, and its object is set free: objects live hardly longer than where
program and checks share one process, and what is said of them does not grow with every round of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from regreen.sandbox.guest.wire import codec_format as form
from regreen.sandbox.guest.wire.codec_format import MESSAGE_LIMIT, SIZE32, BadMessage, CodecError, TooLarge
from regreen.sandbox.guest.wire.codec_read import ValueReader
from regreen.sandbox.guest.wire.codec_write import ValueWriter
from regreen.sandbox.guest.wire.reference_counts import ALONE, reference_counts

MOST_HANDLES = 100_000
"""Live objects of one side that the other may hold at a time."""
_FEWEST_LOOKED_AT = 32
"""Stand-ins before it is looked for those that nothing holds."""


class HandleTable:
    """What one process knows of live objects: its own by number, and what stands for the other side's."""

    def __init__(
        self,
        describe: Callable[[Any], tuple[Any, ...]],
        stand_in: Callable[[int, tuple[Any, ...]], Any],
        forget: Callable[[Any], None],
    ) -> None:
        self.describe = describe
        """What the other side is told of an object. Raises Unplain where it cannot cross."""
        self.stand_in = stand_in
        """Makes what stands for an object of the other side. Raises ValueError or TypeError where that is absurd."""
        self.forget = forget
        """Told each object of this side, and each stand-in, that has no number any more."""
        self.own: dict[int, Any] = {}
        """Number -> object of this side."""
        self.numbers = count()
        self.own_numbers: dict[int, int] = {}
        """Id of an object of this side -> its number."""
        self.others: dict[int, Any] = {}
        """Number -> what stands for the other side's object."""
        self.other_numbers: dict[int, int] = {}
        """Id of a stand-in -> its number."""
        self.enough = _FEWEST_LOOKED_AT
        """How many stand-ins there are when it is looked for those that nothing holds."""

    def add_own(self, value: Any) -> int:
        """Number an object of this side."""
        if len(self.own) >= MOST_HANDLES:
            raise TooLarge(f"more than {MOST_HANDLES:,} live objects")
        number = self.own_numbers[id(value)] = next(self.numbers)
        self.own[number] = value
        return number

    def add_other(self, number: int, stand_in: Any) -> None:
        """Have an object of this side stand for one of the other's."""
        if number in self.others:
            del self.other_numbers[id(self.others[number])]
        self.others[number] = stand_in
        self.other_numbers[id(stand_in)] = number

    def forget_own(self, numbers: Sequence[int]) -> None:
        """Forget these objects of this side. Raises KeyError where there is no such number."""
        for number in numbers:
            value = self.own.pop(number)
            del self.own_numbers[id(value)]
            self.forget(value)

    def forget_unheld(self, *, surely: bool = False) -> tuple[int, ...]:
        """Forget the stand-ins that nothing else holds, if there may be many; the numbers of those forgotten.

        Looking through all takes time: unless `surely`, it is done where there are twice as many as were left the last
        time.
        """
        if not surely and len(self.others) < self.enough:
            return ()
        counts = reference_counts(self.others.values())
        unheld = tuple(number for number, held in zip(self.others, counts, strict=True) if held <= ALONE)
        for number in unheld:
            value = self.others.pop(number)
            del self.other_numbers[id(value)]
            self.forget(value)
        self.enough = max(_FEWEST_LOOKED_AT, 2 * len(self.others))
        return unheld

    def number_of(self, stand_in: Any) -> int | None:
        """The number of what stands for an object of the other side; None for one of an earlier program."""
        return self.other_numbers.get(id(stand_in))


class _HandleWriter(ValueWriter):
    """Writes plain data, and live objects as their numbers."""

    __slots__ = ("table",)

    def __init__(self, limit: int, table: HandleTable, *, answering: bool) -> None:
        super().__init__(limit, answering=answering)
        self.table = table

    def live(self, value: Any, depth: int) -> None:
        """Write an object's number, and with its first mention what it is."""
        table = self.table
        if (number := table.other_numbers.get(id(value))) is not None:
            self.out += bytes((form.OTHER_HANDLE,)) + SIZE32.pack(number)
        elif (number := table.own_numbers.get(id(value))) is not None:
            self.out += bytes((form.OWN_HANDLE,)) + SIZE32.pack(number)
        else:
            described = table.describe(value)
            self.out += bytes((form.NEW_HANDLE,)) + SIZE32.pack(table.add_own(value))
            self.items((described,), depth)


class _HandleReader(ValueReader):
    """Reads plain data, and stand-ins for live objects."""

    __slots__ = ("table",)

    def __init__(self, data: bytes, table: HandleTable) -> None:
        super().__init__(data)
        self.table = table

    def live(self, tag: int, depth: int) -> Any:
        """The object of this side that is meant, or what stands for one of the other side."""
        table = self.table
        (number,) = SIZE32.unpack_from(self.data, self.place)
        self.place += SIZE32.size
        self.spend(4)
        if tag == form.OTHER_HANDLE:
            return table.own[number]
        if tag == form.OWN_HANDLE:
            return table.others[number]
        (described,) = self.values(1, depth, [])
        if type(described) is not tuple or number in table.others or len(table.others) >= MOST_HANDLES:
            raise BadMessage("a live object of another shape")
        stand_in = table.stand_in(number, described)
        table.add_other(number, stand_in)
        return stand_in


def encode_live(value: Any, table: HandleTable, *, answering: bool) -> bytes:
    """As `encode`, with live objects as handles. For a message that cannot be written, nothing is numbered."""
    before = len(table.own)
    try:
        return _HandleWriter(MESSAGE_LIMIT, table, answering=answering).message(value)
    except (CodecError, MemoryError):
        table.forget_own([*table.own][before:])
        raise


def decode_live(data: bytes, table: HandleTable) -> Any:
    """As `decode`, with what stands for live objects."""
    return _HandleReader(data, table).message()
