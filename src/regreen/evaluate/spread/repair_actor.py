"""What runs on a node: a jail and workers of its own, jobs that come in, and results and questions that go out."""

from __future__ import annotations

import contextlib
import platform
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib.metadata import version

from regreen.evaluate.sample_runner import SampleJob, SampleRunner, Strategy, failed_sample
from regreen.evaluate.spread.node_messages import (
    Assignment,
    JobReport,
    ModelAnswer,
    ModelQuestion,
    PackedError,
    job_scope,
    report_of,
    unpack_error,
)
from regreen.models import ChatModel, Reply, Request
from regreen.types import Judge

Tools = Callable[[Assignment, ChatModel | None], AbstractContextManager[tuple[Strategy, Judge]]]
"""Opens what an actor works with."""


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """What a node says of itself once it can work."""

    version: str
    python: str
    host: str


@dataclass(frozen=True)
class JobConversation:
    """What passes between a repair and whoever fetches its reports."""

    reports: queue.SimpleQueue[ModelQuestion | JobReport] = field(default_factory=queue.SimpleQueue)
    answers: queue.SimpleQueue[ModelAnswer] = field(default_factory=queue.SimpleQueue)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, request: Request) -> Reply:
        """Put a question, and wait for the answer."""
        with self.turn:
            self.reports.put(ModelQuestion(request))
            said = self.answers.get()
        if isinstance(said, PackedError):
            raise unpack_error(said)
        return said


class RelayModel:
    """A chat model that is asked by whoever keeps the run: no key and no limit is known here."""

    def __init__(self, name: str, conversation_of: Callable[[str], JobConversation]) -> None:
        self.name = name
        self._conversation_of = conversation_of

    def ask(self, request: Request) -> Reply:
        """The model's reply, or what asking it raised."""
        return self._conversation_of(request.scope).ask(request)

    def close(self) -> None:
        """There is nothing to give back."""


class RepairActor:
    """A place of work on a node; the methods are called from afar, several at a time.

    A job that asks a model is a conversation: `begin` and each `go_on` return its next question, or its report.
    """

    def __init__(self, assignment: Assignment, tools: Tools) -> None:
        self._assignment = assignment
        self._open_tools = tools
        self._held = contextlib.ExitStack()
        self._conversations: dict[str, JobConversation] = {}
        self._runner: SampleRunner | None = None

    def open(self) -> NodeInfo:
        """Build the sandboxes. Raises SandboxUnavailable where this node lacks what they need."""
        here, there = version("regreen"), self._assignment.version
        if here != there:
            raise RuntimeError(f"it has Regreen {here}, and the run is kept by {there}")
        assignment = self._assignment
        model = RelayModel(assignment.model, self._conversations.__getitem__) if assignment.model is not None else None
        strategy, judge = self._held.enter_context(self._open_tools(assignment, model))
        settings = assignment.settings_there()
        self._runner = SampleRunner(strategy, judge, settings.limits, assignment.configuration)
        return NodeInfo(here, settings.python, platform.node())

    def begin(self, job: SampleJob) -> ModelQuestion | JobReport:
        """Take up a job."""
        scope = job_scope(job, self._assignment.configuration)
        conversation = self._conversations[scope] = JobConversation()
        threading.Thread(target=self._work, args=(job, conversation), name=f"repair-{scope}", daemon=True).start()
        return self._next(scope)

    def go_on(self, scope: str, said: ModelAnswer) -> ModelQuestion | JobReport:
        """Answer a job's question."""
        self._conversations[scope].answers.put(said)
        return self._next(scope)

    def close(self) -> None:
        """Take down the sandboxes; nothing is left of them."""
        self._held.close()

    def _next(self, scope: str) -> ModelQuestion | JobReport:
        report = self._conversations[scope].reports.get()
        if isinstance(report, JobReport):
            del self._conversations[scope]
        return report

    def _work(self, job: SampleJob, conversation: JobConversation) -> None:
        assert self._runner is not None, "an actor is opened before it is given work"
        try:
            ended = self._runner.run(job)
        except BaseException as error:  # noqa: BLE001 - whoever waits for the report must hear of it
            ended = failed_sample(job, RuntimeError(f"{type(error).__name__}: {error}"), self._assignment.configuration)
        conversation.reports.put(report_of(ended))


@contextlib.contextmanager
def open_node_tools(assignment: Assignment, model: ChatModel | None) -> Iterator[tuple[Strategy, Judge]]:
    """The run's strategy and a judge, with resources of this node."""
    from regreen.strategies import open_strategy
    from regreen.strategies.collector import rare_collections
    from regreen.strategies.resources import open_resources

    settings = assignment.settings_there()
    with rare_collections(), open_resources(settings, tasks_at_once=assignment.slots) as resources:
        # A wall that cannot be built is found now, and not by the first case.
        with resources.pool.lease():
            pass
        with open_strategy(settings, resources, model=model) as strategy:
            yield strategy.repair, resources.judge
