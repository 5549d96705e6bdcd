"""Takes up actors on the nodes of a cluster, and says of a node that cannot work why."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from regreen.errors import SandboxUnavailable
from regreen.evaluate.spread.cluster import Cluster, Node, Notify
from regreen.evaluate.spread.node_messages import Assignment
from regreen.evaluate.spread.placement import Placement, PlacementPlan
from regreen.evaluate.spread.repair_actor import NodeInfo, RepairActor, Tools
from regreen.evaluate.spread.slots import LOOK_AGAIN_SECONDS, ActorHandle, Slots

_START_SECONDS = 120.0
"""Whoever has not begun to work by then is done without."""
_END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ActorSpec:
    """What every actor of a run is given."""

    assignment: Assignment
    tools: Tools
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
        self._busy = threading.Lock()
        self._unfit: set[str] = set()
        """Nodes that would do no better the next time."""
        self._refusals: list[str] = []
        self._ended = threading.Event()

    def begin(self) -> None:
        """Take up the first actors. Raises SandboxUnavailable where no node can work."""
        self._provision()
        if not self._slots.actors():
            raise SandboxUnavailable(
                f"no node of the cluster can repair: {'; '.join(sorted(self._refusals)) or 'none has a core to give'}.",
                remedy="`regreen doctor`, run on a node, shows what is missing there.",
            )

    def provision_soon(self) -> None:
        """Take up what is lacking, beside all else; returns at once."""
        threading.Thread(target=self._provision_quietly, name="hiring", daemon=True).start()

    def kill(self, actor: Any) -> None:
        """End an actor, whatever it is at."""
        with contextlib.suppress(Exception):
            self._cluster.ray.kill(actor)

    def avoid(self, node: Node) -> None:
        """Take up no actor on this node any more."""
        self._unfit.add(node.id)

    def end(self) -> None:
        """Take up no actor at all any more; what is being taken up is let go."""
        self._ended.set()
        if self._busy.acquire(timeout=_END_SECONDS):
            self._busy.release()

    def _provision_quietly(self) -> None:
        # The run may end in the middle of this, and Ray raises what it likes then.
        with contextlib.suppress(Exception):
            self._provision()

    def _provision(self) -> None:
        if self._ended.is_set() or not self._busy.acquire(blocking=False):
            return
        try:
            started = [(self._started(placement), placement) for placement in self._missing()]
            self._receive({actor.open.remote(): (actor, placement) for actor, placement in started})
        finally:
            self._busy.release()

    def _missing(self) -> Iterator[Placement]:
        """The actors that should be there and are not."""
        there = [actor.placement for actor in self._slots.actors()]
        for placement in self._spec.plan.placements(
            [node for node in self._cluster.nodes() if node.id not in self._unfit]
        ):
            if placement in there:
                there.remove(placement)
            else:
                yield placement

    def _started(self, placement: Placement) -> Any:
        assignment = replace(self._spec.assignment, cores=placement.cores, slots=placement.slots)
        # One call more than jobs: the one that closes the actor.
        return self._cluster.start_actor(
            RepairActor, placement.node, placement.cores, placement.slots + 1, assignment, self._spec.tools
        )

    def _receive(self, opening: dict[Any, tuple[Any, Placement]]) -> None:
        """Take up each actor as soon as it is ready to work."""
        deadline = self._clock() + _START_SECONDS
        while opening and not self._ended.is_set() and self._clock() < deadline:
            ready, _ = self._cluster.ray.wait(list(opening), timeout=LOOK_AGAIN_SECONDS)
            for promised in ready:
                self._admit(promised, *opening.pop(promised))
        for actor, placement in opening.values():
            self.kill(actor)
            self._refuse(placement.node, f"its cores were not free within {_START_SECONDS:.0f} s")

    def _admit(self, promised: Any, actor: Any, placement: Placement) -> None:
        errors = self._cluster.ray.exceptions
        try:
            info: NodeInfo = self._cluster.ray.get(promised)
        except errors.RayError as error:
            self.kill(actor)
            # What its own code raised it would raise again; a process that ended may have had bad luck.
            if isinstance(error, errors.RayTaskError):
                self.avoid(placement.node)
            self._refuse(placement.node, first_line_of(error))
            return
        if info.python != (ours := str(self._spec.assignment.settings["python"])):
            self._notify(f"Node {placement.node.name} has no {ours}; programs run by its own {info.python} there.")
        if not self._slots.add(ActorHandle(actor, placement)):
            self.kill(actor)

    def _refuse(self, node: Node, why: str) -> None:
        self._refusals.append(f"{node.name}: {why}")
        self._notify(f"Node {node.name} is left out: {why}.")


def first_line_of(error: Exception) -> str:
    """What is worth telling of an error of Ray's, whose texts are long."""
    cause = getattr(error, "cause", None)
    lines = [line.strip() for line in str(cause or error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:300].rstrip(".")
