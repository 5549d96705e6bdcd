"""One run of a suite's checks on one mutation of a program, within its limits."""

from __future__ import annotations

import builtins
import contextlib
import random
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from types import CodeType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks.assertion_places import share_passed
from regreen.sandbox.guest.runner.checks.captured_output import DroppedText
from regreen.sandbox.guest.runner.checks.check_runner import IsWanted, ProgramUnderTest, Runner, SpecialResult
from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.checks.traceback_lines import program_lines
from regreen.sandbox.guest.runner.mutation_runs.distance import distance
from regreen.sandbox.guest.runner.program_loading.program_module import LoadsAnew, fresh_module
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.runner.timing.ticks import UNBOUNDED, Ticks
from regreen.sandbox.guest.runner.timing.virtual_clock import CLOCK

ScreeningAnswer = tuple[str, list[str], float, float, int]
"""Status, ids of the passed checks, mean distance, assertions that failed tests got past (each test's as a share), and
the ticks of the checks."""
NO_LIMIT: Any = contextlib.nullcontext()
_LOADING_TICKS = 1 << 24
"""Ticks that a program may take while tests load it: what ends it before is the time that they have for that."""
_FURTHER_TICKS = 1 << 20
"""Ticks that a check may take beyond its share as long as it comes further: some two tenths of a second."""


def _as_compiled(line: int) -> Collection[int]:
    return (line,)


class ScreenedSuite:
    """The compiled checks, and the name of the module that they check."""

    def __init__(self, module: str, filename: str, runner: Runner) -> None:
        self.module = module
        self.filename = filename
        self.runner = runner
        self.green: frozenset[str] = frozenset()
        """Checks that pass on the program as it is: a mutation that breaks one is left at once."""

    def load(self, codes: Sequence[CodeType]) -> ModuleType:
        """A fresh module in which these statements were executed. Raises what they raise."""
        load = getattr(self.runner, "load", None)
        if load is not None:
            loaded: ModuleType = load(codes)
            return loaded
        module = fresh_module(self.module, self.filename)
        names = module.__dict__
        for code in codes:
            exec(code, names)
        return module

    @property
    def is_stale(self) -> bool:
        """Whether something may be as it was that the program which was loaded last would have made otherwise."""
        return getattr(self.runner, "is_stale", False)

    def subject(
        self, module: ModuleType, special_result: SpecialResult, real_time: frozenset[str] = frozenset()
    ) -> ProgramUnderTest:
        """A loaded module with nothing around its checks; in those of `real_time` no sleep is skipped.

        Nobody asks how long they take, and a clock is read by a call of the system.
        """
        return ProgramUnderTest(
            module,
            special_result,
            lambda check: CLOCK.real() if check in real_time else NO_LIMIT,
            wall_clock=int,
            cpu_clock=int,
        )


class ScreeningRun:
    """The run of the checks on one mutation; stops at the first check that it breaks."""

    def __init__(
        self,
        suite: ScreenedSuite,
        codes: Sequence[CodeType],
        skip: frozenset[str] = frozenset(),
        given_lines: Callable[[int], Collection[int]] = _as_compiled,
    ) -> None:
        self.suite = suite
        self.given_lines = given_lines
        """The lines of the program as it is that a line of the code may be."""
        self.raising: Mapping[str, str] = {}
        """Checks that the program as it is ends with an exception: its class, where a value was of the wrong kind."""
        self.reached: frozenset[int] = frozenset()
        """Lines of the program as it is that any check ran."""
        self.skip = skip
        self.codes = codes
        self.passed: list[str] = []
        self.distances: dict[str, float] = {}
        self.shares: dict[str, float] = {}
        """By check that fails: the share of its assertions that it got past."""
        self.status = "failed"
        self.ticks_taken = 0
        self._place = (0, 0)
        self.subject: ProgramUnderTest | None = None
        self.ticks = Ticks()
        """Of the check that is running; while the program is loaded, of all checks together."""
        self.ticks_left = self.check_ticks = UNBOUNDED
        """Ticks of the checks that have not ended, and the most that one of them may take."""

    def run(self, limits: Mapping[str, Any]) -> ScreeningAnswer:
        """Run it within the limits of a screening order; returns what it came to."""
        late, ids = frozenset(limits["late"]), self.suite.runner.ids
        self.raising, self.reached = limits["raising"], frozenset(limits["reached"])
        self._run(lambda check: check not in late and check not in self.skip, limits, "")
        if late and self.status == "failed":
            if len(self.passed) + len(late) == len(ids):
                self._run(late.__contains__, limits, "late_")
            else:
                # Nothing is known of them: they do what they do on the program as it is.
                self.passed += late & self.suite.green
        if len(self.passed) == (len(ids) or 1) and self.status == "failed":
            self.status = "passed"
        if self.status in ("passed", "failed") and self.suite.is_stale:
            self.status = "stale"
        far = sum(self.distances.get(check, 1.0) for check in ids if check not in self.passed)
        got_past = sum(share for check, share in self.shares.items() if check not in self.passed)
        return self.status, self.passed, far / (len(ids) or 1), got_past, self.ticks_taken

    def _run(self, wanted: IsWanted, limits: Mapping[str, Any], part: str) -> None:
        """Run the wanted checks on the program, loaded anew."""
        random.seed(0)
        # Checks that read what is printed (redirect_stdout, capsys, doctest examples) put a stream of their own here.
        sys.stdout = sys.stderr = DroppedText()
        self.ticks_left = limits[part + "ticks"]
        self.check_ticks = limits.get(part + "check_ticks", self.ticks_left)
        self.ticks.begin(self.ticks_left)
        CLOCK.begin(limits["skipped_seconds"])
        try:
            time_limits.start_hard_limit(limits[part + "seconds"], limits["idle_seconds"], self._comes_further)
            module = self.suite.load(self.codes)
            self._count_anew(self.ticks.used)
            self.subject = self._subject(module, frozenset(limits["real_time"]))
            self.subject.begin_loading = partial(self.ticks.begin, _LOADING_TICKS)
            self.subject.end_loading = self._begin_check
            self.suite.runner.run(self.subject, wanted, self._report)
        except time_limits.OutOfTime as error:
            time_limits.TIMER.armed = False
            self.status = _status_of(error)
        except MemoryError:
            self.status = "memory"
        except LoadsAnew:
            self.status = "anew"
        except BaseException:  # noqa: BLE001  a mutation that does not even load
            self.status = "failed"
        finally:
            time_limits.stop_timers()

    def _subject(self, module: ModuleType, real_time: frozenset[str]) -> ProgramUnderTest:
        return self.suite.subject(module, self._ended, real_time)

    def _count_anew(self, spent: int) -> None:
        """Give the next check its ticks, of those that are left when so many were spent."""
        is_fresh = self.ticks.number == self.check_ticks and self.ticks.further == _FURTHER_TICKS
        if self.ticks.used or self.ticks.turns or not is_fresh:
            self.ticks_taken += self.ticks.used
            self.ticks_left = max(self.ticks_left - spent, 0)
            self._begin_check()

    def _begin_check(self) -> None:
        self.ticks.begin(min(self.check_ticks, self.ticks_left), _FURTHER_TICKS)

    def _comes_further(self) -> bool:
        """Whether another check has passed, or the one that is running has come further, since this was asked last."""
        before, self._place = self._place, (len(self.passed), self.ticks.turns)
        return before != self._place

    def _report(self, check: str, result: Result) -> bool:
        if self.ticks.spent or CLOCK.spent:
            # Whatever a program returns after it swallowed OutOfTicks does not count.
            result = {"outcome": "timed_out"}
        # To pass takes as long as it takes.
        self._count_anew(0 if result["outcome"] == "passed" else self.ticks.used)
        if result["outcome"] == "passed":
            self.passed.append(check)
            return True
        self.distances[check], self.shares[check] = self._nearness(check, result)
        if result["outcome"] in ("timed_out", "out_of_memory"):
            self.status = result.get("status", "hung") if result["outcome"] == "timed_out" else "memory"
            return False
        return check not in self.suite.green

    def _nearness(self, check: str, result: Result) -> tuple[float, float]:
        """The distance of a failed check, and the share of its assertions that it got past."""
        far, share = result.get("distance", 1.0), result.get("share", 0.0)
        worth = self._worth_of_exception(check, result)
        return far - worth * far, share + worth * (1.0 - share)

    def _worth_of_exception(self, check: str, result: Result) -> float:
        """How much further a check has come that ends with an exception, as a share of what passing it is."""
        line, before = result.get("error_line", 0), self.raising.get(check)
        if not line or before is None:
            return 0.0
        after = result.get("error_class", "")
        if before == after == UNHASHABLE:
            # It is the same value, in a line that uses it as a key as well.
            return 0.0
        if self.reached.isdisjoint(self.given_lines(line)):
            return _NEW_LINE
        return _OTHER_CLASS if before and after not in ("", before, *_OF_CHANGES) else 0.0

    def _ended(self, error: BaseException) -> Result | None:
        if isinstance(error, time_limits.OutOfTime):
            return {"outcome": "timed_out", "status": _status_of(error)}
        if isinstance(error, MemoryError):
            return {"outcome": "out_of_memory"}
        assert self.subject is not None
        seen = self.subject.recorder.seen
        if isinstance(error, AssertionError) and seen is not None:
            return {"outcome": "failed", **_from_the_end(_comparison_distance(*seen), error)}
        # A class may say of its exceptions what it likes; what their traceback is, only the slot knows.
        lines = program_lines(_traceback_of(error), self.suite.filename) if self.raising else ()
        where = {"error_line": lines[-1] if lines else 0, "error_class": _class_of(error)}
        return {"outcome": "raised", **where, **_from_the_end(1.0, error)}


def _class_of(error: BaseException) -> str:
    """The name of a class of Python's, with what is said of a value that cannot be hashed; "" for any other class."""
    if type(error) is TypeError and error.args and type(error.args[0]) is str:
        return UNHASHABLE if error.args[0].startswith("unhashable type") else "TypeError"
    return _CLASSES.get(type(error), "")


def _status_of(error: time_limits.OutOfTime) -> str:
    """ "hung" where ticks or skipped sleep were spent, as they would be on any machine; "slow" where a clock rang."""
    return "slow" if type(error) is time_limits.OutOfTime else "hung"


def _from_the_end(distance_here: float, error: BaseException) -> dict[str, float]:
    """The distance of a failed test: of several assertions, those that it did not come to count as well."""
    share = share_passed(error)
    if share is None:
        return {"distance": distance_here, "share": 0.0}
    return {"distance": (1 - share) * (_NOT_COME_TO + (1 - _NOT_COME_TO) * distance_here), "share": share}


_traceback_of = BaseException.__dict__["__traceback__"].__get__
_NEW_LINE = 0.2
"""What an exception in a line that was not reached before is worth, as a share of what passing the check is."""
_OTHER_CLASS = 0.1
"""As much for another exception in a line that was reached, where the first one told of a value of the wrong kind."""
UNHASHABLE = "TypeError: unhashable type"
"""The class of a TypeError that says so: the lines behind it meet the same value."""
_OF_CHANGES = frozenset({"AttributeError", "NameError", "UnboundLocalError"})
"""What a change that makes no sense ends in: no sign of having come further."""
_CLASSES: dict[type[BaseException], str] = {
    error: error.__name__
    for error in vars(builtins).values()
    if isinstance(error, type) and issubclass(error, Exception)
}
_NOT_COME_TO = 0.5
"""Half of the distance of a test with several assertions is the one that failed, half are those that are left."""


def _comparison_distance(sign: str, actual: Any, expected: Any) -> float:
    """The distance of a failed comparison from holding, in [0, 1]."""
    if sign in ("true", "is", "is not", "in", "not in", "!="):
        return 0.9
    try:
        return distance(actual, expected)
    except Exception:  # noqa: BLE001  hostile operands; nothing is known
        return 1.0
