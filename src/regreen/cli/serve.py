"""`regreen serve`: a local page over a folder of runs."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from regreen.cli import flags
from regreen.errors import ConfigError


@flags.with_settings("debug")
def serve_command(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="RUNS", help="A folder of runs, or one run's.")],
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 for any.")] = 8710,
) -> int:
    """Serve a page over a folder of runs to a browser on this machine; it refreshes while a run goes on.

    Ctrl-C ends it. Exit status: 0 ended; 2 unusable input.
    """
    from regreen.cli.console import results
    from regreen.report.page_server import PageServer
    from regreen.report.run_pages import RunPages

    settings = flags.resolve(context)
    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder.", remedy="Give the folder that holds runs.")
    with (
        tempfile.TemporaryDirectory(prefix="regreen-serve-") as made,
        PageServer(RunPages(folder, Path(made)), port) as server,
    ):
        results(settings).print(f"Serving at {server.url} (Ctrl-C ends it)", soft_wrap=True)
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            return 0
    return 0
