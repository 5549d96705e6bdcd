"""The modules beside a program, as far as a search asks what they say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from regreen.propose.search.signatures import ImportedSignatures, read_signatures
from regreen.types import Suite, Task

_MOST_BYTES = 1 << 20
"""A larger module is not read."""

_Dotted = tuple[str, ...]


def signatures_beside(task: Task, suite: Suite) -> ImportedSignatures:
    """What is known of the functions that the program of a task imports from the modules beside it."""
    name = tuple(task.module.split("."))
    modules = {_dotted(path): text for path, text in task.companions.items()}
    if suite.project is not None:
        folders = PurePosixPath(suite.project.target).parents
        modules |= _modules_below(suite.project.files, folders[min(len(name), len(folders)) - 1])
    # A package's own module is called `package.__init__`, so that what it imports from starts there, too.
    return read_signatures(task.source, name[:-1], modules)


def _modules_below(files: Mapping[str, bytes], root: PurePosixPath) -> dict[_Dotted, str]:
    """Dotted name, as seen from a folder -> text, of the modules in it."""
    prefix = "" if str(root) == "." else f"{root}/"
    inside = ((path.removeprefix(prefix), content) for path, content in files.items() if path.startswith(prefix))
    return {
        _dotted(path): content.decode("utf-8", "replace")
        for path, content in inside
        if path.endswith(".py") and len(content) <= _MOST_BYTES
    }


def _dotted(path: str) -> _Dotted:
    """The name of the module in a file."""
    parts = PurePosixPath(path).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts
