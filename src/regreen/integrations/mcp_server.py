"""Regreen's tools over the Model Context Protocol, on standard input and output or over HTTP.

Imported only once the extra `mcp` is known to be there.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated, Any, TypeVar

import anyio
import uvicorn
from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from pydantic import Field

from regreen.errors import ConfigError, RegreenError
from regreen.integrations.served_calls import ServedCall
from regreen.integrations.tool_reports import FunctionRepair, ProjectReport, TestsReport
from regreen.integrations.tool_work import ToolWork
from regreen.report.safe_text import visible
from regreen.strategies.events import Event, line_of

_T = TypeVar("_T")
_MAX_SOURCE_CHARACTERS = 1_000_000
_MAX_TEST_PLACES = 100
_REPORT_SECONDS = 0.5
"""How often progress is reported, at the most."""
_HEARTBEAT_SECONDS = 5.0
"""After how many seconds in which nothing new has happened that is reported, too: clients give up on silence."""
_SILENT = Event("working")
"""What a call does that has told nothing yet: it runs tests, or waits for others to end."""
_ABANDON_SECONDS = 5.0
_SHUTDOWN_SECONDS = 3
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_INSTRUCTIONS = (
    "Regreen turns failing Python tests green. Call repair_function on a failing program to get the smallest patch "
    "that was proved in a sandbox, and repair_project where nobody knows which file is at fault. run_tests says what "
    "is red, or what would be with another text of the program; judge judges a program by checks that it cannot fake. "
    "Nothing is written: apply a patch yourself. Paths are seen from the served folder."
)
_READS_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Source = Annotated[str, Field(max_length=_MAX_SOURCE_CHARACTERS)]
_ProgramPath = Annotated[
    str, Field(description="The Python file to test or repair, or a file of tests for one program.")
]
_TestPlaces = Annotated[
    list[str],
    Field(
        max_length=_MAX_TEST_PLACES,
        description="Its tests: files, FILE::TEST or folders; none for the program's own doctest examples.",
    ),
]
_Keyword = Annotated[str, Field(description="Only tests whose names match, as pytest's -k; empty for all.")]
_EntryPoint = Annotated[str, Field(description="The function to repair; found from the tests when empty.")]
_Seconds = Annotated[float | None, Field(gt=0, description="Seconds to search; the server's limit holds in any case.")]
_Candidates = Annotated[int | None, Field(ge=1, description="Programs to try; the server's limit holds in any case.")]
_Checks = "The tests as text: asserts, functions named test_*, or a unittest class; they may import `program`."


def build_server(work: ToolWork, *, at_once: int = 2) -> MCPServer[None]:
    """The server with its tools; `at_once` calls work at a time, and others wait."""
    calls = _Calls(work, at_once)

    server: MCPServer[None] = MCPServer(
        "regreen", instructions=_INSTRUCTIONS, version=version("regreen"), log_level="WARNING"
    )

    @server.tool(annotations=_READS_ONLY)
    async def run_tests(
        context: Context[None, Any],
        program: _ProgramPath,
        tests: _TestPlaces = [],  # noqa: B006 - never changed, and pydantic copies it
        keyword: _Keyword = "",
        source: Annotated[Source | None, Field(description="A text to test in the file's place; not written.")] = None,
    ) -> TestsReport:
        """Run a program's tests in the sandbox: which fail, and why. Knows pytest, unittest, asserts and doctests."""
        return await calls.run(context, lambda call: work.run_tests(call, program, tests, keyword, source))

    @server.tool(annotations=_READS_ONLY)
    async def judge(
        context: Context[None, Any],
        source: Annotated[Source, Field(description="The whole text of the program.")],
        checks: Annotated[Source, Field(description=f"{_Checks} Empty for the program's doctest examples.")] = "",
        original: Annotated[
            Source | None,
            Field(description="The program as it was before anybody changed it; tells honest objects from tricks."),
        ] = None,
    ) -> TestsReport:
        """Judge a program against checks, both given as text: it never sees them, and passes only by right answers."""
        return await calls.run(context, lambda call: work.judge(call, source, checks, original))

    @server.tool(annotations=_READS_ONLY)
    async def repair_function(
        context: Context[None, Any],
        program: Annotated[
            str, Field(description="The Python file to repair, or a file of tests for one program.")
        ] = "",
        tests: _TestPlaces = [],  # noqa: B006 - never changed, and pydantic copies it
        keyword: _Keyword = "",
        source: Annotated[Source, Field(description="In place of `program`: the program's text.")] = "",
        checks: Annotated[Source, Field(description=f"With `source`: {_Checks}")] = "",
        entry_point: _EntryPoint = "",
        statement: Annotated[Source, Field(description="With `source`: what it is meant to do, in words.")] = "",
        max_seconds: _Seconds = None,
        max_candidates: _Candidates = None,
    ) -> FunctionRepair:
        """Find the smallest change with which a program passes its tests, proved in the sandbox; nothing is written."""
        if bool(program) == bool(source):
            raise ToolError("Give either `program`, a path, with `tests`, or `source`, a text, with `checks`.")
        budget = work.budget(max_seconds, max_candidates)
        if source:
            return await calls.run(
                context, lambda call: work.repair_text(call, source, checks, entry_point or None, statement, budget)
            )
        return await calls.run(
            context, lambda call: work.repair_file(call, program, tests, keyword, entry_point or None, budget)
        )

    @server.tool(annotations=_READS_ONLY)
    async def repair_project(
        context: Context[None, Any],
        folder: Annotated[str, Field(description="A folder of the project, in which pytest is run.")] = ".",
        pytest_args: Annotated[
            list[str], Field(max_length=_MAX_TEST_PLACES, description="Arguments of pytest that choose tests.")
        ] = [],  # noqa: B006 - never changed, and pydantic copies it
        max_seconds: _Seconds = None,
        max_candidates: _Candidates = None,
    ) -> ProjectReport:
        """Find which module of a project is at fault and the smallest patch, proved by all its tests; not written."""
        budget = work.budget(max_seconds, max_candidates)
        return await calls.run(context, lambda call: work.repair_project(call, folder, pytest_args, budget))

    return server


class _Calls:
    """Runs the work of calls in threads, tells of their progress, and ends what nobody waits for."""

    def __init__(self, work: ToolWork, at_once: int) -> None:
        self._work = work
        self._at_once = at_once
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, context: Context[None, Any], work: Callable[[ServedCall], _T]) -> _T:
        """Do the work of one call; raises ToolError, with the remedy, for whatever Regreen raises on purpose."""
        call = ServedCall(self._work.kept)
        # A limiter belongs to the event loop in which it is made.
        self._limiter = self._limiter or anyio.CapacityLimiter(self._at_once)
        reporter = anyio.create_task_group()
        async with reporter:
            reporter.start_soon(_report_progress, context, call)
            try:
                ended = await to_thread.run_sync(_captured, call, work, abandon_on_cancel=True, limiter=self._limiter)
            except anyio.get_cancelled_exc_class():
                with anyio.CancelScope(shield=True):
                    await to_thread.run_sync(call.abandon, _ABANDON_SECONDS)
                raise
            reporter.cancel_scope.cancel()
        if isinstance(ended, RegreenError):
            raise ToolError(visible(str(ended)))
        return ended


def _captured(call: ServedCall, work: Callable[[ServedCall], _T]) -> _T | RegreenError:
    """What the work gives, or the error that it raises on purpose: a task group would wrap it."""
    try:
        return call.run(work)
    except RegreenError as error:
        return error


async def _report_progress(context: Context[None, Any], call: ServedCall) -> None:
    """Report a call's latest event, with the seconds that it has taken of those that it may, for as long as it runs."""
    began = last = anyio.current_time()
    told = _SILENT
    while True:
        await anyio.sleep(_REPORT_SECONDS)
        event, now = call.latest or _SILENT, anyio.current_time()
        if event is not told or now - last >= _HEARTBEAT_SECONDS:
            told, last, seconds = event, now, now - began
            total = max(call.seconds, seconds) if call.seconds else None
            await context.report_progress(seconds, total, line_of(replace(event, seconds=seconds)))


def serve_stdio(work: ToolWork, *, at_once: int) -> None:
    """Serve on standard input and output until the client hangs up."""
    build_server(work, at_once=at_once).run("stdio")


def serve_http(
    work: ToolWork,
    address: tuple[str, int],
    *,
    at_once: int,
    allowed_hosts: Sequence[str],
    notify: Callable[[str], object],
) -> None:
    """Serve over HTTP until interrupted; `notify` gets the address. Port 0 is any that is free.

    Only requests for this machine's own names, or one of `allowed_hosts` (NAME or NAME:PORT), are answered, and from
    pages none but its own: the name of somebody else's page may be made to lead here. Raises ConfigError where the
    address cannot be used.
    """
    listener = _listen(address)
    with listener:
        port = listener.getsockname()[1]
        hosts = [f"{name}:{port}" for name in _LOOPBACK] + [
            name if ":" in name.rpartition("]")[2] else f"{name}:{port}" for name in allowed_hosts
        ]
        app = build_server(work, at_once=at_once).streamable_http_app(
            transport_security=TransportSecuritySettings(
                allowed_hosts=hosts,
                allowed_origins=[f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts],
            )
        )
        notify(f"http://{_shown_host(address[0])}:{port}/mcp")
        # A call that is cut short by the end of the server is no error worth a traceback.
        configuration = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=_SHUTDOWN_SECONDS)
        uvicorn.Server(configuration).run(sockets=[listener])


def _listen(address: tuple[str, int]) -> socket.socket:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    try:
        return socket.create_server(address, family=family)
    except (OSError, OverflowError) as error:
        said = getattr(error, "strerror", None) or error
        raise ConfigError(
            f"{address[0]}, port {address[1]}, cannot be used: {said}.", remedy="Give another --port or --host."
        ) from None


def _shown_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host
