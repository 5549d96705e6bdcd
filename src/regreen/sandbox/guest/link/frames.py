"""What travels over a link: frames of a kind, a lane and a length, then that many bytes.

A container has no descriptors in common with the host, only its standard streams. A *lane* stands for one connection of
a child: bytes that come in at one end leave at the other. Neither end sends more on a lane than the window allows
before the other end says that it has delivered some: so a child that reads nothing holds up nobody else.
"""

from __future__ import annotations

import struct

CONTROL, LANE_BYTES, HUNG_UP, DELIVERED, LANE, FILE, FILE_END, PAGE, PAGE_BYTES = range(9)
"""An order or its answer. Bytes of a lane; the end of one; how many of its bytes were delivered. For the next bytes of
the main lane: a new lane, a part of a file, the file's end, a page of memory that both sides see. What changed in that
page: its place, as two bytes, and the bytes."""
FRAME_HEADER = struct.Struct("<BBI")
"""Kind, lane, and length."""
MAIN = 0
"""The lane of the child's own connection."""
LANES = 256
CHUNK = 1 << 15
"""The most bytes of a lane in a frame."""
FRAME_BYTES = 1 << 17
"""The longest frame: an answer with all that a child wrote to its raw output."""
WINDOW = 1 << 18
"""Bytes of a lane that may be under way."""
PAGE_LENGTH = 4096
PAGE_USED = 64
"""The bytes at the page's beginning that are kept alike."""
PAGE_MILLISECONDS = 20
"""How often either end looks whether the shared page has changed."""
LENGTH_BYTES = 4
"""The first thing on a link is the code for inside: its length, the lowest byte first, and then the code."""


def frame(kind: int, lane: int, payload: bytes = b"") -> bytes:
    """One frame."""
    return FRAME_HEADER.pack(kind, lane, len(payload)) + payload
