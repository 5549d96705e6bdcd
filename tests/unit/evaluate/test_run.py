"""The harness: who sees what, what counts as fixed, and that a run survives whatever happens to it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import ConfigError, RunError, SandboxError, SandboxUnavailable
from regreen.evaluate.records import Feedback, Result, ResultLine, RunConfiguration
from regreen.evaluate.result_log import read_results
from regreen.evaluate.run import RunOptions, RunSummary, evaluate_cases, open_results
from regreen.evaluate.run_folder import LOCK_FILE, lock_run
from regreen.evaluate.sample_runner import LocalExecutor, SampleJob, SampleRunner, visible_task
from regreen.types import Case, Limits, Obstacle, ObstacleKind, Repair, Stop, Task, Verdict
from regreen.verify.suites import read_suite

MakeCase = Callable[..., Case]
RepairWith = Callable[..., Repair]


class Strategy:
    """Hands over what a table says, raises what it holds, and remembers what it was shown."""

    def __init__(self, repair_with: RepairWith, hand_over: Mapping[str, Any] | None = None, default: Any = "right"):
        self._repair_with = repair_with
        self.hand_over = dict(hand_over or {})
        self.default = default
        self.shown: list[tuple[Task, int]] = []

    def repair(self, task: Task, seed: int = 0, on_event: Any = None) -> Repair:
        self.shown.append((task, seed))
        answer = self.hand_over.get(task.id, self.default)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Stop):
            return self._repair_with(task, None, answer)
        return self._repair_with(task, answer)

    @property
    def names(self) -> list[str]:
        return [task.id for task, _ in self.shown]


def evaluate(
    cases: Sequence[Case],
    strategy: Any,
    judge: Any,
    folder: Path,
    configuration: RunConfiguration,
    *,
    workers: int = 1,
    resume: bool = False,
    progress: Any = None,
) -> RunSummary:
    """A run on threads of this process."""
    executor = LocalExecutor(SampleRunner(strategy, judge, Limits(), configuration), workers)
    with open_results(folder, configuration, cases, resume=resume) as results:
        return evaluate_cases(cases, executor, configuration, RunOptions(results, progress))


@pytest.fixture
def cases(make_case: MakeCase) -> list[Case]:
    return [make_case(name) for name in ("a", "b", "c", "d")]


@pytest.fixture
def strategy(repair_with: RepairWith) -> Strategy:
    return Strategy(repair_with)


def outcomes(folder: Path) -> dict[str, Result]:
    return {line.task_id: line.outcome for line in read_results(folder / "results.jsonl")}


def test_a_run_records_every_case(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
):
    """Fixed and unfixed, with run.json beside them."""
    strategy.hand_over = {"b": None, "c": "not right"}
    summary = evaluate(cases, strategy, judge, tmp_path / "run", configuration)
    assert outcomes(tmp_path / "run") == {"a": "fixed", "b": "unfixed", "c": "unfixed", "d": "fixed"}
    assert summary == RunSummary(4, {Result.FIXED: 2, Result.UNFIXED: 2})
    assert summary.exit_status == 0
    assert json.loads((tmp_path / "run" / "run.json").read_bytes())["protocol"] == "all"
    assert ("wrong", "right") in judge.judged, "without a hand-over the program itself is judged"


def test_the_record_has_the_text_of_each_check(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Where its name is not the text itself."""
    evaluate(cases[:1], strategy, judge, tmp_path, configuration)
    (line,) = read_results(tmp_path / "results.jsonl")
    assert [(check.id, check.code) for check in line.checks] == [("only", "right")]


def test_without_a_hand_over_the_best_attempt_is_judged(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, repair_with: RepairWith
) -> None:
    """The record of an unfixed task tells of what came nearest, and not of the program that everybody knows."""

    class Nearly:
        def repair(self, task: Task, seed: int = 0, on_event: Any = None) -> Repair:
            repair = repair_with(task, "near")
            return replace(repair, chosen=None, best=repair.attempts[0], stop=Stop.ITERATIONS)

    evaluate(cases[:1], Nearly(), judge, tmp_path, configuration)
    (line,) = read_results(tmp_path / "results.jsonl")
    assert judge.judged[-1] == ("near", "right")
    assert (line.outcome, line.judged_candidate) == ("unfixed", line.attempts[0].candidate_id)


def test_extra_checks_tell_fixed_from_overfitted(
    tmp_path: Path, make_case: MakeCase, judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """And they are run only on what passed the hidden ones."""
    cases = [make_case("a", extra="right"), make_case("b", extra="better"), make_case("c", extra="right")]
    strategy.hand_over = {"c": "not right"}
    evaluate(cases, strategy, judge, tmp_path, configuration)
    assert outcomes(tmp_path) == {"a": "fixed", "b": "overfitted", "c": "unfixed"}
    assert ("not right", "right") in judge.judged
    assert judge.judged.count(("not right", "right")) == 1


def test_each_protocol_shows_what_it_says(make_case: MakeCase) -> None:
    """`all` the hidden checks (and the visible ones, in words), `examples` the visible ones, `none` text alone."""
    case = make_case("a", visible="assert f(1) == 2", hidden="assert f(2) == 3")
    shown = visible_task(case, Feedback.ALL)
    assert shown.suite == case.hidden
    assert shown.statement == "Do it.\n\nExamples:\nassert f(1) == 2"
    assert visible_task(case, Feedback.EXAMPLES) == replace(case.task, known_wrong=True)
    blind = visible_task(case, Feedback.NONE)
    assert (len(blind.suite), blind.suite.source, blind.statement) == (0, "assert f(2) == 3", "Do it.")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("f", "one = 1\nassert f(one) == 2\nassert f(2) == 3"),
        ("it", "def check(it):\n    one = 1\n    assert it(one) == 2\n    assert it(2) == 3\n\ncheck(f)"),
    ],
)
def test_examples_are_shown_one_by_one(make_case: MakeCase, name: str, told: str) -> None:
    """Without the function that a data set puts around them, unless they mean nothing without it."""
    case = make_case("a", visible="assert f(1) == 2")
    text = f"def check({name}):\n    one = 1\n    assert {name}(one) == 2\n    assert {name}(2) == 3\n\ncheck(f)\n"
    suite = read_suite(text, program="def f(x): ...", module="program", entry_point="f")
    shown = visible_task(replace(case, task=replace(case.task, entry_point="f", suite=suite)), Feedback.ALL)
    assert shown.statement == f"Do it.\n\nExamples:\n{told}"


def test_examples_that_the_statement_holds_are_not_repeated(make_case: MakeCase) -> None:
    """Nor are those of a suite without checks."""
    case = make_case("a", visible="Do it")
    assert visible_task(case, Feedback.ALL).statement == "Do it."


def test_only_one_shot_can_do_without_feedback(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Whatever has to run a check cannot begin."""
    blind = replace(configuration, feedback=Feedback.NONE)
    with pytest.raises(ConfigError, match=r"feedback 'none' lets no check be run.*--feedback examples or all"):
        evaluate(cases, strategy, judge, tmp_path / "run", blind)
    assert not (tmp_path / "run").exists()
    evaluate(cases, strategy, judge, tmp_path / "run", replace(blind, strategy="single"))
    assert set(outcomes(tmp_path / "run").values()) == {Result.FIXED}


def test_samples_have_seeds_of_their_own(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Every case once before any a second time."""
    summary = evaluate(cases, strategy, judge, tmp_path, replace(configuration, samples=2))
    assert [(task.id, seed) for task, seed in strategy.shown] == [(name, seed) for seed in (5, 6) for name in "abcd"]
    assert summary.total == 8
    assert Counter(line.seed for line in read_results(tmp_path / "results.jsonl")) == {5: 4, 6: 4}


def test_an_error_is_recorded_and_the_run_goes_on(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Kind and message are in the line; the traceback is in a log beside it."""
    strategy.hand_over = {"a": SandboxError("the jail fell over"), "c": ZeroDivisionError("a bug of ours")}
    summary = evaluate(cases, strategy, judge, tmp_path, configuration)
    assert outcomes(tmp_path) == {"a": "error", "b": "fixed", "c": "error", "d": "fixed"}
    line = next(iter(read_results(tmp_path / "results.jsonl")))
    assert line.error is not None
    assert (line.error.kind, line.error.message, line.stop) == ("SandboxError", "the jail fell over", Stop.ERROR)
    log = (tmp_path / "errors.log").read_text(encoding="utf-8")
    assert "Traceback" in log
    assert "c sample 0" in log
    assert "Traceback" not in (tmp_path / "results.jsonl").read_text(encoding="utf-8")
    assert summary.exit_status == 3


@pytest.mark.parametrize(("handed_over", "expected"), [("not right", "error"), ("right", "fixed")])
def test_checks_that_stay_red_whatever_the_program_says_are_no_failed_repair(
    tmp_path: Path,
    cases: list[Case],
    judge: Any,
    configuration: RunConfiguration,
    repair_with: RepairWith,
    handed_over: str,
    expected: str,
) -> None:
    """The sandbox refuses what they need, say: no strategy could do better; hidden checks that pass still decide."""
    obstacle = Obstacle(
        ObstacleKind.NETWORK, ("only",), "the network", "the sandbox refuses the network", "Do without."
    )

    class Partial:
        def repair(self, task: Task, seed: int = 0, on_event: Any = None) -> Repair:
            return replace(repair_with(task, handed_over), obstacles=(obstacle,))

    evaluate(cases[:1], Partial(), judge, tmp_path, configuration)
    (line,) = read_results(tmp_path / "results.jsonl")
    assert (line.outcome, line.error and line.error.kind) == (
        expected,
        "SandboxRefusal" if expected == "error" else None,
    )


def test_a_judge_that_fails_is_an_error_too(
    tmp_path: Path, cases: list[Case], configuration: RunConfiguration, strategy: Strategy
) -> None:
    """It says nothing about the repair, so it is never `unfixed`."""

    class Broken:
        def judge(self, *_: object, **__: object) -> Verdict:
            raise SandboxError("no verdict")

    evaluate(cases, strategy, Broken(), tmp_path, configuration)
    assert set(outcomes(tmp_path).values()) == {Result.ERROR}


def test_a_machine_that_lacks_its_sandbox_ends_the_run(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """After three in a row; the reason is given, and the rest is left for later."""
    strategy.default = SandboxUnavailable("no namespaces here.", remedy="Enable them.")
    summary = evaluate(cases, strategy, judge, tmp_path, configuration)
    assert (summary.failure, summary.exit_status) == ("no namespaces here. Enable them.", 3)
    assert len(outcomes(tmp_path)) == 3


def test_lone_failures_do_not_end_the_run(
    tmp_path: Path, make_case: MakeCase, judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Only a row of three does."""
    names = "abcdefgh"
    strategy.hand_over = dict.fromkeys("abdegh", SandboxUnavailable("busy"))
    summary = evaluate([make_case(name) for name in names], strategy, judge, tmp_path, configuration)
    assert summary.failure == ""
    assert len(outcomes(tmp_path)) == 8


def test_resuming_does_what_is_left_and_what_failed(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """FinishedRun cases are not done again, errors are, and no line is there twice."""
    strategy.hand_over = {"b": SandboxError("once")}
    evaluate(cases, strategy, judge, tmp_path, configuration)
    strategy.hand_over, strategy.shown = {}, []
    summary = evaluate(cases, strategy, judge, tmp_path, configuration, resume=True)
    assert strategy.names == ["b"]
    assert (summary.resumed, summary.outcomes) == (3, {Result.FIXED: 4})
    strategy.shown = []
    assert evaluate(cases, strategy, judge, tmp_path, configuration, resume=True).resumed == 4
    assert strategy.names == []


def test_a_torn_line_is_mended_done_again_and_said(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """As after a power cut."""
    evaluate(cases, strategy, judge, tmp_path, configuration)
    results = tmp_path / "results.jsonl"
    results.write_bytes(results.read_bytes()[:-40])
    strategy.shown = []
    summary = evaluate(cases, strategy, judge, tmp_path, configuration, resume=True)
    assert strategy.names == ["d"]
    assert "was torn" in summary.notes[0]
    assert len(outcomes(tmp_path)) == 4


def test_an_interrupt_keeps_what_is_finished(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Ctrl-C, wherever it strikes, leaves a run that can be resumed."""
    header = None
    for interrupted in (KeyboardInterrupt(), Stop.INTERRUPTED):
        strategy.hand_over, strategy.shown = {"c": interrupted}, []
        summary = evaluate(cases, strategy, judge, tmp_path, configuration, resume=True)
        assert (summary.interrupted, summary.exit_status) == (True, 130)
        assert list(outcomes(tmp_path)) == ["a", "b"]
        header = header or (tmp_path / "run.json").read_bytes()
        assert (tmp_path / "run.json").read_bytes() == header
    strategy.hand_over = {}
    assert evaluate(cases, strategy, judge, tmp_path, configuration, resume=True).outcomes == {Result.FIXED: 4}


def test_an_interrupt_of_the_one_who_shows_progress_is_one_of_the_run(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """The main thread is where Ctrl-C arrives."""

    class Impatient:
        def begin(self, total: int, done: Mapping[Result, int]) -> None: ...

        def finished(self, line: ResultLine) -> None:
            raise KeyboardInterrupt

    summary = evaluate(cases, strategy, judge, tmp_path, configuration, progress=Impatient())
    assert summary.interrupted
    assert list(outcomes(tmp_path)) == ["a"]


def test_progress_is_told_of_what_was_and_what_comes(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """The total, what an earlier start finished, and each line once it is on disk."""
    told: list[Any] = []

    class Listener:
        def begin(self, total: int, done: Mapping[Result, int]) -> None:
            told.append((total, done))

        def finished(self, line: ResultLine) -> None:
            assert line.task_id in outcomes(tmp_path)
            told.append(line.task_id)

    strategy.hand_over = {"d": SandboxError("once")}
    evaluate(cases, strategy, judge, tmp_path, configuration, progress=Listener())
    evaluate(cases, strategy, judge, tmp_path, configuration, progress=Listener(), resume=True)
    assert told == [(4, {}), "a", "b", "c", "d", (4, {Result.FIXED: 3}), "d"]


def test_several_cases_are_repaired_at_a_time(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, repair_with: RepairWith
) -> None:
    """As many as there are workers; every result is recorded."""
    together = threading.Barrier(4, timeout=20)

    class Together(Strategy):
        def repair(self, task: Task, seed: int = 0, on_event: Any = None) -> Repair:
            together.wait()
            return super().repair(task, seed)

    evaluate(cases, Together(repair_with), judge, tmp_path, configuration, workers=4)
    assert set(outcomes(tmp_path)) == set("abcd")


def test_a_folder_with_something_in_it_needs_resume(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Nothing is overwritten, and nothing is put beside somebody's files."""
    evaluate(cases, strategy, judge, tmp_path / "run", configuration)
    with pytest.raises(RunError, match=r"is not empty.*--resume"):
        evaluate(cases, strategy, judge, tmp_path / "run", configuration)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").touch()
    with pytest.raises(RunError, match="holds no run"):
        evaluate(cases, strategy, judge, tmp_path / "home", configuration, resume=True)
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["letter.txt"]


def test_a_file_in_the_place_of_the_folder_is_refused(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """With the path."""
    (tmp_path / "run").touch()
    with pytest.raises(RunError, match="run cannot be made"):
        evaluate(cases, strategy, judge, tmp_path / "run", configuration)


def test_resuming_what_never_began_begins_it(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """So that one command line serves a script, also after a kill before run.json was whole."""
    (tmp_path / LOCK_FILE).touch()
    (tmp_path / ".run.json.new").write_bytes(b'{"sch')
    assert evaluate(cases, strategy, judge, tmp_path, configuration, resume=True).resumed == 0


def test_other_settings_than_the_runs_are_refused(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """By name, and nothing is touched."""
    evaluate(cases[:2], strategy, judge, tmp_path, configuration)
    before = (tmp_path / "results.jsonl").read_bytes()
    with pytest.raises(RunError, match="seed was 5 and is 9"):
        evaluate(cases[:2], strategy, judge, tmp_path, replace(configuration, seed=9), resume=True)
    with pytest.raises(RunError, match="dataset_hash was"):
        evaluate(cases[:1], strategy, judge, tmp_path, configuration, resume=True)
    assert (tmp_path / "results.jsonl").read_bytes() == before


def test_a_larger_part_of_the_data_set_goes_on(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """What is decided stays, and only the new cases are repaired."""
    evaluate(cases[:2], strategy, judge, tmp_path, configuration)
    summary = evaluate(cases, strategy, judge, tmp_path, configuration, resume=True)
    assert strategy.names == ["a", "b", "c", "d"]
    assert (summary.total, summary.resumed, sum(summary.outcomes.values())) == (4, 2, 4)


def test_a_run_in_use_is_refused(
    tmp_path: Path, cases: list[Case], judge: Any, configuration: RunConfiguration, strategy: Strategy
) -> None:
    """Two writers would tear each other's lines."""
    with lock_run(tmp_path), pytest.raises(RunError, match="in use by process"):
        evaluate(cases, strategy, judge, tmp_path, configuration)


UNUSABLE = {
    "no cases": ("", {}, 1, "there are no cases"),
    "equal ids": ("aab", {}, 1, "2 cases have the id a"),
    "no samples": ("a", {"samples": 0}, 1, "at least 1"),
    "no workers": ("a", {}, 0, "at least 1"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_what_cannot_be_run_is_refused_before_anything_is_written(
    tmp_path: Path, make_case: MakeCase, judge: Any, configuration: RunConfiguration, strategy: Strategy, kind: str
) -> None:
    """As a fault of the settings."""
    names, changes, workers, reason = UNUSABLE[kind]
    cases = [make_case(name) for name in names]
    with pytest.raises(ConfigError, match=reason):
        evaluate(cases, strategy, judge, tmp_path / "run", replace(configuration, **changes), workers=workers)
    assert not (tmp_path / "run").exists()


def test_the_verdict_that_decides_waits_for_a_core_and_holds_it(
    strategy: Strategy, cases: list[Case], configuration: RunConfiguration, judge: Any
) -> None:
    """Beside the repairs that hold the cores, it would take a sandbox and a processor from one whose time runs."""
    cores, held = threading.Semaphore(1), []

    class Watched:
        def judge(self, *args: Any, **more: Any) -> Verdict:
            held.append(not cores.acquire(blocking=False))
            return judge.judge(*args, **more)

    runner = SampleRunner(strategy, Watched(), Limits(), configuration, cores=cores)
    assert runner.run(SampleJob(cases[0], 0)).error is None
    assert held == [True]
    assert cores.acquire(blocking=False)
