"""What the room that builds cases needs of the room that reads checks."""

from __future__ import annotations

from typing import Protocol

from regreen.types import Suite


class SuiteReader(Protocol):
    """Anything that turns the text of some checks into a suite."""

    def __call__(
        self, text: str, *, program: str, module: str, entry_point: str | None, origin: str = "<tests>"
    ) -> Suite:
        """Read `text`, which checks `program`.

        `module` is the name under which the checks may import the program, `origin` the file name shown in messages.
        Raises TaskError when the text cannot be read as checks.
        """
        ...
