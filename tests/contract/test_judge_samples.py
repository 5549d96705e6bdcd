"""`regreen judge` from end to end: bundled programs in a file, judged in the real sandbox."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from regreen.cli import run
from regreen.tasks.catalogue import Selection, load_dataset
from regreen.types import Case
from regreen.verify.checks import read_suite

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
HOSTILE = {
    "leaves": "import os\nos._exit(0)\n",
    "spins": "while True: pass\n",
    "is no Python": "def (:\n",
    "has a NUL": "x = '\0'\n",
    "has a lone surrogate": "x = '\ud800'\n",
    "is empty": "",
}


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    return load_dataset("bundled", read_suite, selection=Selection(limit=3))


def judged(capsys: pytest.CaptureFixture[str], file: Path, *args: str) -> dict[str, Any]:
    status = run(["judge", "bundled", str(file), "--json", "--timeout", "0.5", *args])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    told: dict[str, Any] = json.loads(printed.out)
    return told


def test_references_pass_and_buggy_programs_fail(
    cases: tuple[Case, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under both preludes, with every verdict as recorded."""
    file = tmp_path / "samples.jsonl"
    rows = [
        {"task_id": case.task.id, "sample": sample, "code": code, "recorded_passed": sample == 0}
        for case in cases
        for sample, code in enumerate((case.reference, case.task.source))
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    told = judged(capsys, file, "--prelude", "both", "-o", str(tmp_path / "run"))
    assert told["prelude_differences"] == []
    for score in told["scores"].values():
        assert (score["judged"], score["passed"], score["disagreements"]) == (6, 3, [])
        assert score["pass_at"]["1"]["value"] == 0.5
    lines = [json.loads(line) for line in (tmp_path / "run" / "judged.jsonl").read_text().splitlines()]
    assert len(lines) == 12
    assert all(line["failed_check"]["outcome"] != "passed" for line in lines if not line["passed"])


def test_a_forgotten_import_is_forgiven_by_the_official_prelude_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one difference that it makes."""
    data, file = tmp_path / "data.jsonl", tmp_path / "generations.json"
    declaration = "def root(x: float) -> float:\n"
    row = {
        "task_id": "Python/0",
        "declaration": declaration,
        "buggy_solution": "    return x\n",
        "canonical_solution": "    return x ** 0.5\n",
        "test": "def check(root):\n    assert root(4.0) == math.floor(2.0)\ncheck(root)\n",
        "entry_point": "root",
    }
    data.write_text(json.dumps(row) + "\n", encoding="utf-8")
    file.write_text(json.dumps([[declaration + "    return math.sqrt(x)\n"]]), encoding="utf-8")
    status = run(["judge", "humanevalfix", str(file), "--dataset-path", str(data), "--prelude", "both", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert status == 0
    assert {name: score["passed"] for name, score in told["scores"].items()} == {"official": 1, "none": 0}
    assert [d["task_id"] for d in told["prelude_differences"]] == ["humanevalfix/Python/0"]


def test_hostile_and_broken_programs_fail_and_are_no_faults(
    cases: tuple[Case, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is judged as any other, and the one that is right beside them passes."""
    file = tmp_path / "samples.jsonl"
    programs = [*HOSTILE.values(), cases[0].reference]
    rows = [{"task_id": cases[0].task.id, "solution": program} for program in programs]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    score = judged(capsys, file)["scores"]["none"]
    assert (score["judged"], score["passed"], score["errors"]) == (len(programs), 1, 0)
