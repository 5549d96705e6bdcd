"""What an exception says of its cause, as plain data: its kind, what it names, and the frames that it came through.

A hostile exception may say what it likes: this is evidence for a message, never for a verdict.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import Any

_MOST_CAUSES = 5
"""Exceptions of a chain that are told, the outermost first."""
_MOST_FRAMES = 60
"""Frames of a traceback that are told, counted from the innermost."""
_MOST_CHARACTERS = 500

ErrorEvidence = dict[str, Any]


def error_chain(error: BaseException, place: str = "") -> list[ErrorEvidence]:
    """The exception and those that led to it, as `raise ... from` and `__context__` tell; never raises.

    Files below the folder `place` are named as seen from there.
    """
    try:
        return [_evidence(cause, f"{place}/" if place else "") for cause in _causes(error)]
    except BaseException:  # noqa: BLE001  attributes of a hostile exception may do anything
        return []


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    cause: BaseException | None = error
    while isinstance(cause, BaseException) and id(cause) not in seen and len(seen) < _MOST_CAUSES:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _evidence(error: BaseException, place: str) -> ErrorEvidence:
    arguments = error.args if type(error.args) is tuple else ()
    return {
        "kind": type(error).__name__,
        "message": _text(str(error)),
        "name": _text(getattr(error, "name", None) or getattr(error, "argname", None)),
        "file": _text(getattr(error, "filename", None)).removeprefix(place),
        "errno": _number(getattr(error, "errno", None)),
        "key": _text(arguments[0]) if isinstance(error, KeyError) and arguments else "",
        "frames": _frames(error.__traceback__, place),
    }


def _frames(traceback: TracebackType | None, place: str) -> list[list[Any]]:
    """File, line and function of each frame, the innermost last."""
    frames: deque[list[Any]] = deque(maxlen=_MOST_FRAMES)
    while type(traceback) is TracebackType:
        code = traceback.tb_frame.f_code
        frames.append(
            [_text(code.co_filename).removeprefix(place), _number(traceback.tb_lineno) or 0, _text(code.co_name)]
        )
        traceback = traceback.tb_next
    return list(frames)


def _text(value: Any) -> str:
    return value[:_MOST_CHARACTERS] if type(value) is str else ""


def _number(value: Any) -> int | None:
    return value if type(value) is int else None
