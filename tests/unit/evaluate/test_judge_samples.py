"""JudgingSummary what others generated: every sample once, faults apart, nothing lost when it is cut off."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import RunError, SandboxError, SandboxUnavailable
from regreen.evaluate.equal_programs import EqualPrograms, SharedVerdict
from regreen.evaluate.judge_samples import JudgingSummary, SampleJudge, judge_samples, open_judged_log
from regreen.evaluate.judged_log import JUDGED, JudgedState, read_judged
from regreen.evaluate.prelude import NO_PRELUDE, Prelude
from regreen.evaluate.sample_suites import SampleSuites
from regreen.tasks.samples import read_samples
from regreen.types import Case, Check, CheckResult, Isolation, JudgeOptions, Limits, Outcome, Suite, Verdict

IMPORTS = Prelude("official", "import math")


@dataclass
class Hasty:
    """Passes a program whose last line is "right"; the first line may ask for something else."""

    seen: list[tuple[str, Suite]] = field(default_factory=list)
    companions: list[Any] = field(default_factory=list)
    faults: int = 0
    fault: type[BaseException] = SandboxError

    def judge(
        self,
        source: str,
        suite: Suite,
        limits: Limits,
        *,
        companions: Mapping[str, str] | None = None,
        options: JudgeOptions = JudgeOptions(),
    ) -> Verdict:
        self.seen.append((source, suite))
        self.companions.append(companions)
        if "broken" in source and self.faults:
            self.faults -= 1
            raise self.fault("the jail burns")
        if "live" in source and suite.isolation is Isolation.SEPARATE:
            return Verdict({"only": CheckResult(Outcome.UNJUDGEABLE, detail="a live object")})
        passed = source.splitlines()[-1] in ("right", "live") and not (
            "needs math" in source and "import" not in source
        )
        word = "its own word" if "on its word" in source else ""
        result = CheckResult(Outcome.PASSED if passed else Outcome.FAILED, "1", "2", "wrong", unproven=word)
        return Verdict({"first": CheckResult(Outcome.PASSED), "only": result}, suite.isolation)


@dataclass
class JudgingRun:
    """Puts samples before a judge and gathers what comes of it."""

    folder: Path
    cases: Sequence[Case]
    judge: Hasty = field(default_factory=Hasty)
    read: list[str] = field(default_factory=list)

    def reader(self, text: str, *, program: str, module: str, entry_point: str | None, origin: str = "") -> Suite:
        self.read.append(program)
        return Suite(self.cases[0].hidden.kind, text, (Check("first", ""), Check("only", text)))

    def judge_rows(
        self,
        *rows: dict[str, Any],
        preludes: tuple[Prelude, ...] = (NO_PRELUDE,),
        keep: bool = False,
        resume: bool = False,
        drain: threading.Event | None = None,
    ) -> JudgingSummary:
        file = self.folder / "samples.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        samples = read_samples(file, "shelf", self.cases)
        suites = SampleSuites(self.cases, preludes, self.reader)
        judge = SampleJudge("shelf", samples, suites, self.judge, Limits(), concurrency=2)
        settings = {"command": "judge", "options": {"timeout": 2.0}}
        with open_judged_log(judge, self.folder / "run" if keep else None, settings, resume=resume) as log:
            return judge_samples(judge, log, drain=drain)

    def lines(self) -> list[dict[str, Any]]:
        text = (self.folder / "run" / JUDGED).read_text(encoding="ascii")
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def run(tmp_path: Path, make_case: Callable[..., Case]) -> JudgingRun:
    return JudgingRun(tmp_path, (make_case("shelf/a"), make_case("shelf/b")))


def row(task: str, sample: int, code: str, **more: Any) -> dict[str, Any]:
    return {"task_id": task, "sample": sample, "code": code, **more}


def marks(judging: JudgingSummary, prelude: str = "none") -> list[list[int]]:
    return [list(found) for found in judging.states.by_prelude[prelude]]


def test_each_sample_is_judged_once_and_recorded(run: JudgingRun) -> None:
    """A line tells the verdict, the first check that failed, and what others had recorded."""
    judging = run.judge_rows(
        row("a", 0, "right"), row("b", 4, "wrong", recorded_passed=True), row("a", 1, "right"), keep=True
    )
    assert judging.exit_status == 0
    assert marks(judging) == [[JudgedState.PASSED, JudgedState.PASSED], [JudgedState.FAILED]]
    (failed,) = [line for line in run.lines() if not line["passed"]]
    assert (failed["task_id"], failed["sample"], failed["recorded_passed"]) == ("shelf/b", 4, True)
    assert failed["outcomes"] == {"passed": 1, "failed": 1}
    assert (failed["failed_check"]["id"], failed["failed_check"]["actual"]) == ("only", "2")


def test_a_pass_on_the_programs_own_word_is_told(run: JudgingRun) -> None:
    """Who counts passes can leave it out; a failure needs no such reserve."""
    run.judge_rows(row("a", 0, "on its word\nright"), row("a", 1, "right"), row("b", 0, "on its word\nno"), keep=True)
    lines = sorted(run.lines(), key=lambda line: (line["task_id"], line["sample"]))
    assert [(line["passed"], line["unproven"]) for line in lines] == [(True, 1), (True, 0), (False, 0)]


def test_equal_programs_are_judged_once_and_keep_their_lines(run: JudgingRun) -> None:
    """Within a task and a prelude; each line says whose verdict it bears, and none bears the time of another."""
    rows = [row(task, n, code) for task in "ab" for n, code in enumerate(("right", "wrong", "right", "wrong"))]
    judging = run.judge_rows(*rows, preludes=(IMPORTS, NO_PRELUDE), keep=True)
    assert sorted(source for source, _ in run.judge.seen) == sorted(
        [*["right", "wrong"] * 2, *["import math\nright", "import math\nwrong"] * 2]
    )
    passed, failed = JudgedState.PASSED, JudgedState.FAILED
    assert marks(judging) == marks(judging, "official") == [[passed, failed, passed, failed]] * 2
    judged = {(line["task_id"], line["prelude"], line["same_as"]) for line in run.lines()}
    assert len([line for line in run.lines() if line["same_as"] is None]) == 8
    assert len(judged) == 12, "a repeated program names the one sample of its task that was judged"


def test_a_fault_is_not_kept_for_later_equals() -> None:
    """It says nothing about the program, which is judged anew."""

    def burns() -> int:
        raise SandboxError("the jail burns")

    programs: EqualPrograms[int] = EqualPrograms()
    with pytest.raises(SandboxError):
        programs.judged((0, 0), "x", 0, burns)
    assert programs.judged((0, 0), "x", 1, lambda: 7) == SharedVerdict(7, 1)
    assert programs.judged((0, 0), "x", 2, burns) == SharedVerdict(7, 1)
    for other in range(1, 20):
        programs.judged((other, 0), "x", 0, lambda: 8)
    assert programs.judged((0, 0), "x", 3, lambda: 9).verdict == 9, "what came long ago is forgotten"


def test_a_sample_without_a_program_has_failed_and_is_not_run(run: JudgingRun) -> None:
    """A patch that does not fit is the sample's own fault: told, counted, and not tried again."""
    patch = {"model_patch": "--- a/p\n+++ b/p\n@@ -1 +1 @@\n-wrong\n\\ No newline at end of file\n+right\n"}
    rows = ({"instance_id": "a", **patch}, {"instance_id": "b", "model_patch": "nonsense"})
    for resume in (False, True):
        judging = run.judge_rows(*rows, keep=True, resume=resume)
        assert (judging.exit_status, marks(judging)) == (0, [[JudgedState.PASSED], [JudgedState.FAILED]])
        assert judging.states.faults == 1
        assert "The samples are patches" in judging.notes[0]
        assert "from 1 no program could be taken" in judging.notes[0]
    (fault,) = [line for line in run.lines() if line["fault"]]
    assert fault["fault"].startswith("the patch cannot be applied: it is no unified diff")
    assert (fault["outcome"], fault["candidate_id"], fault["checks_total"]) == ("failed", "", 0)
    assert [source for source, _ in run.judge.seen] == ["right\n"]
    both = run.judge_rows(*rows, preludes=(IMPORTS, NO_PRELUDE))
    assert both.states.faults == 1, "a sample counts once, under however many preludes it is judged"


def test_other_modules_of_the_task_go_to_the_judge(run: JudgingRun) -> None:
    """A program that imports one would fail without it."""
    case = run.cases[0]
    run.cases = (replace(case, task=replace(case.task, companions={"node.py": "x"})), run.cases[1])
    run.judge_rows(row("a", 0, "live\nlive"))
    assert run.judge.companions == [{"node.py": "x"}] * len(run.judge.companions)
    assert len(run.judge.companions) > 1


def test_a_drain_ends_the_judging_early(run: JudgingRun) -> None:
    """What was under way is kept, and the run can be gone on with."""
    drain = threading.Event()
    drain.set()
    judging = run.judge_rows(row("a", 0, "right"), drain=drain, keep=True)
    assert (judging.exit_status, judging.states.count(JudgedState.PENDING)) == (130, 1)
    assert run.judge_rows(row("a", 0, "right"), keep=True, resume=True).exit_status == 0


def test_nothing_is_written_unless_asked(run: JudgingRun) -> None:
    """Without a folder the verdicts are counted only."""
    run.judge_rows(row("a", 0, "right"))
    assert [path.name for path in run.folder.iterdir()] == ["samples.jsonl"]


def test_the_samples_of_a_task_follow_one_another(run: JudgingRun) -> None:
    """Wherever they stand in the file: a judge keeps its checks, which are read once."""
    mixed = [row(task, number, "right") for number in range(5) for task in ("a", "b")]
    run.judge_rows(*mixed, preludes=(IMPORTS,))
    suites = [id(suite) for _, suite in run.judge.seen]
    assert (len(set(suites)), len(run.read)) == (2, 2)


def test_a_fault_is_no_verdict_and_is_tried_again(run: JudgingRun) -> None:
    """It is counted apart; going on judges that sample alone."""
    run.judge.faults = 1
    rows = (row("a", 0, "broken\nright"), row("b", 0, "right"))
    first = run.judge_rows(*rows, keep=True)
    assert (first.exit_status, marks(first)) == (3, [[JudgedState.ERROR], [JudgedState.PASSED]])
    (line,) = [line for line in run.lines() if line["outcome"] == "error"]
    assert line["error"] == {"kind": "SandboxError", "message": "the jail burns"}
    seen = len(run.judge.seen)
    again = run.judge_rows(*rows, keep=True, resume=True)
    assert (again.exit_status, again.resumed, marks(again)) == (0, 1, [[JudgedState.PASSED], [JudgedState.PASSED]])
    assert len(run.judge.seen) == seen + 1
    assert len(run.lines()) == 2


def test_a_torn_line_is_mended_and_judged_again(run: JudgingRun) -> None:
    """As a kill in the middle of a write leaves it."""
    rows = [row("a", number, "right") for number in range(4)]
    run.judge_rows(*rows, keep=True)
    file = run.folder / "run" / JUDGED
    file.write_bytes(file.read_bytes()[:-20])
    judging = run.judge_rows(*rows, keep=True, resume=True)
    assert (judging.resumed, len(run.lines())) == (3, 4)
    assert "torn" in judging.notes[0]


def test_an_interrupt_keeps_what_has_ended(run: JudgingRun) -> None:
    """Status 130; the rest is not judged, and counts as nothing."""
    run.judge.faults, run.judge.fault = 1, KeyboardInterrupt
    judging = run.judge_rows(row("a", 0, "broken"), *(row("b", number, "right") for number in range(9)), keep=True)
    assert (judging.interrupted, judging.exit_status) == (True, 130)
    assert judging.states.get("none", 0, 0) is JudgedState.PENDING


def test_a_machine_that_lacks_something_ends_the_run(run: JudgingRun) -> None:
    """After three in a row the next would fail as well."""
    run.judge.faults, run.judge.fault = 99, SandboxUnavailable
    judging = run.judge_rows(*(row("a", number, "broken") for number in range(30)))
    assert (judging.failure, judging.exit_status) == ("the jail burns", 3)
    assert judging.states.count(JudgedState.ERROR) == 3


def test_other_samples_or_settings_are_refused(run: JudgingRun) -> None:
    """A folder holds one judging of one file."""
    run.judge_rows(row("a", 0, "right"), keep=True)
    with pytest.raises(RunError, match="not empty"):
        run.judge_rows(row("a", 0, "right"), keep=True)
    with pytest.raises(RunError, match="samples was"):
        run.judge_rows(row("a", 0, "wrong"), keep=True, resume=True)
    with pytest.raises(RunError, match="preludes"):
        run.judge_rows(row("a", 0, "right"), preludes=(IMPORTS,), keep=True, resume=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sample": 5}, "sample 5 .* is none of this run's"),
        ({"prelude": "other"}, "is none of this run's"),
        ({"schema": 2}, "is no judged sample: schema"),
        ({}, "occurs twice"),
    ],
)
def test_a_foreign_line_is_refused(run: JudgingRun, change: dict[str, Any], said: str) -> None:
    """A record that does not fit is never counted."""
    run.judge_rows(row("a", 0, "right"), keep=True)
    with (run.folder / "run" / JUDGED).open("a", encoding="ascii") as file:
        file.write(json.dumps(run.lines()[0] | change) + "\n")
    with pytest.raises(RunError, match=said):
        run.judge_rows(row("a", 0, "right"), keep=True, resume=True)


def test_both_preludes_are_judged_apart(run: JudgingRun) -> None:
    """The checks are read with the prelude before the program, which decides what they find in it."""
    judging = run.judge_rows(row("a", 0, "needs math\nright"), preludes=(IMPORTS, NO_PRELUDE), keep=True)
    assert (marks(judging, "official"), marks(judging)) == ([[JudgedState.PASSED], []], [[JudgedState.FAILED], []])
    assert [(line["prelude"], line["passed"]) for line in sorted(run.lines(), key=lambda line: line["prelude"])] == [
        ("none", False),
        ("official", True),
    ]
    assert run.read == ["import math\nwrong"]
    assert len({line["candidate_id"] for line in run.lines()}) == 1


def test_live_objects_are_shared_only_where_the_task_itself_has_them(
    tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """A sample cannot move the checks into its own process by returning one."""
    run = JudgingRun(tmp_path, (make_case("shelf/a"),))
    judging = run.judge_rows(row("a", 0, "live"), keep=True)
    assert marks(judging) == [[JudgedState.FAILED]]
    assert run.lines()[0]["failed_check"]["outcome"] == "unjudgeable"


def test_live_objects_of_the_task_are_judged_in_its_own_process(tmp_path: Path, make_case: Callable[..., Case]) -> None:
    """The task's own program is asked once, not once a sample."""
    case = make_case("shelf/a")
    run = JudgingRun(tmp_path, (replace(case, task=replace(case.task, source="live")),))
    judging = run.judge_rows(*(row("a", number, "# sample\nlive") for number in range(3)), keep=True)
    assert marks(judging) == [[JudgedState.PASSED] * 3]
    assert {line["isolation"] for line in run.lines()} == {"shared"}
    assert [source for source, _ in run.judge.seen].count("live") <= 2


def test_text_that_no_encoding_has_survives_the_record(run: JudgingRun) -> None:
    """Models write lone surrogates too."""
    run.judge_rows(row("a", 0, "x = '\ud800'\nright"), keep=True)
    assert [line.passed for line in read_judged(run.folder / "run" / JUDGED)] == [True]
