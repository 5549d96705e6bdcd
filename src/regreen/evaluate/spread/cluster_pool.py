"""Runs the samples of a run on the nodes of a cluster; one that is lost with its node is run again on another."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

from regreen.config import Settings
from regreen.errors import SandboxError, SandboxUnavailable
from regreen.evaluate.records import RunConfiguration
from regreen.evaluate.sample_runner import CompletedSample, SampleJob, failed_sample
from regreen.evaluate.spread.cluster import Cluster, Notify, join_cluster
from regreen.evaluate.spread.node_messages import (
    JobReport,
    ModelAnswer,
    ModelQuestion,
    assignment_of,
    completed_sample,
    job_scope,
    pack_error,
)
from regreen.evaluate.spread.provisioning import ActorSpec, PlacementPlan, Provisioner, first_line_of
from regreen.evaluate.spread.repair_actor import OpenRunner, open_node_runner
from regreen.evaluate.spread.slots import ActorHandle, Slots
from regreen.models import ChatModel, Reply, Request

_MAX_LOSSES = 3
"""Actors lost in a row after which the job itself is taken to be the cause."""
_END_SECONDS = 10.0
_LOCAL_PREFIXES = ("local:", "local/")
"""Names of models that are loaded into the process which asks them."""


class ActorLost(Exception):
    """An actor, or its whole node, is gone."""


class ClusterPool:
    """The executor of a run on a cluster; may be used from several threads."""

    def __init__(
        self,
        cluster: Cluster,
        spec: ActorSpec,
        *,
        model: ChatModel | None = None,
        notify: Notify = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cluster = cluster
        self._plan = spec.plan
        self._configuration: RunConfiguration = spec.assignment.configuration
        self._model = model
        self._notify = notify
        self._clock = clock
        self._slots = Slots(clock=clock)
        self._provisioner = Provisioner(cluster, spec, self._slots, notify, clock=clock)
        self.concurrency = 1
        """Jobs that may be under way at the same time, known once the pool is open."""

    def open(self) -> None:
        """Start actors on every node. Raises SandboxUnavailable where no node can work."""
        if self._model and self._model.name.startswith(_LOCAL_PREFIXES):
            self._notify(
                f"{self._model.name} runs on this machine alone, and every node waits for it: the nodes only search and"
                " judge. For a model on each of them, serve it there (by vLLM, say) and name the service."
            )
        self._provisioner.begin()
        room = sum(actor.placement.slots for actor in self._slots.actors())
        at_once = room if self._plan.at_once is None else self._plan.at_once
        self.concurrency = max(1, min(self._plan.jobs, at_once))

    def run(self, job: SampleJob) -> CompletedSample:
        """Run one sample on some node; a failure on our side is recorded as an error."""
        began = self._clock()
        try:
            return self._run_despite_losses(job)
        except Exception as error:  # noqa: BLE001 - one case must not end the run, and what failed is recorded
            return failed_sample(job, error, self._configuration, self._clock() - began)

    def close(self) -> None:
        """End every actor with all its jobs."""
        self._provisioner.end()
        actors = self._slots.close()
        with contextlib.suppress(Exception):
            ends = [actor.remote.close.remote() for actor in actors]
            self._cluster.ray.wait(ends, num_returns=len(ends), timeout=_END_SECONDS)
        for actor in actors:
            self._provisioner.kill(actor.remote)

    def _run_despite_losses(self, job: SampleJob) -> CompletedSample:
        replies: dict[str, Reply] = {}
        why = ""
        for losses in range(_MAX_LOSSES):
            # A job that merely shared actors with the one that brings them down is cleared by running alone.
            with contextlib.suppress(ActorLost), self._slots.taken(alone=losses == _MAX_LOSSES - 1) as actor:
                try:
                    return self._converse(actor, job, replies)
                except ActorLost as lost:
                    why = str(lost)
                    raise
        raise SandboxError(f"{_MAX_LOSSES} actors in a row were lost that worked at this, the last one: {why}.")

    def _converse(self, actor: ActorHandle, job: SampleJob, replies: dict[str, Reply]) -> CompletedSample:
        """Run a job on an actor and answer its questions to the model; `replies` are those it was given before."""
        scope = job_scope(job, self._configuration)
        report = self._fetched(actor, actor.remote.begin.remote(job))
        while isinstance(report, ModelQuestion):
            answer = self._answer(report.request, replies)
            report = self._fetched(actor, actor.remote.go_on.remote(scope, answer))
        completed = completed_sample(job, report)
        if isinstance(completed.error, SandboxUnavailable):
            self._provisioner.avoid(actor.placement.node)
            raise self._lost(actor, str(completed.error))
        return completed

    def _answer(self, request: Request, replies: dict[str, Reply]) -> ModelAnswer:
        """The model's reply; a job that runs again gets the replies of its first time, so that none is paid twice."""
        assert self._model is not None, "only jobs that have a model ask"
        key = f"{request.turn} {request.key(self._model.name)}"
        try:
            if key not in replies:
                replies[key] = self._model.ask(request)
        except Exception as error:  # noqa: BLE001 - the strategy decides what it means
            return pack_error(error)
        return replies[key]

    def _fetched(self, actor: ActorHandle, promise: Any) -> ModelQuestion | JobReport:
        errors = self._cluster.ray.exceptions
        try:
            report: ModelQuestion | JobReport = self._cluster.ray.get(promise)
        except errors.RayTaskError:
            raise
        except errors.RayError as error:
            raise self._lost(actor, first_line_of(error)) from None
        return report

    def _lost(self, actor: ActorHandle, why: str) -> ActorLost:
        """Withdraw an actor, and have it replaced."""
        node = actor.placement.node.name
        if self._slots.remove(actor):
            self._provisioner.kill(actor.remote)
            self._notify(f"An actor on node {node} is lost, and what it was at is done elsewhere: {why}.")
            self._provisioner.replace_lost()
        return ActorLost(f"{node}: {why}")


@contextlib.contextmanager
def open_cluster_pool(
    settings: Settings,
    configuration: RunConfiguration,
    *,
    jobs: int,
    at_once: int | None = None,
    model: ChatModel | None = None,
    notify: Notify = lambda text: None,
    open_runner: OpenRunner = open_node_runner,
) -> Iterator[ClusterPool]:
    """An executor on every node of a Ray cluster, for the block; with none to join, one is started on this machine.

    `jobs` is how many there are at most, `at_once` how many may be under way (None for one a core). `notify` gets a
    line for the cluster that is used, and for each node that is left out or lost. Raises ConfigError where there is no
    Ray, SandboxUnavailable where no node can work.
    """
    name = None if model is None else model.name
    max_cores = settings.workers if "workers" in settings.model_fields_set else None
    assignment = assignment_of(settings, configuration, model=name, version=version("regreen"))
    plan = PlacementPlan(jobs, at_once, max_cores)
    with join_cluster(settings.workers, notify) as cluster:
        pool = ClusterPool(cluster, ActorSpec(assignment, open_runner, plan), model=model, notify=notify)
        try:
            pool.open()
            yield pool
        finally:
            pool.close()
