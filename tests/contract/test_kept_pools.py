"""Sandboxes that repairs leave to one another: a second one starts nothing, and finds nothing of the first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from processes import descendants, left_of

import regreen
from regreen.config import load_settings
from regreen.errors import TaskError
from regreen.sandbox.kept_pools import close_waiting_pools, lend_pool
from regreen.sandbox.pool import Pool
from regreen.types import Confinement, JudgeOptions, Limits
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
SOURCE = "def add(a, b):\n    return a - b\n"
TESTS = "assert add(1, 2) == 3\nassert add(0, 0) == 0\n"
JAIL = Confinement()


@pytest.fixture(autouse=True)
def _nothing_waits() -> Iterator[None]:
    """Neither before a test nor after it."""
    close_waiting_pools()
    yield
    close_waiting_pools()


def servers_of(pool: Pool) -> set[int]:
    """The processes of the servers that a pool has."""
    with pool.borrow() as pair, pool.lease() as screens:
        return {pair.guests.process.pid, pair.plain.server.process.pid, screens.process.pid}


def judged(pool: Pool, source: str) -> bool:
    """Whether a program passes."""
    suite = read_suite(TESTS, program=source, module="program", entry_point="add")
    return SandboxJudge(pool).judge(source, suite, Limits(), options=JudgeOptions()).passed


def test_a_second_repair_finds_the_sandboxes_of_the_first() -> None:
    """A repair of another program takes no process more."""
    settings = load_settings({"workers": 1}, environ={})
    assert regreen.repair(SOURCE, TESTS, settings=settings).fixed
    started = descendants(os.getpid())
    assert started
    assert regreen.repair(SOURCE.replace("-", "*"), TESTS, settings=settings).fixed
    assert descendants(os.getpid()) == started


def test_what_waits_has_no_process_of_a_repair() -> None:
    """Neither the program nor its checks: only what forks others."""
    with lend_pool(JAIL) as pool:
        servers_of(pool)
        empty = descendants(os.getpid())
        assert not judged(pool, SOURCE)
        assert len(descendants(os.getpid())) > len(empty)
    assert left_of(descendants(os.getpid()) - empty, 5) == set()


def test_two_at_once_share_nothing() -> None:
    """Each has its own, and both wait afterwards."""
    with lend_pool(JAIL) as one, lend_pool(JAIL) as other:
        assert not servers_of(one) & servers_of(other)
    with lend_pool(JAIL) as again, lend_pool(JAIL) as last:
        assert {again, last} == {one, other}


@pytest.mark.parametrize(
    "wanted",
    [
        {"confinement": Confinement(layers="landlock")},
        {"confinement": JAIL, "workers": 2},
        {"confinement": JAIL, "preload": ("wave",)},
    ],
    ids=["another wall", "more workers", "modules that nobody else is to find"],
)
def test_what_was_opened_for_another_use_is_left_alone(wanted: dict[str, object]) -> None:
    """A pool is lent again for the same, and for nothing else."""
    with lend_pool(JAIL) as one:
        pass
    with lend_pool(**wanted) as other:  # type: ignore[arg-type]
        assert other is not one
    with lend_pool(JAIL) as again:
        assert again is one


def test_few_wait() -> None:
    """A process that repairs many kinds of programs does not keep sandboxes for all of them."""
    uses = [Confinement(memory_bytes=n << 20) for n in range(256, 264)]
    pools = []
    for use in uses:
        with lend_pool(use) as pool:
            pools.append(pool)
    with lend_pool(uses[-1]) as last:
        assert last is pools[-1]
    with lend_pool(uses[0]) as first:
        assert first is not pools[0]


def test_what_a_failure_has_used_is_closed() -> None:
    """A repair that was cut short may have left anything, so all of it ends with the repair."""
    settings = load_settings({"workers": 1}, environ={})
    with lend_pool(settings.confinement) as pool:
        started = servers_of(pool)
    with pytest.raises(TaskError):
        regreen.repair(SOURCE, "def test_nothing():\n    import pytest\n    pytest.skip('')\n", settings=settings)
    assert left_of(started, 5) == set()


def test_a_server_that_was_killed_while_it_waited_is_not_used() -> None:
    """The next repair begins with new ones."""
    with lend_pool(JAIL) as pool:
        victims = servers_of(pool)
    os.kill(min(victims), signal.SIGKILL)
    assert left_of({min(victims)}, 5) == set()
    with lend_pool(JAIL) as another:
        assert judged(another, SOURCE.replace("-", "+"))
        assert not servers_of(another) & victims
    assert left_of(victims, 5) == set()


FORKING = """
import os, sys
from regreen.sandbox.kept_pools import lend_pool
from regreen.types import Confinement

def borrowed():
    with lend_pool(Confinement()) as pool, pool.borrow() as pair:
        pair.guests.cpu_seconds()
        return pool

first = borrowed()
child = os.fork()
if not child:
    sys.exit(borrowed() is first)
assert os.waitpid(child, 0)[1] == 0, "the child has one of its own"
assert borrowed() is first, "and it has ended none of its parent's"
print("ready", flush=True)
input()
"""


def test_a_forked_child_leaves_them_to_its_parent_and_all_end_with_their_process() -> None:
    """What was opened before a fork is the parent's, and no program ends what is not its own."""
    command = [sys.executable, "-c", FORKING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        started = descendants(process.pid)
        assert started
        process.communicate("\n")
    assert process.returncode == 0
    assert left_of(started, 5) == set()
