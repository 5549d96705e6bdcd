"""What is said of the environment that a project describes."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.tasks.described_environment import environment_hint


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"environment.yml": b"channels: [x]\nname: geo\n"}, "`conda activate geo`"),
        ({"environment.yaml": b'name: "geo-2"\n'}, "`conda env create -f environment.yaml`"),
        ({"environment.yml": b"dependencies: []\n", "poetry.lock": b""}, "`poetry install`"),
        ({"uv.lock": b""}, "`uv sync`"),
    ],
)
def test_the_remedy_names_the_tool_of_the_project(files: dict[str, bytes], said: str) -> None:
    """What it is called, and the command."""
    assert said in environment_hint(files, "/usr/bin/python3")


def test_nothing_is_said_where_it_is_used_or_none_is_described(tmp_path: Path) -> None:
    """An interpreter of conda's is one of an environment that is active."""
    (tmp_path / "conda-meta").mkdir()
    assert environment_hint({"environment.yml": b"name: geo\n"}, str(tmp_path / "bin/python")) == ""
    assert environment_hint({"setup.py": b""}, "/usr/bin/python3") == ""
