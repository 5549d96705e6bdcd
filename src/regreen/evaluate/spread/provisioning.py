"""Starts the actors of a run on the nodes of a cluster, and replaces those that are lost."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from regreen.errors import SandboxUnavailable
from regreen.evaluate.spread.cluster import Cluster, Node, Notify
from regreen.evaluate.spread.node_messages import Assignment
from regreen.evaluate.spread.repair_actor import NodeInfo, OpenRunner, RepairActor
from regreen.evaluate.spread.slots import ActorHandle, Placement, Slots

NODE_POLL_SECONDS = 2.0
"""How often nodes are looked for where the run has no actor."""
_START_SECONDS = 120.0
"""Actors not ready by then are dropped."""
_END_SECONDS = 5.0
_CORES_PER_ACTOR = 4
"""An actor is one Python process, which keeps no more than a few cores busy."""


@dataclass(frozen=True, slots=True)
class PlacementPlan:
    """The jobs of a run, and what it may use of a cluster."""

    jobs: int
    """Jobs that there are at most."""
    at_once: int | None = None
    """Jobs that may be under way; None for one a core."""
    max_cores: int | None = None
    """Cores of one node that may be used; None for all."""

    def placements(self, nodes: Sequence[Node]) -> list[Placement]:
        """Actors for every node by its cores, in all no more than there is work for, spread over the nodes first."""
        shares = [
            [(node, cores) for cores in _core_shares(min(node.cores, self.max_cores or node.cores))] for node in nodes
        ]
        actors = list(self._needed(actor for row in zip_longest(*shares) for actor in row if actor is not None))
        return [Placement(node, cores, self._slots(cores, len(actors))) for node, cores in actors]

    def _needed(self, actors: Iterator[tuple[Node, int]]) -> Iterator[tuple[Node, int]]:
        wanted = min(self.jobs, self.at_once or self.jobs)
        for node, cores in actors:
            if wanted <= 0:
                return
            wanted -= cores
            yield node, cores

    def _slots(self, cores: int, actors: int) -> int:
        """One a core; where jobs wait for a model, twice an actor's share: room for the jobs of a lost node."""
        return cores if self.at_once is None else min(self.at_once, 2 * -(-self.at_once // actors))


def _core_shares(cores: int) -> list[int]:
    """The cores of a node, divided evenly among its actors."""
    actors = -(-cores // _CORES_PER_ACTOR)
    return [cores // actors + (number < cores % actors) for number in range(actors)]


@dataclass(frozen=True, slots=True)
class ActorSpec:
    """What every actor of a run is started with, and how many there should be."""

    assignment: Assignment
    open_runner: OpenRunner
    plan: PlacementPlan


class Provisioner:
    """Keeps the actors of a run up to its plan; may be used from several threads."""

    def __init__(
        self,
        cluster: Cluster,
        spec: ActorSpec,
        slots: Slots,
        notify: Notify,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cluster = cluster
        self._spec = spec
        self._slots = slots
        self._notify = notify
        self._clock = clock
        self._unfit: set[str] = set()
        """Ids of nodes that would fail the next time too."""
        self._refusals: list[str] = []
        self._lacking = threading.Event()
        """Set when an actor was lost."""
        self._ended = threading.Event()
        self._watcher: threading.Thread | None = None

    def begin(self) -> None:
        """Start the first actors, and replace lost ones until the end.

        Raises SandboxUnavailable where no node can work.
        """
        self._start_missing()
        if not self._slots.actors():
            raise SandboxUnavailable(
                f"no node of the cluster can repair: {'; '.join(sorted(self._refusals)) or 'none has a core to give'}.",
                remedy="`regreen doctor`, run on a node, shows what is missing there.",
            )
        self._watcher = threading.Thread(target=self._watch, name="provisioning", daemon=True)
        self._watcher.start()

    def replace_lost(self) -> None:
        """Start what the plan lacks, in the background; returns at once."""
        self._lacking.set()

    def kill(self, remote: Any) -> None:
        """End an actor with all its jobs."""
        with contextlib.suppress(Exception):
            self._cluster.ray.kill(remote)

    def avoid(self, node: Node) -> None:
        """Start no further actor on this node."""
        self._unfit.add(node.id)

    def end(self) -> None:
        """Start no further actor; those not ready yet are ended, which may take up to 5 s."""
        self._ended.set()
        self._lacking.set()
        if self._watcher is not None:
            self._watcher.join(_END_SECONDS)

    def _watch(self) -> None:
        """Replace lost actors until the end; without any actor, look for nodes that have joined."""
        while not self._ended.is_set():
            lost = self._lacking.wait(NODE_POLL_SECONDS)
            self._lacking.clear()
            if lost or not self._slots.actors():
                # The run may end in the middle of this, and Ray raises what it likes then.
                with contextlib.suppress(Exception):
                    self._start_missing()

    def _start_missing(self) -> None:
        if self._ended.is_set():
            return
        started = [(self._started(placement), placement) for placement in self._missing()]
        self._receive({remote.open.remote(): (remote, placement) for remote, placement in started})

    def _missing(self) -> Iterator[Placement]:
        """Placements of the plan without an actor."""
        filled = [actor.placement for actor in self._slots.actors()]
        fit = [node for node in self._cluster.nodes() if node.id not in self._unfit]
        for placement in self._spec.plan.placements(fit):
            if placement in filled:
                filled.remove(placement)
            else:
                yield placement

    def _started(self, placement: Placement) -> Any:
        assignment = replace(self._spec.assignment, cores=placement.cores, slots=placement.slots)
        # One call more than jobs: the one that closes the actor.
        calls = placement.slots + 1
        return self._cluster.start_actor(
            RepairActor, placement.node, placement.cores, calls, assignment, self._spec.open_runner
        )

    def _receive(self, opening: dict[Any, tuple[Any, Placement]]) -> None:
        """Offer each actor's slots as soon as it is ready."""
        deadline = self._clock() + _START_SECONDS
        while opening and not self._ended.is_set() and self._clock() < deadline:
            ready, _ = self._cluster.ray.wait(list(opening), timeout=NODE_POLL_SECONDS)
            for promise in ready:
                self._admit(promise, *opening.pop(promise))
        for remote, placement in opening.values():
            self.kill(remote)
            if not self._ended.is_set():
                self._refuse(placement.node, f"its cores were not free within {_START_SECONDS:.0f} s")

    def _admit(self, promise: Any, remote: Any, placement: Placement) -> None:
        errors = self._cluster.ray.exceptions
        try:
            info: NodeInfo = self._cluster.ray.get(promise)
        except errors.RayError as error:
            self.kill(remote)
            # What its own code raised it would raise again; a process that ended may have had bad luck.
            if isinstance(error, errors.RayTaskError):
                self.avoid(placement.node)
            self._refuse(placement.node, first_line_of(error))
            return
        if info.python != (ours := str(self._spec.assignment.settings["python"])):
            self._notify(f"Node {placement.node.name} has no {ours}; programs run by its own {info.python} there.")
        if not self._slots.add(ActorHandle(remote, placement)):
            self.kill(remote)

    def _refuse(self, node: Node, why: str) -> None:
        self._refusals.append(f"{node.name}: {why}")
        self._notify(f"Node {node.name} is left out: {why}.")


def first_line_of(error: Exception) -> str:
    """The first line of an error of Ray's, whose texts are long; at most 300 characters."""
    cause = getattr(error, "cause", None)
    lines = [line.strip() for line in str(cause or error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:300].rstrip(".")
