"""Warnings and log records of a program, which its checks look at: each is told the moment it comes about.

In the program's process both are caught where Python would show them; in the checks' they come about anew, so that
filters, handlers, `caplog` and `pytest.warns` of the checks decide as they would with one process.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.wire.codec_format import BadMessage

Asking = Callable[..., Any]
_LONGEST = 1_000
_OF_RECORDS = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}
"""The attributes that every record of the log has."""
_RecordParts = tuple[Any, ...]


def tell_warnings(ask: Asking) -> None:
    """Have every warning of this process told by `ask("warn", ...)`, which may raise it."""

    def show(told: warnings.WarningMessage) -> None:
        ask("warn", told.message, told.filename, told.lineno)

    warnings.simplefilter("always")
    warnings._showwarnmsg = show  # type: ignore[attr-defined]


def tell_log(ask: Asking, refuse: Callable[[str], None]) -> None:
    """Have every record of this process's log told by `ask("log", ...)`, or refused where it cannot be told."""

    class Teller(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.stack_info:
                refuse("a record of the log with a stack")
            ask("log", *_record_parts(record))

    logging.getLogger().addHandler(Teller())


def _record_parts(record: logging.LogRecord) -> _RecordParts:
    error, text = None, None
    if record.exc_info:
        error, text = record.exc_info[1], logging.Formatter().formatException(record.exc_info)
    extra = {name: value for name, value in record.__dict__.items() if name not in _OF_RECORDS}
    place = record.pathname, record.lineno, record.funcName
    return record.name, record.levelno, place, record.msg, record.args, error, text, extra


class WorldEvents:
    """The warnings and records of one program's, made anew in the checks' process."""

    def __init__(self, module: str, filename: str) -> None:
        self.module = module
        self.filename = filename
        self.registries: dict[str, dict[Any, Any]] = {}
        """File -> what Python remembers of the warnings that were shown for it."""

    def warn(self, parts: tuple[Any, ...]) -> None:
        """Warn. Raises the warning where a filter of the checks makes an error of it, BadMessage for what is none."""
        if len(parts) != 3:
            raise BadMessage("a warning of another shape")
        message, filename, line = parts
        if not isinstance(message, Warning) or type(filename) is not str or type(line) is not int:
            raise BadMessage("a warning of another shape")
        if len(filename) > _LONGEST or not 0 <= line < 1 << 31:
            raise BadMessage("a warning of another shape")
        # None would have C's part of Python show nothing at all.
        module = self.module if filename == self.filename else filename.removesuffix(".py")
        registry = self.registries.setdefault(filename, {})
        warnings.warn_explicit(message, type(message), filename, line, module=module, registry=registry)

    def log(self, parts: tuple[Any, ...]) -> None:
        """Hand a record to the loggers of this process. Raises BadMessage for what is none."""
        if len(parts) != len(_SHAPE) or not all(map(_fits, parts, _SHAPE)):
            raise BadMessage("a record of another shape")
        name, level, place, message, args, error, text, extra = parts
        if len(name) > _LONGEST or len(place) != 3 or not all(map(_fits, place, _PLACE)):
            raise BadMessage("a record of another shape")
        record = logging.LogRecord(name, level, place[0], place[1], message, (), None, place[2])
        record.args = args
        if error is not None:
            record.exc_info, record.exc_text = (type(error), error, None), text
        if any(type(key) is not str or hasattr(record, key) for key in extra):
            raise BadMessage("a record with attributes that are not its own")
        record.__dict__.update(extra)
        logging.getLogger(name).handle(record)


def _fits(part: object, kinds: Any) -> bool:
    return isinstance(part, kinds)


_PLACE = (str, int, (str, type(None)))
"""The types of file, line and function."""
_SHAPE: tuple[Any, ...] = (
    *(str, int, tuple, object, (tuple, dict, type(None)), (BaseException, type(None)), (str, type(None)), dict),
)
"""The types of the parts of a record."""
