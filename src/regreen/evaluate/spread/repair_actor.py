"""The actor on a node: it has sandboxes and threads of its own, takes jobs and returns results and model requests."""

from __future__ import annotations

import contextlib
import platform
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib.metadata import version

from regreen.evaluate.sample_runner import SampleJob, SampleRunner, failed_sample, open_sample_runner
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

OpenRunner = Callable[[Assignment, ChatModel | None], AbstractContextManager[SampleRunner]]
"""Opens the runner of an actor on its node: `open_node_runner`, but in tests."""


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """What an actor says of its node once it is ready."""

    version: str
    """Of Regreen."""
    python: str
    """Path of the interpreter that programs run by."""
    host: str


@dataclass(frozen=True)
class JobConversation:
    """Messages between a repair on the node and the driver, which fetches them one at a time."""

    reports: queue.SimpleQueue[ModelQuestion | JobReport] = field(default_factory=queue.SimpleQueue)
    answers: queue.SimpleQueue[ModelAnswer] = field(default_factory=queue.SimpleQueue)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, request: Request) -> Reply:
        """Put a question to the driver, and wait for the answer."""
        with self.turn:
            self.reports.put(ModelQuestion(request))
            answer = self.answers.get()
        if isinstance(answer, PackedError):
            raise unpack_error(answer)
        return answer


class RelayModel:
    """A chat model that asks the driver, so that a node knows no key and no limit."""

    def __init__(self, name: str, conversations: dict[str, JobConversation]) -> None:
        """`conversations` holds those under way, by the scope of the job."""
        self.name = name
        self._conversations = conversations

    def ask(self, request: Request) -> Reply:
        """The model's reply; raises what asking it raised in the driver."""
        return self._conversations[request.scope].ask(request)

    def close(self) -> None:
        """Nothing to close: the model is the driver's."""


class RepairActor:
    """Runs samples on a node; Ray calls its methods from the driver, several at a time.

    A sample that asks a model is a conversation: `begin` and each `go_on` return its next question, or its report.
    """

    def __init__(self, assignment: Assignment, open_runner: OpenRunner) -> None:
        self._assignment = assignment
        self._open_runner = open_runner
        self._opened = contextlib.ExitStack()
        self._conversations: dict[str, JobConversation] = {}
        self._runner: SampleRunner | None = None

    def open(self) -> NodeInfo:
        """Build the sandboxes.

        Raises SandboxUnavailable where the node lacks what they need, RuntimeError for another version of Regreen.
        """
        here, there = version("regreen"), self._assignment.version
        if here != there:
            raise RuntimeError(f"it has Regreen {here}, and the run is kept by {there}")
        assignment = self._assignment
        model = RelayModel(assignment.model, self._conversations) if assignment.model is not None else None
        self._runner = self._opened.enter_context(self._open_runner(assignment, model))
        return NodeInfo(here, assignment.settings_on_node().python, platform.node())

    def begin(self, job: SampleJob) -> ModelQuestion | JobReport:
        """Start a job; returns its first question, or its report."""
        scope = job_scope(job, self._assignment.configuration)
        conversation = self._conversations[scope] = JobConversation()
        threading.Thread(target=self._work, args=(job, conversation), name=f"repair-{scope}", daemon=True).start()
        return self._next(scope)

    def go_on(self, scope: str, answer: ModelAnswer) -> ModelQuestion | JobReport:
        """Answer the question of a job; returns its next question, or its report."""
        self._conversations[scope].answers.put(answer)
        return self._next(scope)

    def close(self) -> None:
        """Take down the sandboxes; nothing of them is left on the node."""
        self._opened.close()

    def _next(self, scope: str) -> ModelQuestion | JobReport:
        report = self._conversations[scope].reports.get()
        if isinstance(report, JobReport):
            del self._conversations[scope]
        return report

    def _work(self, job: SampleJob, conversation: JobConversation) -> None:
        assert self._runner is not None, "an actor is opened before it is given jobs"
        try:
            completed = self._runner.run(job)
        except BaseException as error:  # noqa: BLE001 - the driver, which waits for the report, must hear of it
            fault = RuntimeError(f"{type(error).__name__}: {error}")
            completed = failed_sample(job, fault, self._assignment.configuration)
        conversation.reports.put(report_of(completed))


@contextlib.contextmanager
def open_node_runner(assignment: Assignment, model: ChatModel | None) -> Iterator[SampleRunner]:
    """The run's strategy and a judge, with sandboxes on this node; one that cannot be built is found at once."""
    with open_sample_runner(
        assignment.settings_on_node(),
        assignment.configuration,
        model=model,
        samples_at_once=assignment.slots,
        check_sandbox=True,
    ) as runner:
        yield runner
