"""Which lines of the program run, and where it stopped: for localisation, inside the sandbox."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any


class LineTrace:
    """Collects the lines executed of code whose file name is `filename`."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.lines: set[int] = set()
        self.last: int | None = None

    def start(self) -> None:
        """Begin to collect."""
        sys.settrace(self._call)

    def stop(self) -> None:
        """Stop collecting."""
        sys.settrace(None)

    def spinning_line(self) -> int | None:
        """The last line that ran."""
        return self.last

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename == self.filename else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.last = frame.f_lineno
            self.lines.add(frame.f_lineno)
        return self._line


def program_lines(traceback: TracebackType | None, filename: str) -> list[int]:
    """The program's lines in a traceback, innermost last."""
    lines = []
    while traceback is not None and len(lines) < 1000:
        if traceback.tb_frame.f_code.co_filename == filename:
            lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    return lines
