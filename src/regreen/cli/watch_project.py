"""`regreen fix --watch`: the project is repaired anew whenever one of its files has changed, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from regreen.cli.fix_project import (
    NOT_WRITTEN,
    HandedOver,
    HandOver,
    print_json,
    refuse_impossible,
    repaired_project,
    taken_over,
    tell_what_is_not_used,
)
from regreen.errors import TaskError
from regreen.tasks.file_stamps import Stamps, file_stamps, stamp_of, wait_for_change
from regreen.tasks.project_files import top_folder
from regreen.types import ProjectRepair, Stop

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.strategies.events import Event, Listener

_INTERRUPTED = 130
_LOOK_SECONDS = 1.0
"""How often a repair that is under way looks whether it is still about what the files say."""


_ONLY_SHOWN = " Repairs are shown and not written: --apply writes them, --commit makes branches of them."


class _Outdated(Exception):
    """Files have changed since they were read, and a repair of what they said is of no use; no error."""


def watch_project(
    folder: Path, pytest_arguments: tuple[str, ...], settings: Settings, wanted: HandOver, *, as_json: bool
) -> int:
    """Repair the project that a folder is in, and again after every change of its files; returns 130, at Ctrl-C.

    What it writes itself is no change. Raises what the first repair raises; later on, only what is no TaskError.
    """
    refuse_impossible(folder, wanted)
    tell_what_is_not_used(settings)
    root = top_folder(folder)
    blocks = _WatchLog(settings, as_json=as_json)
    blocks.say(f"Watching the files of {root}: Ctrl-C ends it.{'' if wanted.does_something else _ONLY_SHOWN}")
    seen, is_first = file_stamps(root), True
    try:
        while True:
            try:
                repair = repaired_project(folder, pytest_arguments, settings, until=_changed_since(root, seen))
            except _Outdated:
                blocks.say("Files have changed meanwhile: beginning anew.")
                seen = wait_for_change(root, seen)
                continue
            except TaskError as error:
                if is_first:
                    raise
                blocks.say(f"error: {error}")
            else:
                given = taken_over(repair, wanted)
                blocks.show(repair, given)
                if repair.stop is Stop.INTERRUPTED:
                    return _INTERRUPTED
                seen = _with_own_changes(seen, repair, wanted)
            is_first = False
            seen = wait_for_change(root, seen)
    except KeyboardInterrupt:
        blocks.say("Ended.")
        return _INTERRUPTED


def _changed_since(root: Path, seen: Stamps) -> Listener:
    """A listener that raises _Outdated once files differ from what was seen."""
    latest = time.monotonic()

    def listen(event: Event) -> None:
        nonlocal latest
        if time.monotonic() - latest < _LOOK_SECONDS:
            return
        if file_stamps(root) != seen:
            raise _Outdated
        latest = time.monotonic()

    return listen


def _with_own_changes(seen: Stamps, repair: ProjectRepair, wanted: HandOver) -> Stamps:
    """What was seen, with what we have written ourselves as it is now; whatever else has changed stays a change."""
    written = {Path(repair.root, change.path): change.after_bytes for change in repair.changes if wanted.writes}
    if wanted.out is not None:
        written[wanted.out.absolute()] = repair.diff.encode("utf-8", "surrogateescape")
    stamps = dict(seen)
    for path, content in written.items():
        stamp = stamp_of(path)
        if stamp is not None and path.read_bytes() == content:
            stamps[path] = stamp
    return stamps


class _WatchLog:
    """What is printed: one compact block for each repair."""

    def __init__(self, settings: Settings, *, as_json: bool, clock: Callable[[], str] | None = None) -> None:
        self.settings = settings
        self.as_json = as_json
        self.clock = clock or (lambda: time.strftime("%H:%M:%S"))
        self.latest = ""

    def say(self, line: str) -> None:
        """A line beside the results."""
        from rich.text import Text

        from regreen.cli.console import notices, print_wrapped
        from regreen.report.safe_text import visible

        print_wrapped(notices(self.settings), Text(f"{self.clock()} {visible(line)}"))

    def show(self, repair: ProjectRepair, given: HandedOver) -> None:
        """The block of one repair: a patch that was shown in the block before is not shown again."""
        if self.as_json:
            print_json(repair, given)
            return
        from regreen.cli.console import results
        from regreen.cli.show_project import show_watched_repair

        done = [*(line for line in given.done if line != NOT_WRITTEN), *_problem_lines(given.problem)]
        is_known = bool(repair.diff) and repair.diff == self.latest
        show_watched_repair(results(self.settings), repair, done, when=self.clock(), is_known=is_known)
        self.latest = repair.diff


def _problem_lines(problem: TaskError | None) -> Iterable[str]:
    return () if problem is None else (f"error: {problem}",)
