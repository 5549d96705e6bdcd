"""Which functions of a project each test runs, and what each red one raised: evidence for a search, never a verdict."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType
from typing import Any

from regreen.sandbox.guest.runner.mutation_runs.error_evidence import ErrorEvidence, error_chain
from regreen.sandbox.guest.runner.mutation_runs.line_trace import MONITORING, TOOL_NAME, free_tool

_UNNAMED = frozenset({"<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>"})
"""Functions of Python's own making, which run as a part of another."""


class FunctionSurvey:
    """The functions that are entered in the files below a folder, check by check."""

    def __init__(self, place: str, *, traces: bool) -> None:
        self.place = f"{place}/"
        self.traces = traces
        """Whether functions are noted at all; what red checks raise always is."""
        self.numbers: dict[int, int] = {}
        """Identity of a code object -> the number of its function."""
        self.fresh: dict[int, list[Any]] = {}
        """Number -> path, name and line of the functions that were not told yet."""
        self.ran: set[int] = set()
        self.errors: list[ErrorEvidence] = []
        self._foreign: set[int] = set()
        self._kept: list[CodeType] = []
        """Every code object that is known by its identity, which would else be given to another."""
        tool = free_tool()
        self._source = _CallTracer(self) if tool is None else _EntryMonitor(self, tool)

    @contextlib.contextmanager
    def around(self) -> Iterator[None]:
        """Note what is entered in the block, in any thread."""
        self.ran.clear()
        self.errors = []
        if not self.traces:
            yield
            return
        self._source.start()
        try:
            yield
        finally:
            self._source.stop()

    def raised(self, error: BaseException) -> None:
        """Keep what is known of the exception that ended the check."""
        self.errors = error_chain(error, self.place.rstrip("/"))

    def loaded_files(self, uncollected: Mapping[str, BaseException]) -> dict[str, Any]:
        """The files of the project that were loaded, and what each file of tests raised that could not be."""
        files = (getattr(module, "__file__", None) for module in tuple(sys.modules.values()))
        own = {file.removeprefix(self.place) for file in files if isinstance(file, str) and file.startswith(self.place)}
        place = self.place.rstrip("/")
        return {"files": sorted(own), "uncollected": {path: error_chain(e, place) for path, e in uncollected.items()}}

    def taken(self) -> dict[str, Any]:
        """What was seen since the last block began, for the host."""
        fresh, self.fresh = self.fresh, {}
        return {"ran": sorted(self.ran), "functions": fresh, "errors": self.errors}

    def saw(self, code: CodeType) -> None:
        """Record that a function was entered."""
        known = id(code)
        number = self.numbers.get(known)
        if number is not None:
            self.ran.add(number)
        elif known not in self._foreign:
            self._kept.append(code)
            if code.co_filename.startswith(self.place) and code.co_name not in _UNNAMED:
                number = self.numbers[known] = len(self.numbers)
                self.fresh[number] = [code.co_filename.removeprefix(self.place), code.co_qualname, code.co_firstlineno]
                self.ran.add(number)
            else:
                self._foreign.add(known)


class _CallTracer:
    """Calls by `sys.setprofile`, where there is no monitoring: no line of a function is looked at."""

    def __init__(self, survey: FunctionSurvey) -> None:
        numbers, foreign, ran, saw = survey.numbers, survey._foreign, survey.ran, survey.saw

        def call(frame: FrameType, event: str, argument: Any) -> None:
            if event == "call":
                known = id(frame.f_code)
                if known in foreign:
                    return
                number = numbers.get(known)
                if number is None:
                    saw(frame.f_code)
                else:
                    ran.add(number)

        self.call = call
        self.found: tuple[Any, Any] = (None, None)

    def start(self) -> None:
        """Take over profiling in this thread and in those to come."""
        self.found = (sys.getprofile(), threading.getprofile())
        threading.setprofile(self.call)
        sys.setprofile(self.call)

    def stop(self) -> None:
        """Give it back."""
        profiled, profiled_threads = self.found
        threading.setprofile(profiled_threads)
        sys.setprofile(profiled)


class _EntryMonitor:
    """Entries by `sys.monitoring`, where only the first one of a function costs time."""

    def __init__(self, survey: FunctionSurvey, tool: int) -> None:
        saw, disable = survey.saw, MONITORING.DISABLE

        def entered(code: CodeType, offset: int) -> Any:
            saw(code)
            return disable

        self.tool = tool
        self.entered = entered

    def start(self) -> None:
        """Ask for entries, those that an earlier block switched off included."""
        MONITORING.use_tool_id(self.tool, TOOL_NAME)
        MONITORING.register_callback(self.tool, MONITORING.events.PY_START, self.entered)
        MONITORING.set_events(self.tool, MONITORING.events.PY_START)
        MONITORING.restart_events()

    def stop(self) -> None:
        """Give the tool's number back, unless the program has freed it."""
        if MONITORING.get_tool(self.tool) == TOOL_NAME:
            MONITORING.set_events(self.tool, 0)
            MONITORING.register_callback(self.tool, MONITORING.events.PY_START, None)
            MONITORING.free_tool_id(self.tool)
