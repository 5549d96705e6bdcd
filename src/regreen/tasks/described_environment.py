"""What a project says of where its packages come from: for the remedy of a test that misses one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_CONDA_FILES = ("environment.yml", "environment.yaml")
_CONDA_NAME = re.compile(r"^name:[ \t]*[\"']?([\w.-]+)", re.MULTILINE)


def environment_hint(files: Mapping[str, bytes], python: str) -> str:
    """A sentence on the environment that a project describes, and that its tests may not run in; "" for none.

    `files` are the project's, by their paths; `python` is the interpreter that the tests ran on.
    """
    for name in _CONDA_FILES:
        is_conda = (Path(python).parent.parent / "conda-meta").is_dir()
        named = _CONDA_NAME.search(files.get(name, b"").decode(errors="replace"))
        if named is not None and not is_conda:
            return (
                f"{name} describes conda's environment {named[1]}, which is not active: "
                f"`conda env create -f {name}` makes it, and after `conda activate {named[1]}` it is used."
            )
    if "poetry.lock" in files:
        return "The project is one of Poetry's: `poetry install` puts what it needs where Regreen looks for it."
    if "uv.lock" in files:
        return "The project is one of uv's: `uv sync` puts what it needs into its .venv, which is used."
    return ""
