"""`regreen mcp`: the tools for editors and agents, over the Model Context Protocol."""

from __future__ import annotations

import ipaddress
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli import flags
from regreen.errors import INTERRUPTED_STATUS, ConfigError
from regreen.extras import optional_module

if TYPE_CHECKING:
    from regreen.integrations.tool_work import ToolWork

_MODULES = ("mcp.server.mcpserver", "uvicorn")


@flags.with_settings(*flags.TESTS, *flags.SANDBOX, *flags.REPAIR, *flags.MODEL, "debug")
def mcp_command(
    context: typer.Context,
    root: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER", help="The project; no file outside it can be named.", show_default="the working folder"
        ),
    ] = Path(),
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP, not on standard input and output.")] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 for any.")] = 8711,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name by which clients may ask for this server; may be repeated."),
    ] = None,
    at_once: Annotated[int, typer.Option(metavar="N", min=1, help="Calls that work at a time; others wait.")] = 2,
    max_output: Annotated[
        int, typer.Option(metavar="CHARACTERS", min=200, help="The most characters of any text in an answer.")
    ] = 20_000,
) -> int:
    """Serve run_tests, repair_function, repair_project and judge to editors and agents, over MCP.

    Programs and tests run in the sandbox only, and no file is written. --max-seconds and --max-candidates are the most
    that a call may ask for. Exit status: 0 the client hung up, or Ctrl-C ended the server over HTTP; 2 unusable
    input; 130 interrupted.
    """
    from regreen.cli.model_fetching import fetch_missing_models

    settings = flags.resolve(context, near=root)
    _refuse_open_address(host, allow_host or [], is_http=http)
    _require_libraries()
    fetch_missing_models(settings)
    from regreen.integrations.served_folder import ServedFolder
    from regreen.integrations.tool_work import ToolWork

    work = ToolWork(ServedFolder(root), settings, most=max_output)
    try:
        _serve(work, (host, port) if http else None, allow_host or [], at_once, settings)
    finally:
        work.close()
    return 0


def _serve(
    work: ToolWork, address: tuple[str, int] | None, allowed_hosts: list[str], at_once: int, settings: Any
) -> None:
    from regreen.cli.console import notices
    from regreen.integrations.mcp_server import serve_http, serve_stdio

    if address is None:
        with _leaving_at_once():
            serve_stdio(work, at_once=at_once)
        return
    out = notices(settings)
    with suppress(KeyboardInterrupt):
        serve_http(
            work,
            address,
            at_once=at_once,
            allowed_hosts=allowed_hosts,
            notify=lambda url: out.print(f"Serving {work.folder.root} at {url} (Ctrl-C ends it)", soft_wrap=True),
        )


@contextmanager
def _leaving_at_once() -> Iterator[None]:
    """Ctrl-C and SIGTERM end the process for the block: a thread that waits for standard input cannot be ended.

    Sandboxes end with their host, whatever ends it.
    """

    def leave(*_: object) -> None:
        os.write(2, b"error: interrupted.\n")
        os._exit(INTERRUPTED_STATUS)

    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _require_libraries() -> None:
    """Raise ConfigError, naming the command that installs it, where the extra is not there."""
    try:
        for name in _MODULES:
            optional_module(name)
    except ImportError:
        raise ConfigError(
            "regreen mcp needs the official SDK of the Model Context Protocol (2.3 or newer), which is not installed.",
            remedy="Install it: python -m pip install 'regreen[mcp]'.",
        ) from None


def _refuse_open_address(host: str, allowed_hosts: list[str], *, is_http: bool) -> None:
    """Raise ConfigError for an address that other machines reach, where no name for it is allowed."""
    try:
        is_local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise ConfigError(f"--host is {host!r}.", remedy="Give an IP address, such as 127.0.0.1.") from None
    if is_http and not is_local and not allowed_hosts:
        raise ConfigError(
            f"{host} can be reached from other machines, and whoever reaches it can run programs in the sandbox.",
            remedy="If that is meant, name the host that clients ask for: --allow-host NAME.",
        )
