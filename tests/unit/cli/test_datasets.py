"""`regreen datasets`: the list, the proof of one, and the schema of a row; with a judge that answers at once."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import SandboxError
from regreen.tasks.catalogue import DATASETS
from regreen.types import CheckResult, Confinement, Limits, Outcome, Suite, Verdict

Regreen = Callable[..., Any]


class FakeJudge:
    """Passes a program that says so."""

    def __init__(self) -> None:
        self.opened: dict[str, Any] = {}
        self.limits = Limits()

    def judge(self, source: str, suite: Suite, limits: Limits, **more: Any) -> Verdict:
        self.limits = limits
        if "# breaks" in source:
            raise SandboxError("the jail \x1b[31mburns")
        outcome = Outcome.PASSED if "# passes" in source else Outcome.FAILED
        return Verdict({"check": CheckResult(outcome, detail="\x1b[31mwrong")})


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    """The judge that the command finds in place of the real one."""
    fake = FakeJudge()

    @contextlib.contextmanager
    def opened(confinement: Confinement, **options: Any) -> Iterator[FakeJudge]:
        fake.opened = {"confinement": confinement, **options}
        yield fake

    monkeypatch.setattr("regreen.verify.judge.open_judge", opened)
    return fake


def tasks(folder: Path, *references: str) -> str:
    rows = [
        {"task_id": f"t{n}", "program": "x = 1\n", "hidden_checks": "assert f()", "reference": reference}
        for n, reference in enumerate(references)
    ]
    path = folder / "tasks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return f"samples:{path}"


def test_the_list_tells_every_data_set(regreen: Regreen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What it is, where it comes from, and how many cases are here."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    ran = regreen("datasets")
    assert (ran.status, ran.err) == (0, "")
    assert all(name in ran.out for name in DATASETS)
    told = {row["name"]: row for row in json.loads(regreen("datasets", "--json").out)["datasets"]}
    assert list(told) == list(DATASETS)
    assert told["bundled"]["cases"] == 100
    assert (told["humanevalfix"]["cases"], told["humanevalfix"]["cached"]) == (None, None)


def test_a_copy_in_the_cache_is_told_and_counted(
    regreen: Regreen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No network is asked for it."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    repository = tmp_path / "datasets--bigcode--humanevalpack"
    snapshot = repository / "snapshots" / ("a" * 40) / "data" / "python" / "data"
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("a" * 40)
    fields = ("declaration", "buggy_solution", "canonical_solution", "test", "entry_point")
    row = {"task_id": "Python/0", **dict.fromkeys(fields, "x"), "declaration": "x = "}
    (snapshot / "humanevalpack.jsonl").write_text(json.dumps(row) + "\n")
    told = {row["name"]: row for row in json.loads(regreen("datasets", "--json").out)["datasets"]}["humanevalfix"]
    assert (told["cases"], told["cached"]) == (1, str(snapshot / "humanevalpack.jsonl"))
    assert "a copy is here" in " ".join(regreen("datasets").out.split())


def test_a_good_data_set_is_proved(regreen: Regreen, judge: FakeJudge, tmp_path: Path) -> None:
    """Status 0, and how many cases that are."""
    ran = regreen(
        "datasets", "check", tasks(tmp_path, "# passes", "# passes", ""), "--timeout", "0.5", "--workers", "7"
    )
    assert ran.status == 0
    assert "3 of 3 cases of samples:" in ran.out
    assert "1 without a reference" in ran.out
    assert judge.limits.seconds == 0.5
    assert judge.opened["workers"] == 3


def test_bad_cases_are_named(regreen: Regreen, judge: FakeJudge, tmp_path: Path) -> None:
    """Status 1; what a program wrote can not paint on the terminal."""
    name = tasks(tmp_path, "# passes", "wrong")
    ran = regreen("datasets", "check", name)
    assert ran.status == 1
    assert "1 of 2 cases" in ran.out
    assert "t1: the reference fails the hidden check check (failed: " in ran.out
    assert "\x1b" not in ran.out
    told = json.loads(regreen("datasets", "check", name, "--json").out)
    assert (told["good"], [bad["task_id"] for bad in told["bad"]]) == (1, ["t1"])


def test_faults_of_the_machine_are_apart(regreen: Regreen, judge: FakeJudge, tmp_path: Path) -> None:
    """Status 3: nothing is said of the case."""
    ran = regreen("datasets", "check", tasks(tmp_path, "# breaks"))
    assert ran.status == 3
    assert "t0: could not be checked: SandboxError: the jail" in ran.out


def test_a_part_is_checked_and_told_line_by_line(regreen: Regreen, judge: FakeJudge, tmp_path: Path) -> None:
    """With the flags that choose cases elsewhere."""
    ran = regreen("datasets", "check", tasks(tmp_path, "# passes", "wrong", "# passes"), "--ids", "t0, t2", "-v")
    assert ran.status == 0
    assert sorted(ran.err.splitlines()) == ["t0: as it should be", "t2: as it should be"]


def test_what_was_skipped_is_told(regreen: Regreen, judge: FakeJudge, tmp_path: Path) -> None:
    """On the side, and in the JSON."""
    for name, tests in (("good", "import code_\ndef test_a(): assert code_.f()\n"), ("bad", "x = 1\n")):
        for path, text in {
            "task.toml": "",
            "instruction.md": "Mend it.",
            "environment/code_.py": "def f(): return 0\n",
            "tests/test_a.py": tests,
        }.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text, encoding="utf-8")
    ran = regreen("datasets", "check", f"harbor:{tmp_path}")
    assert (ran.status, ran.err) == (0, "skipped bad: tests/test_a.py does not import code_\n")
    told = json.loads(regreen("datasets", "check", f"harbor:{tmp_path}", "--json").out)
    assert told["skipped"] == [{"name": "bad", "why": "tests/test_a.py does not import code_"}]


def test_the_schema_is_json(regreen: Regreen) -> None:
    """To be given to a validator as it is."""
    assert json.loads(regreen("datasets", "schema").out)["required"] == ["task_id", "program", "hidden_checks"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("check", "bundeld"), "Did you mean bundled?"),
        (("check", "quixbugs"), "quixbugs:PATH"),
        (("check", "samples:nowhere.jsonl"), "does not exist"),
        (("check", "bundled", "--ids", "zzz"), "there is no case 'zzz'"),
        (("chekc",), "Did you mean 'check'?"),
        (("check",), "DATASET"),
    ],
)
def test_unusable_input_is_refused(regreen: Regreen, judge: FakeJudge, args: tuple[str, ...], said: str) -> None:
    """Status 2, and what would do."""
    ran = regreen("datasets", *args)
    assert ran.status == 2
    assert said in ran.err
