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
from regreen.verify.suites import read_suite

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


@pytest.fixture(autouse=True)
def _one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """To start a second sandbox would take longer than these programs do."""
    monkeypatch.setenv("REGREEN_WORKERS", "1")


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


def verdicts(path: Path) -> dict[tuple[str, int], bool]:
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {(line["task_id"], line["sample"]): line["passed"] for line in lines}


def test_a_run_that_is_exported_is_judged_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In every format that is read here: the same samples, the same verdicts."""
    args = ["--limit", "3", "--samples", "2", "--max-seconds", "2", "--max-candidates", "120"]
    assert run(["eval", "bundled", "-o", str(tmp_path / "run"), *args, "--json"]) == 0
    before = verdicts(tmp_path / "run" / "results.jsonl")
    assert set(before.values()) == {True, False}
    for form in ("evalplus", "bigcode", "preds"):
        file, out = tmp_path / form, tmp_path / f"judged-{form}"
        assert run(["export", str(tmp_path / "run"), "--format", form, "-o", str(file), "--json"]) == 0
        capsys.readouterr()
        judged(capsys, file, "--prelude", "none", "-o", str(out), "--timeout", "2")
        assert verdicts(out / "judged.jsonl") == before


NODE = "class Node:\n    def __init__(self, value, next=None):\n        self.value, self.successor = value, next\n"
LAST = "def last(node):\n    while node.successor:\n        node = node.successor\n    return node{}\n"
EVENS = "def evens(items):\n    for item in items:\n        if item % 2 {}= 0:\n            yield item\n"
CLONE = {
    "python_programs/last.py": LAST.format(".successor"),
    "correct_python_programs/last.py": LAST.format(""),
    "python_programs/evens.py": EVENS.format("!"),
    "correct_python_programs/evens.py": EVENS.format("="),
    "json_testcases/evens.json": "[[[1, 2, 4]], [2, 4]]\n[[[1]], []]\n",
    "python_testcases/node.py": NODE,
    "python_testcases/test_last.py": "import pytest\nfrom node import Node\nif pytest.use_correct:\n"
    "    from correct_python_programs.last import last\nelse:\n    from python_programs.last import last\n\n"
    "end = Node(2)\n\ndef test1():\n    assert last(Node(1, end)) is end\n",
    "python_testcases/test_evens.py": "import pytest\nfrom load_testdata import load_json_testcases\n"
    "if pytest.use_correct:\n    from correct_python_programs.evens import evens\nelse:\n"
    "    from python_programs.evens import evens\n\ntestdata = load_json_testcases(evens.__name__)\n\n"
    "@pytest.mark.parametrize('input_data,expected', testdata)\ndef test_evens(input_data, expected):\n"
    "    assert list(evens(*input_data)) == expected\n",
}


def test_a_data_set_is_proved_by_running_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What ships is as it should be; a clone with nodes and generators is; a reference that is wrong is found."""
    assert run(["datasets", "check", "bundled", "--limit", "4", "--json"]) == 0
    for name, text in CLONE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert run(["datasets", "check", f"quixbugs:{tmp_path}", "--json"]) == 0, capsys.readouterr()
    assert json.loads(capsys.readouterr().out)["good"] == 2
    (tmp_path / "correct_python_programs" / "evens.py").write_text(EVENS.format("!"), encoding="utf-8")
    assert run(["datasets", "check", f"quixbugs:{tmp_path}", "--json"]) == 1
    (bad,) = json.loads(capsys.readouterr().out)["bad"]
    assert bad["task_id"] == "quixbugs/evens"
    assert "the reference fails the hidden check" in bad["problems"][0]
