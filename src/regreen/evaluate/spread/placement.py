"""How many actors a run takes up on which nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from regreen.evaluate.spread.cluster import Node

_CORES_PER_ACTOR = 4
"""An actor is one Python process: it keeps no more cores busy than a few."""


@dataclass(frozen=True, slots=True)
class Placement:
    """An actor that is to be."""

    node: Node
    cores: int
    slots: int
    """Jobs that it may have under way."""


@dataclass(frozen=True, slots=True)
class PlacementPlan:
    """What a run needs of a cluster."""

    jobs: int
    """How many there are at most."""
    at_once: int | None = None
    """Jobs under way, where that is not for the cores to say."""
    most: int | None = None
    """Cores of one node that are used at most."""

    def placements(self, nodes: Sequence[Node]) -> list[Placement]:
        """Posts on every node, as many as its cores ask for, and in all no more than there is work for."""
        shares = [[(node, cores) for cores in _shares(min(node.cores, self.most or node.cores))] for node in nodes]
        actors = list(self._enough(actor for row in zip_longest(*shares) for actor in row if actor is not None))
        return [Placement(node, cores, self._slots(cores, len(actors))) for node, cores in actors]

    def _enough(self, actors: Iterator[tuple[Node, int]]) -> Iterator[tuple[Node, int]]:
        wanted = min(self.jobs, self.at_once or self.jobs)
        for node, cores in actors:
            if wanted <= 0:
                return
            wanted -= cores
            yield node, cores

    def _slots(self, cores: int, actors: int) -> int:
        """A job a core; where jobs wait for a model, twice an actor's share: room for those of a node that is lost."""
        return cores if self.at_once is None else min(self.at_once, 2 * -(-self.at_once // actors))


def _shares(cores: int) -> list[int]:
    """Cores of a node, shared out among its actors."""
    actors = -(-cores // _CORES_PER_ACTOR)
    return [cores // actors + (number < cores % actors) for number in range(actors)]
