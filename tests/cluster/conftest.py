"""A Ray cluster on this machine: a head, and nodes that a test may take away."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from processes import descendants

from regreen import api
from regreen.config import Settings, load_settings
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.types import Case, Task
from regreen.verify.suites import read_suite

MEASURED = {"runtime_sec", "timings_sec", "seconds", "explanation", "exit_code"}
"""Fields that hold or tell measured times, or hang on who was faster: a process that ends, or we who end it."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Ray leaves sockets and files for the end of the process to close: on this shelf alone that is no warning."""
    item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
    item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))


@pytest.fixture(scope="session")
def ray() -> Any:
    """The library, where it is installed."""
    from regreen.environment import quiet_ray

    quiet_ray()
    return pytest.importorskip("ray", reason="Ray is not installed")


class Nodes:
    """The nodes of a cluster, one core each: the head, and others."""

    def __init__(self, cluster: Any) -> None:
        self.cluster = cluster
        self.there: list[Any] = []

    def keep(self, count: int) -> None:
        """See that there are so many, the head among them."""
        while len(self.there) < count - 1:
            self.there.append(self.cluster.add_node(num_cpus=1))
        while len(self.there) > count - 1:
            self.take_away()

    def take_away(self) -> None:
        """Kill one with all that runs there, as a machine that fails would.

        Ray itself kills the agents alone: its workers find out by and by, and do what they are asked to until then.
        """
        node = self.there.pop()
        agents = [entry.process.pid for entries in node.all_processes.values() for entry in entries]
        workers = [pid for agent in agents for pid in descendants(agent)]
        self.cluster.remove_node(node, allow_graceful=False)
        for pid in workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def nodes(ray: Any) -> Iterator[Nodes]:
    """A cluster that is but its head as yet."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield Nodes(cluster)
    finally:
        cluster.shutdown()
        gc.collect()  # here, where what Ray leaves open is no error


@pytest.fixture
def on_nodes(nodes: Nodes, monkeypatch: pytest.MonkeyPatch, this_machine: list[str]) -> Nodes:
    """The cluster, as the one that RAY_ADDRESS names."""
    this_machine.append(nodes.cluster.address.rpartition(":")[0])
    monkeypatch.setenv("RAY_ADDRESS", nodes.cluster.address)
    return nodes


@pytest.fixture(scope="session")
def cases() -> tuple[Case, ...]:
    """Small cases: some that are mended at once, and some on which a search does all that it may."""
    return tuple(case(number, within_reach=number % 4 != 3) for number in range(8))


def case(number: int, *, within_reach: bool) -> Case:
    """A sum that is a difference; where it is not `within_reach`, no edit or two make it right."""
    right = f"def total_{number}(a, b):\n    return a + b + {number}\n"
    pairs = ((1, 2), (3, 5), (8, 13), (21, 34))
    wanted = [a + b + number if within_reach else pow(a * 7919 + b, 3, 104729) for a, b in pairs]
    checks = [f"assert total_{number}({a}, {b}) == {value}" for (a, b), value in zip(pairs, wanted, strict=True)]
    wrong = right.replace("a + b", "a - b")
    suite = read_suite("\n".join(checks), program=wrong, module="program", entry_point=f"total_{number}")
    task = Task(f"sums/{number}", wrong, f"total_{number}", suite, statement=f"Sum number {number}.")
    return Case(task, suite, right)


def settings_for(**flags: Any) -> Settings:
    """Settings of which nothing comes from the environment, for searches that are short."""
    return load_settings({"max_candidates": 600, **flags}, environ={}, near=Path("/"))


def records(folder: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """What a run found, measured times aside; a repeated line would have been refused."""
    return {line.key: untimed(line.values()) for line in read_results(folder / RESULTS)}


def untimed(value: Any) -> Any:
    """A record without what was measured."""
    if isinstance(value, dict):
        return {name: untimed(item) for name, item in value.items() if name not in MEASURED}
    return [untimed(item) for item in value] if isinstance(value, list) else value


def differences(found: Mapping[Any, Any], wanted: Mapping[Any, Any]) -> list[str]:
    """In what two runs differ, by name; nothing is missing and nothing is there that should not be when it is empty."""
    lacking = [f"{key} is only in one of them" for key in found.keys() ^ wanted.keys()]
    return lacking + [
        f"{key}: {name} was {wanted[key][name]!r} and is {found[key][name]!r}"
        for key in found.keys() & wanted.keys()
        for name in wanted[key]
        if found[key].get(name) != wanted[key][name]
    ]


@pytest.fixture(scope="session")
def undisturbed(cases: tuple[Case, ...], tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Any]:
    """What a search in one process finds."""
    folder = tmp_path_factory.mktemp("undisturbed")
    api.evaluate(cases, folder, dataset="bundled", settings=settings_for())
    return records(folder)


@pytest.fixture
def compared(undisturbed: Mapping[Any, Any]) -> Callable[[Mapping[Any, Any]], list[str]]:
    """In what records differ from those of an undisturbed run."""
    return lambda found: differences(found, undisturbed)


@pytest.fixture
def spread(cases: tuple[Case, ...], tmp_path: Path) -> Callable[..., Any]:
    """Runs the cases on the cluster; returns the summary, the records and what was told."""

    def run(
        progress: Any = None, folder: Path = tmp_path / "run", **flags: Any
    ) -> tuple[Any, dict[Any, Any], list[str]]:
        told: list[str] = []
        settings = settings_for(spread="ray", **flags)
        summary = api.evaluate(cases, folder, dataset="bundled", settings=settings, progress=progress, tell=told.append)
        return summary, records(folder), told

    return run
