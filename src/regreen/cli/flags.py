"""The flags that mean the same in every command, and how they become Settings."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from regreen.config import Settings


@dataclass(slots=True)
class Session:
    """How this command line wants to be answered, known even when the rest of it is wrong."""

    as_json: bool = False
    debug: bool = False


# Numbers are taken as text and checked by Settings, so that a bad one is refused alike wherever it was set.
Strategy = Annotated[
    str | None, typer.Option("--strategy", "-s", metavar="NAME", help="How to look for a repair: auto, search.")
]
Timeout = Annotated[str | None, typer.Option(metavar="SECONDS", help="CPU seconds a check [2].")]
TotalTimeout = Annotated[
    str | None, typer.Option(metavar="SECONDS", help="Seconds for all checks of a candidate [30].")
]
MemoryMb = Annotated[str | None, typer.Option(metavar="MIB", help="Memory of one candidate [1024].")]
OutputKb = Annotated[str | None, typer.Option(metavar="KIB", help="Output of one candidate [1024].")]
MaxCandidates = Annotated[str | None, typer.Option(metavar="N", help="Candidates to try at most [50000].")]
MaxSeconds = Annotated[str | None, typer.Option(metavar="SECONDS", help="Time to search at most [60].")]
Sandbox = Annotated[str | None, typer.Option(metavar="NAME", help="What confines the program: jail.")]
Layers = Annotated[
    str | None, typer.Option(metavar="NAME", help="Layers of the jail: auto, namespaces, landlock [auto].")
]
Workers = Annotated[str | None, typer.Option(metavar="N", help="Processes at work [every core].")]
Seed = Annotated[str | None, typer.Option(metavar="N", help="Same seed, same candidates [0].")]
Python = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="Interpreter for the program [the active virtual environment's, else ours]."),
]
AllowProcesses = Annotated[
    bool | None, typer.Option("--allow-processes", help="Let the program start processes of its own.")
]
Verbose = Annotated[bool | None, typer.Option("--verbose", "-v", help="Say more.")]
Debug = Annotated[bool | None, typer.Option("--debug", help="Show tracebacks.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

EVERY_SETTING = {
    "strategy": Strategy,
    "max_candidates": MaxCandidates,
    "max_seconds": MaxSeconds,
    "timeout": Timeout,
    "total_timeout": TotalTimeout,
    "memory_mb": MemoryMb,
    "output_kb": OutputKb,
    "workers": Workers,
    "seed": Seed,
    "python": Python,
    "sandbox": Sandbox,
    "layers": Layers,
    "allow_processes": AllowProcesses,
    "verbose": Verbose,
    "debug": Debug,
}


def with_settings(command: Callable[..., int]) -> Callable[..., int]:
    """The command with a flag for every setting; it is called without them, since `resolve` reads them."""
    own = inspect.signature(command, eval_str=True).parameters

    @functools.wraps(command)
    def taking(**given: Any) -> int:
        return command(**{name: value for name, value in given.items() if name in own})

    kind = inspect.Parameter.KEYWORD_ONLY
    settings = [inspect.Parameter(name, kind, default=None, annotation=flag) for name, flag in EVERY_SETTING.items()]
    no_color = inspect.Parameter("no_color", kind, default=False, annotation=NoColor)
    parameters = [*own.values(), *settings, no_color]
    taking.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    taking.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return taking


def resolve(context: typer.Context, near: Path | None = None) -> Settings:
    """The settings of this command: its flags over the environment over the file nearest to `near`."""
    from regreen.config import Settings, load_settings

    flags = {name: value for name, value in context.params.items() if name in Settings.model_fields}
    if context.params.get("no_color"):
        flags["color"] = "never"
    settings = load_settings(flags, near=near)
    if isinstance(context.obj, Session):
        context.obj.debug = settings.debug
    return settings
