"""Two nodes of one core against one: the same searches on a Ray cluster of this machine, each node pinned to a core.

    python benchmarks/spread.py [--rounds 3] [--cases 48] [--max-candidates 3000]

Each round runs all cases on one node and on two, the order of the two turned round by round; the median round counts.
Starting the cluster and starting the actors is outside the clock. The records of all runs have to be the same. Two idle
cores are needed for a figure that means something: the machine's load is printed beside it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from regreen import api
from regreen.config import Settings, load_settings
from regreen.environment import quiet_ray
from regreen.evaluate.agreement import agreement
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.tasks.catalogue import DatasetFiles, load_dataset
from regreen.types import Case
from regreen.verify.suites import read_suite

MEMORY = 100 << 20


class Clock:
    """Starts when the actors are ready, which is when the first job begins, and stops with the last result."""

    def __init__(self) -> None:
        self.began = self.ended = 0.0

    def begin(self, total: int, done: Mapping[Any, int]) -> None:
        """The actors are ready by now."""
        self.began = self.ended = time.perf_counter()

    def finished(self, line: Any) -> None:
        """One more result."""
        self.ended = time.perf_counter()


def pinned_node(cluster: Any, core: int) -> Any:
    """A node of one core, which everything that runs there keeps to."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        return cluster.add_node(num_cpus=1, object_store_memory=MEMORY)
    finally:
        os.sched_setaffinity(0, usable)


def searched(cases: Sequence[Case], folder: Path, settings: Settings) -> float:
    """Seconds that a run of the cases takes once the nodes are ready."""
    clock = Clock()
    summary = api.evaluate(cases, folder, dataset="bundled", settings=settings, progress=clock)
    if summary.exit_status:
        raise SystemExit(f"the run ended with status {summary.exit_status}: {summary.failure}")
    return clock.ended - clock.began


def repeated(count: int) -> list[Case]:
    """So many cases of the bundled benchmark, over and over under other names."""
    bundled = load_dataset("bundled", read_suite, files=DatasetFiles())
    chosen = [bundled[number % len(bundled)] for number in range(count)]
    return [replace(case, task=replace(case.task, id=f"{case.task.id}~{n}")) for n, case in enumerate(chosen)]


def main() -> None:
    """Race them, and tell by how much two nodes are faster."""
    parser = argparse.ArgumentParser(description="Two nodes against one.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cases", type=int, default=48)
    parser.add_argument("--max-candidates", type=int, default=3000)
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise SystemExit("this needs two cores")
    with tempfile.TemporaryDirectory() as place:
        race(options, cores[:2], Path(place))


def race(options: argparse.Namespace, cores: Sequence[int], folder: Path) -> None:
    """All rounds, on a cluster that is there for them."""
    quiet_ray()
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, "object_store_memory": MEMORY}
    )
    os.environ["RAY_ADDRESS"] = cluster.address
    flags = {"spread": "ray", "max_candidates": options.max_candidates, "workers": 1}
    settings = load_settings(flags, environ={}, near=Path("/"))
    cases = repeated(options.cases)
    times: dict[int, list[float]] = {1: [], 2: []}
    try:
        nodes = [pinned_node(cluster, cores[0])]
        searched(cases[:1], folder / "warm", settings)
        for number in range(options.rounds):
            for count in (1, 2) if number % 2 == 0 else (2, 1):
                while len(nodes) < count:
                    nodes.append(pinned_node(cluster, cores[len(nodes)]))
                while len(nodes) > count:
                    cluster.remove_node(nodes.pop())
                times[count].append(searched(cases, folder / f"{number}-{count}", settings))
                print(f"round {number}, {count} node(s): {times[count][-1]:.1f} s", flush=True)
    finally:
        cluster.shutdown()
    tell(times, folder)


def tell(times: Mapping[int, Sequence[float]], folder: Path) -> None:
    """The figure, and whether all runs found the same."""
    one, two = (statistics.median(times[count]) for count in (1, 2))
    print(f"one node {one:.1f} s, two nodes {two:.1f} s: {one / two:.2f} times as fast; load {os.getloadavg()[0]:.1f}")
    first, *others = sorted(path for path in folder.iterdir() if path.name != "warm")
    differing = [path.name for path in others if not same(first, path)]
    print(f"records: {'all runs found the same' if not differing else f'{differing} found something else'}")


def same(one: Path, other: Path) -> bool:
    """Whether two runs found the same, measured times aside."""
    return agreement(read_results(one / RESULTS), read_results(other / RESULTS)).is_complete


if __name__ == "__main__":
    main()
