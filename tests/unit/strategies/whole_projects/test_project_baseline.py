"""What is said where a project's tests cannot be collected."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from regreen.strategies.whole_projects.project_baseline import place_in_plugin
from regreen.verify.project_survey import ProjectSurvey
from regreen.verify.raised_errors import RaisedError, TracebackFrame

PACKAGES = "/env/lib/python3.12/site-packages"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (("counting/plugin.py", "/usr/lib/python3.12/socket.py"), " (in counting/plugin.py, line 12)"),
        (("counting/plugin.py", "_pytest/config/__init__.py"), ""),
        (("counting/plugin.py", "pluggy/_callers.py"), ""),
        (("/usr/lib/python3.12/socket.py",), ""),
    ],
)
def test_the_place_in_a_plugin_where_collection_ended_is_told(files: Sequence[str], said: str) -> None:
    """Its user knows whom to ask; where it ended in pytest itself, pytest says more."""
    paths = [file if file.startswith("/") else f"{PACKAGES}/{file}" for file in ("_pytest/config/__init__.py", *files)]
    frames = tuple(TracebackFrame(path, 12, "configure") for path in paths)
    error = RaisedError("AttributeError", "no", frames=frames)
    assert place_in_plugin(ProjectSurvey(errors={"collection": (error,)})) == said


def test_where_nothing_is_known_no_place_is_told() -> None:
    """A usage error has no frames."""
    assert place_in_plugin(ProjectSurvey()) == ""
