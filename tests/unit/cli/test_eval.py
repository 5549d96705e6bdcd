"""`regreen eval`: what is chosen, kept, printed and returned, with a search that answers at once."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regreen.config import Settings
from regreen.evaluate import sample_runner
from regreen.strategies.events import Listener, ignore
from regreen.types import Attempt, Candidate, CheckResult, Cost, Limits, Outcome, Repair, Stop, Suite, Task, Verdict


class FakeEngine:
    """Hands over the program as it is; its judge finds every check passed, unless told to fail."""

    def __init__(self) -> None:
        self.raises: BaseException | None = None
        self.seen: list[Task] = []
        self.seeds: list[int] = []
        self.settings: Settings | None = None
        self.judge = self
        self.cores = threading.Semaphore(2)

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        self.seen.append(task)
        self.seeds.append(seed)
        if self.raises:
            raise self.raises
        attempt = Attempt(Candidate(task.source, "test"), Verdict({"c": CheckResult(Outcome.PASSED)}))
        return Repair(task.id, attempt, Verdict({}), (attempt,), Cost(1), Stop.FIXED)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class FakeJudge:
    """Passes everything."""

    def judge(self, source: str, suite: Suite, limits: Limits, **_: object) -> Verdict:
        return Verdict({"hidden": CheckResult(Outcome.PASSED)})


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """The search that `eval` finds in place of the real one."""
    fake = FakeEngine()
    fake.judge = FakeJudge()  # type: ignore[assignment]

    @contextlib.contextmanager
    def opened(settings: Settings, *, tasks_at_once: int = 1) -> Iterator[FakeEngine]:
        fake.settings = settings
        yield fake

    monkeypatch.setattr("regreen.strategies.resources.open_resources", opened)
    monkeypatch.setattr(sample_runner, "open_strategy", lambda settings, resources, **_: contextlib.nullcontext(fake))
    return fake


def test_a_run_is_kept_and_summed_up(regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path) -> None:
    """One line a case in the run's folder, a table on the screen, status 0."""
    ran = regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "3")
    assert ran.status == 0
    assert "3 of 3" in ran.out
    assert len((tmp_path / "run" / "results.jsonl").read_text().splitlines()) == 3


def test_json_counts_the_outcomes(regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path) -> None:
    """A program reads one object."""
    told = json.loads(regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "2", "--json").out)
    outcomes = {"fixed": 2, "overfitted": 0, "unfixed": 0, "error": 0}
    assert (told["total"], told["outcomes"], told["interrupted"]) == (2, outcomes, False)


def test_json_has_every_number_that_a_report_of_the_run_has(
    regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path
) -> None:
    """Rates with their intervals, the protocol, tokens, money and seconds: nobody has to ask twice."""
    run = tmp_path / "run"
    told = json.loads(regreen("eval", "bundled", "-o", run, "--limit", "2", "--json").out)
    (reported,) = json.loads(regreen("report", run, "--json").out)["runs"]
    assert {name: told[name] for name in reported} == reported
    assert {"rates", "pass_at", "setups", "spending"} < set(reported)


def test_a_finished_run_resumes_to_the_same_result(
    regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path
) -> None:
    """Nothing finished is done again."""
    args = ("eval", "bundled", "-o", tmp_path / "run", "--limit", "2", "--json")
    regreen(*args)
    told = json.loads(regreen(*args, "--resume").out)
    assert (told["total"], told["resumed"], len(engine.seen)) == (2, 2, 2)


def test_a_fault_is_counted_apart_and_can_be_tried_again(
    regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path
) -> None:
    """Status 3, the reason with --verbose, and the way to go on."""
    engine.raises = RuntimeError("the machine \x1b[31mburns")
    ran = regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "1", "-v")
    assert ran.status == 3
    assert "RuntimeError: the machine \\x1b[31mburns" in ran.err
    assert "--resume" in ran.err
    engine.raises = None
    assert regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "1", "-v", "--resume").status == 0


def test_samples_run_with_seeds_of_their_own(regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path) -> None:
    """Sample n of a case runs with seed + n."""
    regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "1", "--samples", "3", "--seed", "5")
    assert sorted(engine.seeds) == [5, 6, 7]


def test_feedback_decides_which_checks_the_search_sees(
    regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path
) -> None:
    """`examples` shows the visible checks, `all` the hidden ones."""
    regreen("eval", "bundled", "-o", tmp_path / "a", "--limit", "1", "--feedback", "examples")
    regreen("eval", "bundled", "-o", tmp_path / "b", "--limit", "1", "--feedback", "all")
    regreen("eval", "bundled", "-o", tmp_path / "c", "--limit", "1")
    examples, everything, unsaid = (task.suite.source for task in engine.seen)
    assert examples != everything
    assert unsaid == everything


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bundeld",), "Did you mean bundled?"),
        (("humanevalfix",), "--dataset-path"),
        (("bundled", "--feedback", "some"), "none or examples or all"),
        (("bundled", "--feedback", "none"), "examples"),
        (("bundled", "--ids", "no-such-case"), "no-such-case"),
        (("bundled", "--filter", "colour=red"), "colour=red"),
        (("bundled", "--workers", "0"), "--workers is '0'"),
        (("bundled", "--samples", "0"), "--samples"),
    ],
)
def test_unusable_input_is_refused_before_anything_runs(
    regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path, args: tuple[str, ...], said: str
) -> None:
    """Status 2, what is wrong and what there is; no folder is left behind half made."""
    ran = regreen("eval", *args, "-o", tmp_path / "run")
    assert (ran.status, engine.seen) == (2, [])
    assert said in ran.err


def test_spreading_without_ray_names_the_extra(
    regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 2; the folder can be used again."""
    monkeypatch.setitem(sys.modules, "ray", None)
    ran = regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "1", "--spread", "ray")
    assert (ran.status, ran.out) == (2, "")
    assert "pip install 'regreen[ray]'" in ran.err
    assert regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "1", "--resume").status == 0


@pytest.mark.parametrize(
    ("words", "warned"),
    [
        (("--samples", "3", "-s", "single"), True),
        (("--samples", "3", "-s", "reflect", "--temperature-schedule", "constant"), True),
        (("--samples", "3", "-s", "single", "--temperature", "0.2"), False),
        (("--samples", "3", "-s", "react"), False),
        (("--samples", "1", "-s", "single"), False),
    ],
)
def test_equal_samples_are_warned_of(
    regreen: Callable[..., Any], engine: FakeEngine, tmp_path: Path, words: tuple[str, ...], warned: bool
) -> None:
    """At temperature 0 three samples are three times the same, and pass@3 would say nothing."""
    script = tmp_path / "script.json"
    script.write_text('{"replies": ["x"]}')
    done = regreen("eval", "bundled", "-o", tmp_path / "run", "--limit", "1", "-m", f"scripted:{script}", *words)
    assert ("will be equal" in done.err) is warned
