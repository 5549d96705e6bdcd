"""Whole projects with one real kind of bug each are repaired without a model, their tests untouched."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import regreen
from regreen.config import load_settings
from regreen.types import Outcome, ProjectRepair

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
PROJECTS = Path(__file__).parent.parent / "projects" / "whole"
REPAIRED = {
    "async_retries": {"fetch/retry.py"},
    "broken_import": {"words/stats.py"},
    "cache": {"memo/lru.py"},
    "click_options": {"src/greeter/text.py"},
    "command_line": {"src/tally/cli.py"},
    "dataclasses": {"planner/model.py"},
    "dates": {"rental/periods.py"},
    "environment": {"config.py"},
    "fastapi_app": {"stock/routers/items.py"},
    "fixtures": {"bank/transfer.py"},
    "flask_app": {"helpdesk/tickets.py"},
    "line_ends": {"gruesse/namen.py"},
    "log_files": {"rotate.py"},
    "namespace": {"acme/billing/money.py"},
    "packages": {"inventory/rules.py"},
    "parametrised": {"numerals/convert.py"},
    "path_in_conftest": {"source/lib/queue.py"},
    "records": {"recordkit/converters.py", "recordkit/validators.py"},
    "registry": {"convert/registry.py"},
    "settings_package": {"blog/views.py"},
    "settings_layers": {"app/config/loader.py"},
    "slugs": {"src/slugkit/cli.py", "src/slugkit/core.py"},
    "sqlite": {"notes/store.py"},
    "src_regex": {"src/logkit/parse.py"},
    "subprocesses": {"checksum/core.py"},
    "tables": {"sales/frames.py"},
    "templates": {"mailer/filters.py"},
    "two_modules": {"lib/geometry/boxes.py", "lib/geometry/points.py"},
    "web_app": {"site_app/framework.py"},
}
"""Projects and the modules that hold the bug."""
QUICK = ("line_ends",)
"""Tried by the default suite, too."""
NEEDS = {"tables": "pandas", "click_options": "click", "slugs": "click", "fastapi_app": "fastapi", "flask_app": "flask"}


def names() -> list[object]:
    """The projects, all but the quick ones marked as slow."""
    slow = (pytest.mark.slow, pytest.mark.timeout(600))
    return [name if name in QUICK else pytest.param(name, marks=slow) for name in REPAIRED]


def repaired(folder: Path, *, allow_processes: bool) -> ProjectRepair:
    """The repair at the default budget."""
    settings = load_settings({"allow_processes": allow_processes, "workers": 1}, near=folder)
    return regreen.repair_project(folder, settings=settings)


@pytest.mark.parametrize("name", names())
def test_a_project_is_repaired_in_the_module_that_is_wrong(name: str, tmp_path: Path) -> None:
    """Every test passes with the change, none was touched, and line ends and encodings are as they were."""
    if name in NEEDS and find_spec(NEEDS[name]) is None:
        pytest.skip(f"needs {NEEDS[name]}")
    folder = shutil.copytree(PROJECTS / name, tmp_path / name)
    repair = repaired(folder, allow_processes=name == "subprocesses")
    assert repair.fixed
    assert {change.path for change in repair.changes} == REPAIRED[name]
    assert all(result.outcome is Outcome.PASSED for result in repair.after.values())
    assert repair.after.keys() >= repair.before.keys() - {test for test in repair.before if "::" not in test}
    for change in repair.changes:
        assert change.before_bytes == (folder / change.path).read_bytes()
        assert (b"\r\n" in change.before_bytes) == (b"\r\n" in change.after_bytes)
