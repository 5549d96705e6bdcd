"""Cases as folders of Harbor tasks: the program and its tests in a container, and the same tests as the verifier."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from regreen.errors import TaskError
from regreen.tasks.dataset import SkippedTask
from regreen.types import Case, SuiteKind

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_DOCKERFILE = "FROM python:3.12-slim\nWORKDIR /app\nCOPY {module}.py test_{module}.py pytest.ini /app/\n"
_CONFIG = """schema_version = "1.4"

[metadata]
dataset_task = {name}

[verifier]
timeout_sec = 300.0

[agent]
timeout_sec = 900.0

[environment]
build_timeout_sec = 600.0
"""
_VERIFIER = """#!/bin/bash
# A program that leaves early has not passed: the tests end with a word. This guards against accidents, not cheats.
word=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \\n')
said=$(cd /app && python - "$word" <<'END'
import runpy, sys
word = sys.argv.pop()
sys.path.insert(0, "/app")
runpy.run_path("/tests/test_{module}.py")
print(word)
END
)
mkdir -p /logs/verifier
if [ "${{said##*$'\\n'}}" = "$word" ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
"""
_INSTRUCTION = """`{module}.py` in the working folder has a bug, for which tests in `test_{module}.py` fail.
Correct `{module}.py`, so that all of them pass. Change as little as that needs, and not the tests.
"""


def write_harbor_tasks(cases: Sequence[Case], folder: Path) -> tuple[tuple[str, ...], tuple[SkippedTask, ...]]:
    """Write a folder for each case into a new folder; returns their names, and the cases that cannot be one.

    Raises TaskError where the folder is there already, or cannot be written.
    """
    written, skipped = [], []
    try:
        folder.mkdir(parents=True)
        for case in cases:
            if case.hidden.kind is SuiteKind.SCRIPT and case.hidden.source.strip() and not case.task.companions:
                written.append(_write_task(case, folder))
            else:
                skipped.append(SkippedTask(case.task.id, "its checks are no plain script"))
    except OSError as error:
        raise TaskError(f"{folder} cannot be written: {error.strerror}.", remedy="Name a new folder.") from None
    return tuple(written), tuple(skipped)


def _write_task(case: Case, folder: Path) -> str:
    module = case.task.module.rpartition(".")[2]
    name = _UNSAFE.sub("-", case.task.id).strip("-.")
    tests = f"from {module} import *\n\n{case.hidden.source.strip()}\n"
    as_function = "".join(f"    {line}\n" if line.strip() else "\n" for line in case.hidden.source.strip().split("\n"))
    statement = f"\n{case.task.statement.strip()}\n" if case.task.statement.strip() else ""
    files = {
        "task.toml": _CONFIG.format(name=json.dumps(case.task.id)),
        "instruction.md": _INSTRUCTION.format(module=module) + statement,
        "environment/Dockerfile": _DOCKERFILE.format(module=module),
        f"environment/{module}.py": case.task.source,
        f"environment/test_{module}.py": f"from {module} import *\n\n\ndef test_all():\n{as_function}",
        "environment/pytest.ini": "[pytest]\n",
        f"tests/test_{module}.py": tests,
        "tests/test.sh": _VERIFIER.format(module=module),
    }
    if case.reference:
        files |= {
            f"solution/{module}.py": case.reference,
            "solution/solve.sh": f"#!/bin/bash\ncp /solution/{shlex.quote(module)}.py /app/\n",
        }
    for path, text in files.items():
        target = folder / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return name
