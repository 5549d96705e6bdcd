"""Which lines of the program an exception came through."""

from __future__ import annotations

from collections import deque
from types import TracebackType

MOST_FRAMES = 1000
"""Frames of a traceback that are kept, counted from the innermost."""


def program_lines(traceback: TracebackType | None, filename: str) -> list[int]:
    """The program's lines in a traceback, innermost last; of a very deep one, the innermost.

    Anything that is not a traceback gives no lines: a hostile exception may say what it likes of itself.
    """
    lines: deque[int] = deque(maxlen=MOST_FRAMES)
    while type(traceback) is TracebackType:
        # Frames of some generated code have no line number.
        if traceback.tb_frame.f_code.co_filename == filename and type(traceback.tb_lineno) is int:
            lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    return list(lines)
