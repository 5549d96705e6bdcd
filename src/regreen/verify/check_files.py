"""The file that a check is written in: suites of a project may have several."""

from __future__ import annotations

from regreen.types import Suite


def check_file(suite: Suite, check: str) -> tuple[str, str]:
    """The name and the text of the test file of a check, given by its id."""
    project = suite.project
    if project is None or project.short_ids:
        return suite.origin, suite.source
    path = check.partition("::")[0]
    return path, project.files.get(path, b"").decode(errors="replace")
