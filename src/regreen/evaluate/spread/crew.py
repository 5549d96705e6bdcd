"""Does the jobs of a run on the nodes of a cluster; one that is lost with its node is done on another."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

from regreen.config import Settings
from regreen.errors import SandboxError, SandboxUnavailable
from regreen.evaluate.bench import Ended, Job, failed
from regreen.evaluate.records import Recipe
from regreen.evaluate.run import Hands
from regreen.evaluate.spread.cluster import Cluster, Tell, joined
from regreen.evaluate.spread.hiring import Hiring, Offer, said_by
from regreen.evaluate.spread.messages import Asked, Report, Said, assignment_of, ended_of, packed, scope_of
from regreen.evaluate.spread.plan import Plan
from regreen.evaluate.spread.seats import Post, Seats
from regreen.evaluate.spread.worker import Tools, own_tools
from regreen.models import ChatModel, Reply, Request

LOST_AT_MOST = 3
"""A job that lost its post so often in a row is most likely the reason."""
END_SECONDS = 10.0
IN_PROCESS = ("local:", "local/")
"""How a model is named that is loaded into the process which asks it."""


class PostLost(Exception):
    """A post, or its whole node, is gone."""


class Crew:
    """Does jobs on a cluster; may be used from several threads."""

    def __init__(
        self,
        cluster: Cluster,
        offer: Offer,
        *,
        model: ChatModel | None = None,
        tell: Tell = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cluster = cluster
        self._recipe: Recipe = offer.assignment.recipe
        self._model = model
        self._tell = tell
        self._clock = clock
        self._seats = Seats(look_out=lambda: self._hiring.look_again(), clock=clock)
        self._hiring = Hiring(cluster, offer, self._seats, tell, clock=clock)

    def open(self) -> int:
        """Take up posts on every node; returns for how many jobs there is room.

        Raises SandboxUnavailable where no node can work.
        """
        if self._model and self._model.name.startswith(IN_PROCESS):
            self._tell(
                f"{self._model.name} runs on this machine alone, and every node waits for it: the nodes only search and"
                " judge. For a model on each of them, serve it there (by vLLM, say) and name the service."
            )
        self._hiring.begin()
        return sum(post.place.seats for post in self._seats.posts())

    def run(self, job: Job) -> Ended:
        """Do one job on some node, and tell how it ended; whatever fails on our side is recorded as such."""
        began = self._clock()
        try:
            return self._insist(job)
        except Exception as error:  # noqa: BLE001 - one case must not end the run, and what failed is recorded
            return failed(job, error, self._recipe, self._clock() - began)

    def close(self) -> None:
        """Take down every post, with what it is at."""
        self._hiring.end()
        posts = self._seats.close()
        with contextlib.suppress(Exception):
            ends = [post.actor.close.remote() for post in posts]
            self._cluster.ray.wait(ends, num_returns=len(ends), timeout=END_SECONDS)
        for post in posts:
            self._hiring.dismiss(post.actor)

    def _insist(self, job: Job) -> Ended:
        said: dict[str, Reply] = {}
        why = ""
        for losses in range(LOST_AT_MOST):
            # A job that merely shared posts with the one that brings them down is cleared by working alone.
            with contextlib.suppress(PostLost), self._seats.held(alone=losses == LOST_AT_MOST - 1) as post:
                try:
                    return self._conduct(post, job, said)
                except PostLost as lost:
                    why = str(lost)
                    raise
        raise SandboxError(f"{LOST_AT_MOST} posts in a row were lost that worked at this, the last one: {why}.")

    def _conduct(self, post: Post, job: Job, said: dict[str, Reply]) -> Ended:
        """Hold the conversation that a job is: its questions are answered from here."""
        scope = scope_of(job, self._recipe)
        report = self._fetched(post, post.actor.begin.remote(job))
        while isinstance(report, Asked):
            answer = self._answer(report.request, said)
            report = self._fetched(post, post.actor.go_on.remote(scope, answer))
        ended = ended_of(report)
        if isinstance(ended.error, SandboxUnavailable):
            self._hiring.avoid(post.place.node)
            raise self._lost(post, str(ended.error))
        return ended

    def _answer(self, request: Request, said: dict[str, Reply]) -> Said:
        """What the model says; a job that is done again is told what it was told before, and nothing is paid twice."""
        assert self._model is not None, "only jobs that have a model ask"
        key = f"{request.turn} {request.key(self._model.name)}"
        try:
            if key not in said:
                said[key] = self._model.ask(request)
        except Exception as error:  # noqa: BLE001 - the strategy decides what it means
            return packed(error)
        return said[key]

    def _fetched(self, post: Post, promised: Any) -> Asked | Report:
        errors = self._cluster.ray.exceptions
        try:
            report: Asked | Report = self._cluster.ray.get(promised)
        except errors.RayTaskError:
            raise
        except errors.RayError as error:
            raise self._lost(post, said_by(error)) from None
        return report

    def _lost(self, post: Post, why: str) -> PostLost:
        """Do without a post from now on, and look for another in its place."""
        if self._seats.remove(post):
            self._hiring.dismiss(post.actor)
            self._tell(f"A post on node {post.place.node.name} is lost, and what it was at is done elsewhere: {why}.")
            self._hiring.look_again()
        return PostLost(f"{post.place.node.name}: {why}")


@contextlib.contextmanager
def open_crew(
    settings: Settings,
    recipe: Recipe,
    *,
    jobs: int,
    at_once: int | None = None,
    model: ChatModel | None = None,
    tell: Tell = lambda text: None,
    tools: Tools = own_tools,
) -> Iterator[Hands]:
    """Hands on every node of a Ray cluster, for the block; with none to join, one is started on this machine.

    `jobs` is how many there are at most, `at_once` how many may be under way where that is not for the cores to say.
    `tell` hears where the run works, and of nodes that are left out or lost. Raises ConfigError where there is no Ray,
    SandboxUnavailable where no node can work.
    """
    name = None if model is None else model.name
    most = settings.workers if "workers" in settings.model_fields_set else None
    assignment = assignment_of(settings, recipe, model=name, version=version("regreen"))
    with joined(settings.workers, tell) as cluster:
        crew = Crew(cluster, Offer(assignment, tools, Plan(jobs, at_once, most)), model=model, tell=tell)
        try:
            room = crew.open()
            yield Hands(crew.run, max(1, min(jobs, room if at_once is None else at_once)))
        finally:
            crew.close()
