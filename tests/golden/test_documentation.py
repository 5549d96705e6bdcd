"""The documentation shows what is true: what commands print, what settings there are, where links lead."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest

from regreen.config import Settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "tests" / "README.md"])
NUMBERS = re.compile(r"\d[\d,]*(?:\.\d+)?")
TIMES_AND_COUNTS = re.compile(r"^Cost: .*|(?:was suspected most|came \d+\w\w of \d+ suspicious places).*", re.MULTILINE)


def scrubbed(page: str) -> str:
    """A page without what differs from machine to machine, or with each improvement of the search."""
    return TIMES_AND_COUNTS.sub(lambda found: NUMBERS.sub("N", found[0].split(":")[0]), page)


@pytest.mark.sandbox
@pytest.mark.parametrize("page", ["README.md", "docs/cli.md"])
def test_pages_show_what_commands_print(page: str) -> None:
    """A block that `make docs` fills is what the command prints today, numbers of time and effort aside."""
    text = (ROOT / page).read_text(encoding="utf-8")
    filled = runpy.run_path(str(ROOT / "docs" / "fill.py"))["filled"]
    assert scrubbed(filled(text)) == scrubbed(text), "run `make docs`"


def test_every_setting_is_in_the_documentation() -> None:
    """The table of settings has a row for each, with what it may be."""
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| .*? \| (.*) \|$", text, re.MULTILINE))
    assert rows == {name: field.description for name, field in Settings.model_fields.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    """No page points at a file that is not there."""
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_readme_s_commands_are_the_ones_that_ci_runs() -> None:
    """.ci/run takes its command from the README: both stand between the comments it looks for, on one line each."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for mark, last in (("repair", "regreen fix"), ("test", "pytest")):
        (block,) = re.findall(rf"<!-- {mark} -->\n```sh\n(.*)\n```\n<!-- end -->", text)
        steps = [shlex.split(step) for step in block.split("&&")]
        assert steps[0][:3] == ["python3", "-m", "venv"]
        assert last in " ".join(steps[-1])
    assert "/<!-- test -->/" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
