"""Exceptions that ended a check, as the sandbox describes them: what they name, and the frames they came through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TracebackFrame:
    """One frame of a traceback."""

    file: str
    """As the interpreter names it: "<prices>" for the program, the tests' own name, a path for what is installed."""
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class RaisedError:
    """One exception: the program's or the tests' own word, which must be escaped before it is shown."""

    kind: str
    """Name of its class."""
    message: str
    name: str = ""
    """The module, fixture or attribute that it names; empty for none."""
    file: str = ""
    """The file that it names; empty for none."""
    errno: int | None = None
    key: str = ""
    """The key of a KeyError."""
    frames: tuple[TracebackFrame, ...] = ()
    """Outermost first; of a very deep traceback, the innermost."""

    def came_through(self, file: str) -> bool:
        """Whether one of its frames is in the file."""
        return any(frame.file == file for frame in self.frames)


def raised_errors_from(chain: Sequence[Any]) -> tuple[RaisedError, ...]:
    """The exceptions of a chain as they came from the sandbox, outermost first."""
    return tuple(_raised_error(plain) for plain in chain)


def _raised_error(plain: Any) -> RaisedError:
    texts = {name: str(plain[name]) for name in ("kind", "message", "name", "file", "key")}
    errno = plain["errno"]
    frames = tuple(TracebackFrame(str(file), int(line), str(function)) for file, line, function in plain["frames"])
    return RaisedError(**texts, errno=None if errno is None else int(errno), frames=frames)
