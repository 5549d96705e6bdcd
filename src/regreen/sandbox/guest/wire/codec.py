"""Values across the wall between the judge and the guest, which is hostile: plain data only, and nothing that can run.

`encode` never runs code of the value's own; `decode` takes any bytes at all and either gives a value made of this
process's own exact types or raises BadMessage. Within one message identity is kept: what was one list is one again.
Not covered: a metaclass's own `__hash__` may run while its class is looked up (in the process that made it).
"""

from __future__ import annotations

from typing import Any

from regreen.sandbox.guest.wire.codec_exceptions import describe_exception
from regreen.sandbox.guest.wire.codec_format import MESSAGE_LIMIT, BadMessage, CodecError, TooLarge, Unplain
from regreen.sandbox.guest.wire.codec_read import ValueReader
from regreen.sandbox.guest.wire.codec_write import ValueWriter

__all__ = ["BadMessage", "CodecError", "TooLarge", "Unplain", "decode", "describe_exception", "encode"]


def encode(value: Any, *, limit: int = MESSAGE_LIMIT, answering: bool = True) -> bytes:
    """The value as at most `limit` bytes; `answering` where the program's process writes to the judge's.

    Raises Unplain (with the name of the type) when a live object is in it or it is nested too deeply, TooLarge when it
    is too long.
    """
    return ValueWriter(limit, answering=answering).message(value)


def decode(data: bytes) -> Any:
    """The value that the bytes stand for. Raises BadMessage, and nothing else, when there is none."""
    return ValueReader(data).message()
