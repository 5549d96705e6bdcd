"""How an engine's API frames the streams of a container without a terminal: which one, a length, and the bytes."""

from __future__ import annotations

import struct

_HEADER = struct.Struct(">BxxxI")
STDOUT, STDERR = 1, 2
_LONGEST = 1 << 24


def take_whole_frames(raw: bytearray) -> list[tuple[int, bytes]]:
    """Take what came whole out of what an engine has sent: the stream's number, and its bytes.

    Raises ValueError for what is no container's output.
    """
    found, at = [], 0
    while len(raw) - at >= _HEADER.size:
        which, length = _HEADER.unpack_from(raw, at)
        begin = at + _HEADER.size
        if length > _LONGEST:
            raise ValueError("the engine sends what is no container's output")
        if begin + length > len(raw):
            break
        found.append((which, bytes(raw[begin : begin + length])))
        at = begin + length
    del raw[:at]
    return found
