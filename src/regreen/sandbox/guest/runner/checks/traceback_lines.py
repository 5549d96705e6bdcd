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


def forget_frames(error: BaseException) -> None:
    """Drop the tracebacks of an exception and of those behind it: their frames hold what the calls were given."""
    waiting, seen = [error], set()
    while waiting:
        raised = waiting.pop()
        if id(raised) not in seen:
            seen.add(id(raised))
            _set_traceback(raised, None)
            waiting += [other for other in (_cause_of(raised), _context_of(raised)) if other is not None]


_set_traceback = BaseException.__dict__["__traceback__"].__set__
_cause_of = BaseException.__dict__["__cause__"].__get__
_context_of = BaseException.__dict__["__context__"].__get__
