"""Does the jobs of a run on the nodes of a cluster; one that is lost with its node is done on another."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

from regreen.config import Settings
from regreen.errors import SandboxError, SandboxUnavailable
from regreen.evaluate.records import RunConfiguration
from regreen.evaluate.run import Hands
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
from regreen.evaluate.spread.placement import PlacementPlan
from regreen.evaluate.spread.provisioning import ActorSpec, Provisioner, first_line_of
from regreen.evaluate.spread.repair_actor import Tools, open_node_tools
from regreen.evaluate.spread.slots import ActorHandle, Slots
from regreen.models import ChatModel, Reply, Request

_MAX_LOSSES = 3
"""A job that lost its actor so often in a row is most likely the reason."""
_END_SECONDS = 10.0
_LOCAL_PREFIXES = ("local:", "local/")
"""How a model is named that is loaded into the process which asks it."""


class ActorLost(Exception):
    """An actor, or its whole node, is gone."""


class ClusterPool:
    """Does jobs on a cluster; may be used from several threads."""

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
        self._configuration: RunConfiguration = spec.assignment.configuration
        self._model = model
        self._notify = notify
        self._clock = clock
        self._slots = Slots(look_out=lambda: self._provisioner.provision_soon(), clock=clock)
        self._provisioner = Provisioner(cluster, spec, self._slots, notify, clock=clock)

    def open(self) -> int:
        """Take up actors on every node; returns for how many jobs there is room.

        Raises SandboxUnavailable where no node can work.
        """
        if self._model and self._model.name.startswith(_LOCAL_PREFIXES):
            self._notify(
                f"{self._model.name} runs on this machine alone, and every node waits for it: the nodes only search and"
                " judge. For a model on each of them, serve it there (by vLLM, say) and name the service."
            )
        self._provisioner.begin()
        return sum(actor.placement.slots for actor in self._slots.actors())

    def run(self, job: SampleJob) -> CompletedSample:
        """Do one job on some node, and tell how it ended; whatever fails on our side is recorded as such."""
        began = self._clock()
        try:
            return self._run_until_kept(job)
        except Exception as error:  # noqa: BLE001 - one case must not end the run, and what failed is recorded
            return failed_sample(job, error, self._configuration, self._clock() - began)

    def close(self) -> None:
        """Take down every actor, with what it is at."""
        self._provisioner.end()
        actors = self._slots.close()
        with contextlib.suppress(Exception):
            ends = [actor.actor.close.remote() for actor in actors]
            self._cluster.ray.wait(ends, num_returns=len(ends), timeout=_END_SECONDS)
        for actor in actors:
            self._provisioner.kill(actor.actor)

    def _run_until_kept(self, job: SampleJob) -> CompletedSample:
        said: dict[str, Reply] = {}
        why = ""
        for losses in range(_MAX_LOSSES):
            # A job that merely shared actors with the one that brings them down is cleared by working alone.
            with contextlib.suppress(ActorLost), self._slots.held(alone=losses == _MAX_LOSSES - 1) as actor:
                try:
                    return self._converse(actor, job, said)
                except ActorLost as lost:
                    why = str(lost)
                    raise
        raise SandboxError(f"{_MAX_LOSSES} actors in a row were lost that worked at this, the last one: {why}.")

    def _converse(self, actor: ActorHandle, job: SampleJob, said: dict[str, Reply]) -> CompletedSample:
        """Hold the conversation that a job is: its questions are answered from here."""
        scope = job_scope(job, self._configuration)
        report = self._fetched(actor, actor.actor.begin.remote(job))
        while isinstance(report, ModelQuestion):
            answer = self._answer(report.request, said)
            report = self._fetched(actor, actor.actor.go_on.remote(scope, answer))
        ended = completed_sample(report)
        if isinstance(ended.error, SandboxUnavailable):
            self._provisioner.avoid(actor.placement.node)
            raise self._lost(actor, str(ended.error))
        return ended

    def _answer(self, request: Request, said: dict[str, Reply]) -> ModelAnswer:
        """What the model says; a job that is done again is told what it was told before, and nothing is paid twice."""
        assert self._model is not None, "only jobs that have a model ask"
        key = f"{request.turn} {request.key(self._model.name)}"
        try:
            if key not in said:
                said[key] = self._model.ask(request)
        except Exception as error:  # noqa: BLE001 - the strategy decides what it means
            return pack_error(error)
        return said[key]

    def _fetched(self, actor: ActorHandle, promised: Any) -> ModelQuestion | JobReport:
        errors = self._cluster.ray.exceptions
        try:
            report: ModelQuestion | JobReport = self._cluster.ray.get(promised)
        except errors.RayTaskError:
            raise
        except errors.RayError as error:
            raise self._lost(actor, first_line_of(error)) from None
        return report

    def _lost(self, actor: ActorHandle, why: str) -> ActorLost:
        """Do without an actor from now on, and look for another in its place."""
        if self._slots.remove(actor):
            self._provisioner.kill(actor.actor)
            self._notify(
                f"An actor on node {actor.placement.node.name} is lost, and what it was at is done elsewhere: {why}."
            )
            self._provisioner.provision_soon()
        return ActorLost(f"{actor.placement.node.name}: {why}")


@contextlib.contextmanager
def open_cluster_pool(
    settings: Settings,
    configuration: RunConfiguration,
    *,
    jobs: int,
    at_once: int | None = None,
    model: ChatModel | None = None,
    notify: Notify = lambda text: None,
    tools: Tools = open_node_tools,
) -> Iterator[Hands]:
    """Hands on every node of a Ray cluster, for the block; with none to join, one is started on this machine.

    `jobs` is how many there are at most, `at_once` how many may be under way where that is not for the cores to say.
    `notify` gets a line for where the run works, and for each node that is left out or lost. Raises ConfigError where
    there is no Ray, SandboxUnavailable where no node can work.
    """
    name = None if model is None else model.name
    most = settings.workers if "workers" in settings.model_fields_set else None
    assignment = assignment_of(settings, configuration, model=name, version=version("regreen"))
    with join_cluster(settings.workers, notify) as cluster:
        pool = ClusterPool(
            cluster, ActorSpec(assignment, tools, PlacementPlan(jobs, at_once, most)), model=model, notify=notify
        )
        try:
            room = pool.open()
            yield Hands(pool.run, max(1, min(jobs, room if at_once is None else at_once)))
        finally:
            pool.close()
