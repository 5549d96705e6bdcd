"""Which lines of a program run, and where it stopped."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.sandbox.guest.runner.checks.traceback_lines import program_lines
from regreen.sandbox.guest.runner.mutation_runs import line_trace as trace_module
from regreen.sandbox.guest.runner.mutation_runs.line_trace import LineTrace

MOST_FRAMES = 1000

NAME = "<the program>"


class OutOfTime(Exception):
    """Ends a program that would not end."""


def load(source: str, name: str = NAME) -> dict[str, Any]:
    """The names of one of our own small programs."""
    names: dict[str, Any] = {}
    exec(compile(dedent(source).lstrip("\n"), name, "exec"), names)
    return names


def traced(call: Callable[[], object]) -> LineTrace:
    """A trace of one call, which may raise."""
    trace = LineTrace(NAME)
    trace.start()
    try:
        call()
    except (OutOfTime, KeyError) as error:
        trace.error = error  # type: ignore[attr-defined]
    finally:
        trace.stop()
    return trace


@pytest.fixture(autouse=True)
def tracing_stays_as_it_was() -> Iterator[None]:
    """Programs that set a trace of their own do not leave it to the next test."""
    found = (sys.gettrace(), threading.gettrace())
    yield
    sys.settrace(found[0])
    threading.settrace(found[1])  # type: ignore[arg-type]


BRANCHES = """
def f(x):
    y = 0
    if x:
        y = 1
    else:
        y = 2
    return [z for z in range(y)]
"""


def test_the_lines_that_ran_are_collected() -> None:
    """Exactly those: not the header, not the other branch."""
    f = load(BRANCHES)["f"]
    assert traced(lambda: f(True)).lines == {2, 3, 4, 7}
    assert traced(lambda: f(False)).lines == {2, 3, 6, 7}


def test_two_traces_do_not_mix() -> None:
    """Each check gets lines of its own, those that an earlier one ran included."""
    f = load(BRANCHES)["f"]
    first, second = traced(lambda: f(True)), traced(lambda: f(True))
    assert first.lines == second.lines
    assert first.lines is not second.lines


def test_code_of_other_files_is_left_out() -> None:
    """Only the program's own lines count."""
    program = load("def f(g):\n    return g()\n")
    other = load("def g():\n    x = 1\n    x = 2\n    return x\n", "<the checks>")
    assert traced(lambda: program["f"](other["g"])).lines == {2}


def test_what_runs_when_the_program_is_loaded_counts_too() -> None:
    """Module-level code, class bodies and decorators are lines like others."""
    source = "x = 1\nclass A:\n    y = 2\n    def f(self):\n        return 3\n"
    assert traced(lambda: load(source)).lines == {1, 2, 3, 4}


def test_threads_are_traced() -> None:
    """Work that the program hands to a thread is its work."""
    program = load("def f(x):\n    return x\ndef g():\n    x = 1\n    return x\n")

    def call() -> None:
        thread = threading.Thread(target=program["g"])
        thread.start()
        thread.join()

    assert traced(call).lines == {4, 5}


def test_a_program_cannot_switch_its_trace_off_in_passing() -> None:
    """`sys.settrace(None)` and a trace of the program's own change nothing while we look."""
    program = load(
        """
        import sys, threading
        def f():
            sys.settrace(None)
            threading.settrace(None)
            g()
        def g():
            sys.settrace(lambda *a: None)
            x = 1
            return x
        """
    )
    assert traced(program["f"]).lines == {3, 4, 5, 7, 8, 9}


def test_a_program_that_hides_from_its_trace_does_no_harm() -> None:
    """With a `settrace` that it kept from before, it may hide; what was seen stays, and stopping works."""
    real = sys.settrace
    program = load("def f(settrace):\n    settrace(None)\n    return g()\ndef g():\n    return 1\n")
    assert 2 in traced(lambda: program["f"](real)).lines
    assert sys.settrace is real


def test_tracing_is_given_back_as_it_was() -> None:
    """Whoever traced before (a debugger, coverage) traces after."""
    before = (sys.gettrace(), threading.gettrace(), sys.settrace, threading.settrace)
    trace = traced(lambda: load(BRANCHES)["f"](True))
    assert (sys.gettrace(), threading.gettrace(), sys.settrace, threading.settrace) == before
    trace.stop()
    LineTrace(NAME).stop()


LOOP = """
def f(flag):
    n = 0
    while flag():
        n = n
    return n
def quiet(flag):
    try:
        f(flag)
    finally:
        flag = None
"""


def test_the_line_that_hangs_is_told_by_the_traceback_of_what_ended_it() -> None:
    """What the program does on its way out does not blur where it was."""
    names = load(LOOP)
    rounds = iter(range(3))

    def flag() -> bool:
        if next(rounds, None) is None:
            raise OutOfTime
        return True

    trace = traced(lambda: names["quiet"](flag))
    error = trace.error  # type: ignore[attr-defined]
    assert trace.spinning_line(error.__traceback__) == 3
    assert trace.spinning_line() in trace.lines


def test_the_line_that_hangs_is_told_while_it_hangs() -> None:
    """A signal handler sees the innermost line of the program on its stack."""
    seen: list[int | None] = []
    trace = LineTrace(NAME)

    def ring(signum: int, frame: object) -> None:
        seen.append(trace.spinning_line())
        raise OutOfTime

    found = signal.signal(signal.SIGALRM, ring)
    trace.start()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(OutOfTime):
            load("while True:\n    pass\n")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        trace.stop()
        signal.signal(signal.SIGALRM, found)
    assert seen[0] in {1, 2}


def test_nothing_run_is_nothing_told() -> None:
    """No line is invented."""
    trace = traced(lambda: None)
    assert (trace.lines, trace.spinning_line()) == (set(), None)


def test_the_program_s_lines_of_a_traceback_are_innermost_last() -> None:
    """Frames of the checks and of the library are passed over."""
    program = load("def f(g):\n    g()\ndef h():\n    x = 1\n    return {}[x]\n")
    library = load("def g(h):\n    h()\n", "<library>")
    error = traced(lambda: program["f"](lambda: library["g"](program["h"]))).error  # type: ignore[attr-defined]
    assert program_lines(error.__traceback__, NAME) == [2, 5]
    assert program_lines(error.__traceback__, "<library>") == [2]


def test_a_deep_traceback_keeps_its_innermost_frames() -> None:
    """The place that raised is never lost to the length of a recursion."""
    program = load("def f(n):\n    if n == 0:\n        raise ValueError\n    f(n - 1)\n")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(5000)
    try:
        program["f"](2000)
    except ValueError as error:
        lines = program_lines(error.__traceback__, NAME)
    finally:
        sys.setrecursionlimit(limit)
    assert len(lines) == MOST_FRAMES
    assert lines[-2:] == [4, 3]


@pytest.mark.parametrize("odd", [None, 5, "traceback", SimpleNamespace(tb_frame=None, tb_next=None)])
def test_what_is_no_traceback_has_no_lines(odd: Any) -> None:
    """An exception class may lie about its traceback."""
    assert program_lines(odd, NAME) == []


class FakeMonitoring:
    """Stands in for `sys.monitoring` on any Python: calls back for lines that a test says were run."""

    COVERAGE_ID, DISABLE = 1, object()
    events = SimpleNamespace(LINE=32)

    def __init__(self, *taken: int) -> None:
        self.tools = dict.fromkeys(taken, "another")
        self.callbacks: dict[int, Any] = {}
        self.wanted: dict[int, int] = {}
        self.restarts = 0

    def get_tool(self, tool: int) -> str | None:
        return self.tools.get(tool)

    def use_tool_id(self, tool: int, name: str) -> None:
        assert tool not in self.tools
        self.tools[tool] = name

    def free_tool_id(self, tool: int) -> None:
        del self.tools[tool]

    def register_callback(self, tool: int, event: int, callback: Any) -> None:
        assert event == self.events.LINE
        self.callbacks[tool] = callback

    def set_events(self, tool: int, events: int) -> None:
        self.wanted[tool] = events

    def restart_events(self) -> None:
        self.restarts += 1


@pytest.mark.parametrize(("taken", "tool"), [((), 1), ((1,), 4), ((1, 4), 3)])
def test_monitoring_is_used_where_python_has_it(monkeypatch: pytest.MonkeyPatch, taken: Any, tool: int) -> None:
    """Every line asks once, under a number that nobody uses, and all is given back."""
    fake = FakeMonitoring(*taken)
    monkeypatch.setattr(trace_module, "MONITORING", fake)
    ours, theirs = load(BRANCHES)["f"].__code__, (lambda: None).__code__
    trace = LineTrace(NAME)
    trace.start()
    assert (fake.wanted[tool], fake.restarts) == (32, 1)
    assert [fake.callbacks[tool](ours, 3), fake.callbacks[tool](theirs, 9)] == [fake.DISABLE] * 2
    assert (trace.lines, trace.last) == ({3}, 3)
    trace.stop()
    assert (fake.wanted[tool], fake.callbacks[tool], fake.tools) == (0, None, dict.fromkeys(taken, "another"))


def test_a_program_that_frees_our_number_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping leaves alone what is no longer ours."""
    fake = FakeMonitoring()
    monkeypatch.setattr(trace_module, "MONITORING", fake)
    trace = LineTrace(NAME)
    trace.start()
    fake.free_tool_id(1)
    trace.stop()
    assert fake.tools == {}


def test_tracing_is_used_where_every_number_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tools keep their numbers; we fall back to what always works."""
    monkeypatch.setattr(trace_module, "MONITORING", FakeMonitoring(1, 3, 4))
    f = load(BRANCHES)["f"]
    assert traced(lambda: f(True)).lines == {2, 3, 4, 7}
