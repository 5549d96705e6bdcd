"""Which lines of the program run, and where it stopped: for localisation, inside the sandbox.

A program can always hide from a tracer in its own process: the lines are evidence for a search, never for a verdict.
"""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType, TracebackType
from typing import Any

from regreen.sandbox.guest.runner.checks.traceback_lines import program_lines

MONITORING: Any = getattr(sys, "monitoring", None)
"""`sys.monitoring` (PEP 669, from Python 3.12 on), where only the first run of a line costs time."""

TOOL_NAME = "regreen"


class LineTrace:
    """Collects the lines executed, in any thread, of code whose file name is `filename`."""

    def __init__(self, filename: str, most_events: int | None = None) -> None:
        self.filename = filename
        self.most_events = most_events
        """Lines that are looked at before the trace ends by itself, where looking costs time; None for all."""
        self.lines: set[int] = set()
        self.last: int | None = None
        """The last line that was seen; with `sys.monitoring`, the last that was new."""
        self._source: _Monitor | _Tracer | None = None

    def start(self) -> None:
        """Begin to collect, in frames entered from now on."""
        tool = free_tool()
        self._source = _Tracer(self) if tool is None else _Monitor(self, tool)
        self._source.start()

    def stop(self) -> None:
        """Stop collecting, and leave tracing as it was before `start`; where a signal cut this short, call it again."""
        if self._source is not None:
            self._source.stop()
            self._source = None

    def take(self) -> set[int]:
        """The lines seen so far; from here on they are collected anew."""
        taken, self.lines = self.lines, set()
        if self._source is not None:
            self._source.begin_anew()
        return taken

    def spinning_line(self, traceback: TracebackType | None = None) -> int | None:
        """The line that was running when time ended: by the traceback of what ended it, by the stack, or the last seen.

        Call it while the program still runs (in a signal handler), or with the traceback of what stopped it.
        """
        lines = program_lines(traceback, self.filename) or _running_lines(sys._getframe(1), self.filename)
        return lines[-1] if lines else self.last

    def saw(self, line: int) -> None:
        """Record a line."""
        self.last = line
        self.lines.add(line)


class _Tracer:
    """Line events by `sys.settrace`, kept on even if the program sets another trace function."""

    def __init__(self, trace: LineTrace) -> None:
        filename, saw = trace.filename, trace.saw
        left = trace.most_events or -1

        def call(frame: FrameType, event: str, argument: Any) -> Any:
            return line if self.active and frame.f_code.co_filename == filename else None

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal left
            if event == "line":
                saw(frame.f_lineno)
                left -= 1
                if not left:
                    self.active = False
                    self.found[0](None)
            return line

        def settrace(function: Any) -> None:
            """What the program finds as `settrace`: it heeds `threading` alone, which starts a thread with ours."""
            if function is call:
                self.found[0](call)

        self.active = False
        self.call = call
        self.settrace = settrace
        self.found: tuple[Any, ...] = ()

    def start(self) -> None:
        """Take over tracing in this thread and in those to come."""
        self.found = (sys.settrace, threading.settrace, sys.gettrace(), threading.gettrace())
        self.active = True
        threading.settrace(self.call)
        sys.settrace(self.call)
        sys.settrace = threading.settrace = self.settrace  # type: ignore[assignment]

    def begin_anew(self) -> None:
        """Nothing to do: each run of a line is an event of its own."""

    def stop(self) -> None:
        """Give tracing back, as far as the program left it in place."""
        self.active = False
        sys.settrace, threading.settrace, traced, traced_threads = self.found
        threading.settrace(traced_threads)
        sys.settrace(traced)


class _Monitor:
    """Line events by `sys.monitoring`, which the program's own `sys.settrace` does not touch."""

    def __init__(self, trace: LineTrace, tool: int) -> None:
        filename, saw, disable = trace.filename, trace.saw, MONITORING.DISABLE

        def line(code: CodeType, number: int) -> Any:
            if code.co_filename == filename:
                saw(number)
            return disable

        self.tool = tool
        self.line = line

    def start(self) -> None:
        """Ask for line events, those that an earlier trace switched off included."""
        MONITORING.use_tool_id(self.tool, TOOL_NAME)
        MONITORING.register_callback(self.tool, MONITORING.events.LINE, self.line)
        MONITORING.set_events(self.tool, MONITORING.events.LINE)
        MONITORING.restart_events()

    def begin_anew(self) -> None:
        """Have the lines that were seen tell of themselves once more."""
        MONITORING.restart_events()

    def stop(self) -> None:
        """Give the tool's number back, unless the program has freed it."""
        if MONITORING.get_tool(self.tool) == TOOL_NAME:
            MONITORING.set_events(self.tool, 0)
            MONITORING.register_callback(self.tool, MONITORING.events.LINE, None)
            MONITORING.free_tool_id(self.tool)


def _running_lines(frame: FrameType | None, filename: str) -> list[int]:
    """The line of the innermost frame of the program on this stack, if there is one."""
    while frame is not None:
        if frame.f_code.co_filename == filename and type(frame.f_lineno) is int:
            return [frame.f_lineno]
        frame = frame.f_back
    return []


def free_tool() -> int | None:
    """A number under which we may monitor, the one meant for coverage first; None without monitoring."""
    if MONITORING is None:
        return None
    return next((tool for tool in (MONITORING.COVERAGE_ID, 4, 3) if MONITORING.get_tool(tool) is None), None)
