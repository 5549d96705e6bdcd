"""What the package logs, shown to the user: long waits always, -v what was asked and judged, --debug every request."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regreen.config import Settings

_LOGGER = logging.getLogger("regreen")


class _NoticeHandler(logging.Handler):
    """Prints records among the notices, each line of theirs safe for a terminal."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record; standard error is looked up anew, since a live line may stand in for it."""
        from rich.text import Text

        from regreen.cli.console import notices
        from regreen.report.safe_text import visible

        style = "dim" if record.levelno < logging.INFO else ""
        notices(self.settings).print(Text(visible(record.getMessage()), style=style), soft_wrap=True)


def show_log(settings: Settings) -> None:
    """Show from now on what the settings ask for, and nothing else of an earlier command of this process."""
    for handler in [handler for handler in _LOGGER.handlers if isinstance(handler, _NoticeHandler)]:
        _LOGGER.removeHandler(handler)
    level = logging.DEBUG if settings.debug else logging.INFO if settings.verbose else logging.WARNING
    _LOGGER.setLevel(level)
    _LOGGER.addHandler(_NoticeHandler(settings))
