"""The workflow that releases: what it names exists, it may do little, and only a pushed tag publishes."""

from __future__ import annotations

import re
from typing import Any

import pytest
import structure
import yaml

WORKFLOW = structure.ROOT / ".github" / "workflows" / "release.yml"
_PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}")
_FILES = ("dev.txt", "release.txt")
_OURS = re.compile(r"(?:requirements/)?[\w.-]+\.(?:txt|toml)\b")


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    """The workflow's jobs."""
    found = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    assert found["permissions"] == {}
    return found["jobs"]


def commands(jobs: dict[str, Any]) -> str:
    """Every command of the workflow."""
    return "\n".join(step["run"] for job in jobs.values() for step in job["steps"] if "run" in step)


def test_files_that_the_commands_name_exist(jobs: dict[str, Any]) -> None:
    """Requirements with hashes, and the project's own file; the target of make, too."""
    named = set(_OURS.findall(commands(jobs)))
    assert named == {"requirements/dev.txt", "requirements/release.txt", "pyproject.toml"}
    assert [name for name in named if not (structure.ROOT / name).is_file()] == []
    targets = re.findall(r"^make ([\w-]+)", commands(jobs), re.MULTILINE)
    makefile = (structure.ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets
    assert all(f"\n{target}:" in makefile for target in targets)


def test_tools_of_the_release_are_pinned_with_hashes(jobs: dict[str, Any]) -> None:
    """Each tool that is asked for is in the pinned file, and each pin has a hash; so has the build's back end."""
    pins = {name: (structure.ROOT / "requirements" / name).read_text(encoding="utf-8") for name in _FILES}
    assert re.search(r"^pip-audit .*-r requirements/dev\.txt$", commands(jobs), re.MULTILINE)
    for tool in (structure.ROOT / "requirements/release.in").read_text(encoding="utf-8").split():
        assert f"\n{re.split('[><=]', tool)[0]}==" in pins["release.txt"]
    assert "\nhatchling==" in pins["dev.txt"]
    for text in pins.values():
        assert re.findall(r"^[\w.-]+==[^\\\n]*$", text, re.MULTILINE) == []


def test_actions_are_pinned_by_the_hash_of_a_commit(jobs: dict[str, Any]) -> None:
    """A tag can be moved to other code; a hash cannot."""
    used = [step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step]
    assert used
    assert [action for action in used if not _PINNED.fullmatch(action)] == []


def test_only_a_pushed_tag_publishes_what_was_audited(jobs: dict[str, Any]) -> None:
    """One job may ask for the registry's trust: it runs no command of ours, and not without the others."""
    trusted = {name for name, job in jobs.items() if job["permissions"] != {"contents": "read"}}
    assert trusted == {"publish"}
    publish = jobs["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["if"] == "github.event_name == 'push' && github.ref_type == 'tag'"
    assert set(publish["needs"]) == jobs.keys() - {"publish"}
    assert not any("run" in step for step in publish["steps"])


def test_no_secret_is_used_and_no_text_from_outside_becomes_a_command(jobs: dict[str, Any]) -> None:
    """Expressions are put into a shell as they are: a tag's name could be a command."""
    assert "${{" not in WORKFLOW.read_text(encoding="utf-8")
    assert "secrets." not in WORKFLOW.read_text(encoding="utf-8")
