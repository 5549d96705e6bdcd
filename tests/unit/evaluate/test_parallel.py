"""Jobs on threads."""

from __future__ import annotations

import contextlib
import sys
import threading
import time

import pytest
from waiting import wait_for

from regreen.evaluate.parallel import run_as_completed


@pytest.mark.parametrize("workers", [1, 3, 20])
def test_every_job_is_done_once(workers: int) -> None:
    """However many work at them."""
    assert sorted(run_as_completed(lambda n: n * n, range(10), workers)) == [n * n for n in range(10)]


def test_no_jobs_give_no_results() -> None:
    """And nobody waits for any."""
    assert list(run_as_completed(str, [], 4)) == []


def test_no_more_are_under_way_than_workers() -> None:
    """The limit is kept, and used."""
    under_way, most, guard = 0, 0, threading.Lock()
    together = threading.Barrier(3, timeout=10)

    def work(_: int) -> None:
        nonlocal under_way, most
        with guard:
            under_way += 1
            most = max(most, under_way)
        together.wait()
        with guard:
            under_way -= 1

    list(run_as_completed(lambda n: work(n) or n + 1, range(9), 3))
    assert most == 3


def test_what_a_job_raises_is_raised_to_the_caller() -> None:
    """An interrupt in a worker is an interrupt of the run."""

    def work(n: int) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(run_as_completed(work, range(3), 2))


def test_whoever_stops_listening_waits_for_nobody() -> None:
    """No further job begins, and a slow one is left behind."""
    begun: list[int] = []
    release = threading.Event()

    def work(n: int) -> int:
        begun.append(n)
        if n:
            release.wait(10)
        return n

    others, began = set(threading.enumerate()), time.monotonic()
    with contextlib.closing(run_as_completed(work, range(50), 2)) as results:
        assert next(results) == 0
    assert time.monotonic() - began < 5
    release.set()
    for thread in set(threading.enumerate()) - others:
        thread.join(5)
    assert len(begun) <= 3


def waits(thread: threading.Thread) -> bool:
    """Whether a thread is held back by a condition, as one is that puts something into a full queue."""
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is not None and frame.f_code is threading.Condition.wait.__code__


def test_results_wait_for_a_slow_listener() -> None:
    """Memory stays flat: workers stop where nobody takes what they have done."""
    done: list[int] = []
    others = set(threading.enumerate())
    results = run_as_completed(lambda n: done.append(n) or n, range(100), 1)
    next(results)
    (worker,) = set(threading.enumerate()) - others
    wait_for(lambda: not worker.is_alive() or waits(worker), what="the worker to stop or to end")
    assert len(done) <= 5
    assert len(list(results)) == 99
