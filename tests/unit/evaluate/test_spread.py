"""A run on several machines, with a Ray of threads in place of the real one: who gets which job, and what is lost."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from regreen.config import Settings
from regreen.errors import BudgetSpent, CircuitOpen, ModelError, RegreenError, SandboxUnavailable
from regreen.evaluate.records import Result, RunConfiguration
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.evaluate.run import RunOptions, RunSummary, evaluate_cases, open_results
from regreen.evaluate.sample_runner import SampleRunner
from regreen.evaluate.spread import provisioning, repair_actor, slots
from regreen.evaluate.spread.cluster import Node
from regreen.evaluate.spread.cluster_pool import ClusterPool
from regreen.evaluate.spread.node_messages import Assignment, PackedError, assignment_of, pack_error, unpack_error
from regreen.evaluate.spread.provisioning import ActorSpec, PlacementPlan
from regreen.models import Message, Reply, Request
from regreen.types import Case, Limits, Repair, Task

VERSION = "unknown"


class Died(Exception):
    """Brings down the actor that meets it."""


class FakeErrors:
    """The errors that Ray raises."""

    class RayError(Exception):
        pass

    class RayTaskError(RayError):
        def __init__(self, cause: BaseException) -> None:
            super().__init__(str(cause))
            self.cause = cause


class FakeActor:
    """An object whose methods run on threads; once dead, whatever it was at is lost."""

    def __init__(self, made: Any, node: Node) -> None:
        self.made, self.node = made, node
        self.dead = threading.Event()
        self.calls: list[Future[Any]] = []

    def __getattr__(self, name: str) -> Any:
        return FakeMethod(self, name)

    def die(self) -> None:
        self.dead.set()
        for call in list(self.calls):
            with contextlib.suppress(Exception):
                call.set_exception(FakeErrors.RayError(f"the node {self.node.name} died"))


@dataclass
class FakeMethod:
    actor: FakeActor
    name: str

    def remote(self, *args: Any) -> Future[Any]:
        call: Future[Any] = Future()
        self.actor.calls.append(call)
        if self.actor.dead.is_set():
            self.actor.die()
            return call
        threading.Thread(target=self._run, args=(call, args), daemon=True).start()
        return call

    def _run(self, call: Future[Any], args: tuple[Any, ...]) -> None:
        try:
            done = getattr(self.actor.made, self.name)(*args)
        except Exception as error:  # noqa: BLE001 - as Ray does
            with contextlib.suppress(Exception):
                call.set_exception(FakeErrors.RayTaskError(error))
        else:
            with contextlib.suppress(Exception):
                call.set_result(done)


class FakeRay:
    """What a pool needs of Ray."""

    exceptions = FakeErrors

    def get(self, call: Future[Any]) -> Any:
        return call.result(timeout=30)

    def wait(self, calls: list[Future[Any]], num_returns: int = 1, timeout: float | None = None) -> Any:
        done, rest = wait(calls, timeout=timeout, return_when=FIRST_COMPLETED)
        return list(done), list(rest)

    def kill(self, actor: FakeActor) -> None:
        actor.die()


class FakeCluster:
    """Machines that can be taken away."""

    def __init__(self, *cores: int) -> None:
        self.ray = FakeRay()
        self.machines = [Node(f"id{n}", f"node{n}", count) for n, count in enumerate(cores)]
        self.actors: list[FakeActor] = []

    def nodes(self) -> tuple[Node, ...]:
        return tuple(self.machines)

    def start_actor(self, kind: type, node: Node, cores: int, calls: int, *given: Any) -> FakeActor:
        actor = FakeActor(kind(*given), node)
        actor.made.actor = actor
        self.actors.append(actor)
        if node not in self.machines:
            actor.die()
        return actor

    def lose(self, node: Node) -> None:
        """Take a machine away, with whatever runs there."""
        self.machines.remove(node)
        for actor in self.actors:
            if actor.node == node:
                actor.die()


class Model:
    """Counts what it is asked."""

    name = "fake:model"

    def __init__(self, raises: Exception | None = None) -> None:
        self.asked: list[Request] = []
        self.raises = raises

    def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        if self.raises:
            raise self.raises
        return Reply(f"reply to {request.messages[0].content}")

    def close(self) -> None: ...


@dataclass
class FakeRun:
    """A cluster, what its actors do, and a pool on it."""

    cluster: FakeCluster
    configuration: RunConfiguration
    judge: Any
    repair_with: Callable[..., Repair]
    at: Counter[str]
    """How often each task was taken up."""
    told: list[str]
    behave: Callable[[Task, Any], str | None]
    """What an actor does with a task: the program that it hands over."""
    unfit: set[str]
    bare: set[int] = field(default_factory=set)
    """Cores of the actors whose sandbox fails at every job."""

    @contextlib.contextmanager
    def open_runner(self, assignment: Assignment, model: Any) -> Iterator[SampleRunner]:
        if self.unfit:
            raise SandboxUnavailable(f"no {self.unfit}")
        strategy = NodeStrategy(self, assignment, model)
        yield SampleRunner(strategy, self.judge, Limits(), assignment.configuration)

    @contextlib.contextmanager
    def pool(self, plan: PlacementPlan, model: Any = None) -> Iterator[ClusterPool]:
        assignment = assignment_of(Settings(), self.configuration, model=model and model.name, version=VERSION)
        spec = ActorSpec(assignment, self.open_runner, plan)
        pool = ClusterPool(self.cluster, spec, model=model, notify=self.told.append)  # type: ignore[arg-type]
        try:
            pool.open()
            yield pool
        finally:
            pool.close()

    def evaluate(
        self, cases: list[Case], folder: Path, plan: PlacementPlan | None = None, model: Any = None
    ) -> RunSummary:
        with (
            open_results(folder, self.configuration, cases) as results,
            self.pool(plan or PlacementPlan(len(cases)), model) as pool,
        ):
            return evaluate_cases(cases, pool, self.configuration, RunOptions(results))


@dataclass
class NodeStrategy:
    """Repairs as its run says."""

    run: FakeRun
    assignment: Assignment
    model: Any
    name: str = "search"

    def repair(self, task: Task, seed: int = 0, on_event: Any = None) -> Repair:
        self.run.at[task.id] += 1
        if self.assignment.cores in self.run.bare:
            raise SandboxUnavailable("no wall any more.")
        return self.run.repair_with(task, self.run.behave(task, self.model))


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, configuration: RunConfiguration, judge: Any, repair_with: Callable[..., Repair]
) -> FakeRun:
    """Two machines of two cores, on which everything is fixed at once."""
    monkeypatch.setattr(provisioning, "NODE_POLL_SECONDS", 0.05)
    monkeypatch.setattr(slots, "ACTOR_WAIT_SECONDS", 0.5)
    monkeypatch.setattr(repair_actor, "version", lambda name: VERSION)
    return FakeRun(
        FakeCluster(2, 2), configuration, judge, repair_with, Counter(), [], lambda task, model: "right", set()
    )


@pytest.mark.parametrize(("name", "notes"), [("local:a-model", 1), ("local/a-model", 1), ("fake:model", 0)])
def test_that_a_model_in_this_process_runs_on_no_node_is_said(run: FakeRun, name: str, notes: int) -> None:
    """Before the first repair, since more machines make such a run little faster."""
    model = Model()
    model.name = name
    with run.pool(PlacementPlan(1), model):
        told = [text for text in run.told if text.startswith(f"{name} runs on this machine alone")]
    assert len(told) == notes


def actor_of(thread: threading.Thread, run: FakeRun) -> FakeActor:
    """The actor that a repair's thread works for; what is still under way at a dead one ends here, and is lost."""
    conversation = thread.name.removeprefix("repair-")
    for actor in run.cluster.actors:
        if conversation in actor.made._conversations and not actor.dead.is_set():
            return actor
    raise Died


def dies(run: FakeRun, *, times: dict[str, int], whole_node: bool = False) -> Callable[[Task, Any], str]:
    """A behaviour: these tasks bring their actor down so often."""
    left, guard = dict(times), threading.Lock()

    def behave(task: Task, model: Any) -> str:
        with guard:
            actor = actor_of(threading.current_thread(), run)
            if left.get(task.id, 0) > 0:
                left[task.id] -= 1
                run.cluster.lose(actor.node) if whole_node else actor.die()
                raise Died
        time.sleep(0.02)
        return "right"

    return behave


def outcomes(folder: Path) -> dict[str, Result]:
    return {line.task_id: line.outcome for line in read_results(folder / RESULTS)}


def test_every_job_is_done_once_on_some_node(run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]) -> None:
    """And the records are those of a run in one process."""
    cases = [make_case(f"t{n}") for n in range(30)]
    summary = run.evaluate(cases, tmp_path)
    assert summary.outcomes == {Result.FIXED: 30}
    assert set(run.at.values()) == {1}
    assert {actor.node.name for actor in run.cluster.actors} == {"node0", "node1"}
    assert all(actor.dead.is_set() for actor in run.cluster.actors), "nothing is left of the actors"


def test_a_lost_node_s_jobs_go_elsewhere_and_are_counted_once(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """Nothing is lost, nothing is there twice."""
    run.behave = dies(run, times={"t3": 1}, whole_node=True)
    summary = run.evaluate([make_case(f"t{n}") for n in range(20)], tmp_path)
    assert summary.outcomes == {Result.FIXED: 20}
    assert run.at["t3"] == 2
    assert any("is lost" in text for text in run.told)


def test_a_job_that_brings_three_actors_down_is_an_error_and_its_neighbours_are_not(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """An actor that died on a node that lives is taken up again; the third try of a suspect is alone at its actor."""
    run.behave = dies(run, times={"t5": 99})
    summary = run.evaluate([make_case(f"t{n}") for n in range(24)], tmp_path)
    assert outcomes(tmp_path).pop("t5") is Result.ERROR
    assert summary.outcomes == {Result.FIXED: 23, Result.ERROR: 1}
    assert run.at["t5"] == 3
    line = next(line for line in read_results(tmp_path / RESULTS) if line.task_id == "t5")
    assert line.error is not None
    assert line.error.kind == "SandboxError"
    assert "3 actors in a row were lost" in line.error.message


def test_a_run_without_any_node_is_given_up_and_can_be_resumed(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """After a while: a node might come back."""
    run.behave = dies(run, times={f"t{n}": 1 for n in range(20)}, whole_node=True)
    summary = run.evaluate([make_case(f"t{n}") for n in range(20)], tmp_path)
    assert "no node of the cluster is left" in summary.failure
    assert summary.exit_status == 3


def test_a_node_that_joins_takes_the_place_of_those_that_were_lost(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """Whoever waits for an actor looks out for nodes."""
    fresh = Node("new", "new", 2)

    def joins(task: Task, model: Any) -> str:
        if task.id == "t4":
            run.cluster.machines.append(fresh)
        return first(task, model)

    first = dies(run, times={"t4": 1, "t5": 1}, whole_node=True)
    run.behave = joins
    summary = run.evaluate([make_case(f"t{n}") for n in range(12)], tmp_path)
    assert summary.outcomes == {Result.FIXED: 12}
    assert fresh in [actor.node for actor in run.cluster.actors]


def test_whoever_has_no_node_left_looks_out_for_one(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """It may come a while after the last one went."""
    fresh = Node("late", "late", 1)
    run.behave = dies(run, times={"t0": 1, "t1": 1}, whole_node=True)
    threading.Timer(0.3, lambda: run.cluster.machines.append(fresh)).start()
    summary = run.evaluate([make_case(f"t{n}") for n in range(6)], tmp_path)
    assert summary.outcomes == {Result.FIXED: 6}
    assert fresh in [actor.node for actor in run.cluster.actors]


def test_an_actor_that_died_is_started_again_while_others_work(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """Its node is there still, with cores that nobody else uses."""
    run.behave = dies(run, times={"t0": 1})
    run.evaluate([make_case(f"t{n}") for n in range(60)], tmp_path)
    assert len(run.cluster.actors) == 3


def test_a_node_whose_sandbox_fails_later_is_left_and_its_job_goes_elsewhere(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """It would fail at every job, and faster than others do them."""
    run.cluster, run.bare = FakeCluster(2, 3), {2}
    run.behave = lambda task, model: time.sleep(0.01) or "right"
    summary = run.evaluate([make_case(f"t{n}") for n in range(20)], tmp_path)
    assert summary.outcomes == {Result.FIXED: 20}
    assert len(run.cluster.actors) == 2
    assert any("no wall any more" in text for text in run.told)


def test_a_node_without_a_sandbox_is_left_out_and_with_none_left_the_run_is_refused(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """It is said which, and why."""
    run.unfit = {"namespaces"}
    with pytest.raises(SandboxUnavailable, match=r"can repair: node0: no {'namespaces'}; node1: "):
        run.evaluate([make_case("a")], tmp_path, PlacementPlan(4))
    assert any(text.startswith("Node node1 is left out: no {'namespaces'}") for text in run.told)


def test_another_version_of_regreen_does_not_take_part(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its results would be another program's."""
    monkeypatch.setattr(repair_actor, "version", lambda name: "0.0.1")
    with pytest.raises(SandboxUnavailable, match=r"it has Regreen 0\.0\.1, and the run is kept by unknown"):
        run.evaluate([make_case("a")], tmp_path)


def asks(task: Task, model: Any) -> str:
    """A behaviour: two questions, one after the other."""
    for turn in range(2):
        request = Request((Message("user", f"{task.id} {turn}"),), scope=f"{task.id}#5", turn=turn)
        assert model.ask(request).text == f"reply to {task.id} {turn}"
    return "right"


def test_what_is_asked_of_a_model_is_asked_from_where_the_run_is_kept(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """So keys, limits and the tape are in one place."""
    run.behave, model = asks, Model()
    summary = run.evaluate([make_case(f"t{n}") for n in range(10)], tmp_path, PlacementPlan(10, at_once=4), model=model)
    assert summary.outcomes == {Result.FIXED: 10}
    assert len(model.asked) == 20


def test_a_job_that_is_done_again_is_told_what_it_was_told(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """No reply is paid twice."""
    fatal = dies(run, times={"t3": 2})
    run.behave, model = lambda task, model: asks(task, model) and fatal(task, model), Model()
    summary = run.evaluate([make_case(f"t{n}") for n in range(8)], tmp_path, PlacementPlan(8, at_once=4), model=model)
    assert summary.outcomes == {Result.FIXED: 8}
    assert run.at["t3"] == 3
    assert len(model.asked) == 16


def test_a_limit_that_is_reached_ends_the_run_there_too(
    run: FakeRun, tmp_path: Path, make_case: Callable[..., Case]
) -> None:
    """What the model raises here is raised on the node, and comes back as what it was."""
    spent = BudgetSpent("the money is spent.", kind="usd", remedy="Resume with more.")
    run.behave = asks
    summary = run.evaluate(
        [make_case(f"t{n}") for n in range(50)], tmp_path, PlacementPlan(50, at_once=2), model=Model(raises=spent)
    )
    assert summary.failure == "the money is spent. Resume with more."
    assert sum(summary.outcomes.values()) < 10


ERRORS = [
    BudgetSpent("spent.", kind="tokens", remedy="More."),
    CircuitOpen("hopeless.", remedy="Wait."),
    SandboxUnavailable("no wall."),
    type("KeyRefused", (ModelError,), {})("refused."),
    ValueError("odd \ud800"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_cross_as_what_they_are(error: Exception) -> None:
    """By name, as one of ours where they are, and with what they carry."""
    crossed = unpack_error(pack_error(error))
    assert type(crossed).__name__ == type(error).__name__
    assert crossed.args == error.args
    assert vars(crossed) == vars(error)
    ours = next(kind for kind in type(error).__mro__ if kind.__module__ in ("regreen.errors", "builtins"))
    assert isinstance(crossed, ours if issubclass(ours, RegreenError) else RuntimeError)


@pytest.mark.parametrize("name", ["annotations", "__name__", "nothing"])
def test_a_class_that_is_none_of_ours_is_not_looked_up(name: str) -> None:
    """What comes from a node names an error, or nothing."""
    assert isinstance(unpack_error(PackedError("Odd", name, "text", {})), RuntimeError)


def test_actors_follow_the_cores_and_the_work() -> None:
    """An actor keeps up to four cores busy; there are no more than there is work for, spread over nodes first."""
    nodes = [Node("a", "a", 10), Node("b", "b", 1)]
    told = [
        (placement.node.name, placement.cores, placement.slots) for placement in PlacementPlan(1000).placements(nodes)
    ]
    assert told == [("a", 4, 4), ("b", 1, 1), ("a", 3, 3), ("a", 3, 3)]
    assert [placement.node.name for placement in PlacementPlan(5).placements(nodes)] == ["a", "b"]
    assert [placement.cores for placement in PlacementPlan(1000, max_cores=2).placements(nodes)] == [2, 1]
    assert PlacementPlan(1000).placements([]) == []


def test_where_a_model_is_waited_for_the_whole_run_keeps_to_its_number() -> None:
    """A node has room for some of those of a node that is lost."""
    nodes = [Node("a", "a", 4), Node("b", "b", 4)]
    assert [placement.slots for placement in PlacementPlan(1000, at_once=8).placements(nodes)] == [8, 8]
    assert [placement.slots for placement in PlacementPlan(1000, at_once=40).placements(nodes)] == [40, 40]
    assert [placement.slots for placement in PlacementPlan(1000, at_once=3).placements(nodes)] == [3]


def test_no_setting_that_belongs_here_goes_to_a_node_and_its_own_python_is_used(
    configuration: RunConfiguration,
) -> None:
    """Unless the one that is asked for is there."""
    settings = Settings(base_url="http://secret@host", cache="tape", workers=7)
    assignment = assignment_of(settings, configuration, model=None, version="1")
    assert not {"base_url", "cache", "spread"} & assignment.settings.keys()
    there = replace(assignment, cores=3).settings_on_node()
    assert (there.workers, there.python) == (3, settings.python)
    absent = replace(assignment, settings={**assignment.settings, "python": "/nowhere/python"})
    assert absent.settings_on_node().python == Settings().python
