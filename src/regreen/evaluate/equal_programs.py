"""Verdicts on equal programs: the first of them is judged, the others wait for its verdict and share it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

_VerdictT = TypeVar("_VerdictT")

_KEPT_GROUPS = 8
"""Groups whose verdicts are kept: samples come task by task, and memory must not grow with a file of them."""


@dataclass(frozen=True, slots=True)
class SharedVerdict(Generic[_VerdictT]):
    """A verdict, and the sample that was judged for it."""

    verdict: _VerdictT
    sample: int
    """The number of the sample."""


class EqualPrograms(Generic[_VerdictT]):
    """Keeps the verdicts on the programs of the last groups; may be asked from several threads."""

    def __init__(self) -> None:
        self._groups: OrderedDict[tuple[int, int], dict[str, Future[SharedVerdict[_VerdictT]]]] = OrderedDict()
        self._lock = threading.Lock()

    def judged(
        self, group: tuple[int, int], source: str, sample: int, judge: Callable[[], _VerdictT]
    ) -> SharedVerdict[_VerdictT]:
        """The verdict on `source`, from `judge` where no equal program of its task and prelude has one.

        What `judge` raises is raised for every sample that waits for it, and not kept.
        """
        with self._lock:
            verdicts = self._of(group)
            found = verdicts.get(source)
            if found is None:
                mine = verdicts[source] = Future[SharedVerdict[_VerdictT]]()
        if found is not None:
            return found.result()
        try:
            mine.set_result(SharedVerdict(judge(), sample))
        except BaseException as error:
            with self._lock:
                verdicts.pop(source, None)
            mine.set_exception(error)
            raise
        return mine.result()

    def _of(self, group: tuple[int, int]) -> dict[str, Future[SharedVerdict[_VerdictT]]]:
        verdicts = self._groups.setdefault(group, {})
        self._groups.move_to_end(group)
        while len(self._groups) > _KEPT_GROUPS:
            self._groups.popitem(last=False)
        return verdicts
