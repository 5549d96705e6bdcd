"""What readers of data sets share: what they give, how checks are read for them, and libraries that only some need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from regreen.errors import TaskError
from regreen.extras import optional_module
from regreen.types import Case, Suite


class SuiteReader(Protocol):
    """Anything that turns the text of some checks into a suite; the room that reads checks hands one in."""

    def __call__(
        self, text: str, *, program: str, module: str, entry_point: str | None, origin: str = "<tests>"
    ) -> Suite:
        """Read `text`, which checks `program`.

        `module` is the name under which the checks may import the program, `origin` the file name shown in messages.
        Raises TaskError when the text cannot be read as checks.
        """
        ...


@dataclass(frozen=True, slots=True)
class SkippedTask:
    """A task of a data set that cannot become a case, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """The cases of a data set, and the tasks that could not become one."""

    cases: tuple[Case, ...]
    skipped: tuple[SkippedTask, ...] = ()


def required_library(module: str, purpose: str) -> Any:
    """A module of the optional extra `data`, imported now; `purpose` says what for, e.g. "reading parquet files".

    Raises TaskError naming the command that installs it.
    """
    try:
        return optional_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise TaskError(
            f"{purpose} needs {library}, which is not installed.",
            remedy="Install it: python -m pip install 'regreen[data]'.",
        ) from None
