"""Runs jobs on threads and yields results as they end; an interrupt does not wait for jobs under way."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import TypeVar

Job = TypeVar("Job")
Done = TypeVar("Done")


def run_as_completed(
    work: Callable[[Job], Done], jobs: Iterable[Job], workers: int, drain: threading.Event | None = None
) -> Generator[Done, None, None]:
    """Results of `work` on every job, with up to `workers` jobs under way, in the order in which they end.

    Once `drain` is set, jobs under way are finished and none is begun. What `work` raises is raised here, and ends the
    iteration. When the caller stops iterating, no further job begins; results of those under way are dropped.
    """
    waiting = iter(jobs)
    taking = threading.Lock()
    # Bounded, so that a slow disk holds the workers back instead of filling memory.
    results: queue.Queue[Done | BaseException | None] = queue.Queue(maxsize=2 * workers)
    stopped = threading.Event()

    def taken() -> Iterator[Job]:
        while not stopped.is_set() and not (drain and drain.is_set()):
            with taking:
                left = list(islice(waiting, 1))
            if not left:
                return
            yield left[0]

    def run() -> None:
        for job in taken():
            _put(results, _outcome(work, job), stopped)
        _put(results, None, stopped)

    # Daemons: an interrupted run must not wait at exit for a repair that still has a minute to go.
    for number in range(workers):
        threading.Thread(target=run, name=f"repair-{number}", daemon=True).start()
    try:
        yield from _received(results, workers)
    finally:
        stopped.set()


def _received(results: queue.Queue[Done | BaseException | None], workers: int) -> Iterator[Done]:
    while workers:
        result = results.get()
        if result is None:
            workers -= 1
        elif isinstance(result, BaseException):
            raise result
        else:
            yield result


def _outcome(work: Callable[[Job], Done], job: Job) -> Done | BaseException:
    try:
        return work(job)
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
        return error


def _put(
    results: queue.Queue[Done | BaseException | None], result: Done | BaseException | None, stopped: threading.Event
) -> None:
    """Wait for room in the queue, until the caller has stopped iterating."""
    while not stopped.is_set():
        with contextlib.suppress(queue.Full):
            results.put(result, timeout=0.2)
            break
