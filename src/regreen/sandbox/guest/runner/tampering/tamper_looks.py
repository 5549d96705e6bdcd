"""When, in shared mode, it is looked whether what decides the checks is what it was."""

from __future__ import annotations

import os
from typing import Any

from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.tampering.tamper_watch import TamperWatch

_REPLACED = (
    "it shares the program's process, in which `{}` was replaced: by the tests or a library, as far as can be told"
)


class TamperLooks:
    """When tampering is looked for: a look takes as long as a quick test.

    Where the run proves something, it is after each check; else before the first one of each file, and at the end.
    """

    def __init__(self, watch: TamperWatch, tell: Any, *, proves: bool) -> None:
        self.watch = watch
        self.tell = tell
        self.proves = proves
        self.file = ""

    def finds_after(self) -> bool:
        """Whether the check that has ended, in a run that proves, has changed what decides; then it is told."""
        return self.proves and self._finds()

    def marked(self, result: Result) -> Result:
        """The result of the check that has ended; of one that proves nothing for what was found, it says so."""
        doubt = self.watch.take_doubt()
        if not doubt or result["outcome"] != "passed":
            return result
        return {**result, "unproven": _REPLACED.format(doubt)}

    def before(self, check: str) -> None:
        """End this process where the file of tests that has ended, in a run that proves nothing, has changed that."""
        last, self.file = self.file, check.partition("::")[0]
        if not self.proves and last not in ("", self.file):
            self.at_end()

    def at_end(self) -> None:
        """The same after the last check."""
        if not self.proves and self._finds():
            os._exit(0)

    def _finds(self) -> bool:
        changed = self.watch.changed_by_a_check()
        if changed:
            self.tell({"tampered": changed})
        return bool(changed)
