"""The flags that mean the same in every command, and how they become Settings."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli.completion import dataset_names, from_names
from regreen.cli.log_lines import show_log
from regreen.setting_table import SETTINGS

if TYPE_CHECKING:
    from regreen.config import Settings


@dataclass(slots=True)
class CommandOptions:
    """Options that hold even when the rest of the command line is wrong."""

    as_json: bool = False
    debug: bool = False
    pytest_arguments: tuple[str, ...] = ()
    """What follows `--`, for the commands that run a project's tests."""


NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

Target = Annotated[Path, typer.Argument(metavar="TARGET", help="The program: one Python file.")]
TargetOrFolder = Annotated[
    Path | None,
    typer.Argument(metavar="[TARGET]", help="The program: one Python file; or a project's folder [this one]."),
]
Tests = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH",
        help="Its tests: a .py file, FILE::TEST, a folder, a pattern, or .jsonl cases; may be repeated "
        "[those in the program's file, else its doctests].",
    ),
]
Keyword = Annotated[
    str | None, typer.Option("-k", metavar="EXPRESSION", help="Only tests whose names match, as pytest's -k.")
]
Dataset = Annotated[
    str,
    typer.Argument(metavar="DATASET", help="A name that `regreen datasets` lists.", autocompletion=dataset_names),
]
Ids = Annotated[str | None, typer.Option(metavar="A,B", help="Only these cases.")]
Filter = Annotated[
    list[str] | None, typer.Option(metavar="LABEL=VALUE", help="Only cases so labelled; may be repeated.")
]
Offset = Annotated[int, typer.Option(metavar="N", help="Pass over the first N cases.")]
Limit = Annotated[int | None, typer.Option(metavar="N", help="Take at most N cases.")]


CONTAINER = ("docker_image", "docker_cpus", "docker_memory", "docker_pids", "docker_runtime", "docker_bin")
SANDBOX = (
    "timeout",
    "total_timeout",
    "memory_mb",
    "output_kb",
    "workers",
    "python",
    "sandbox",
    "layers",
    *CONTAINER,
    "allow_processes",
)
REPAIR = ("strategy", "max_candidates", "max_seconds", "rank_model", "seed")
MODEL = (
    "model",
    "model_file",
    "base_url",
    "iters",
    "temperature",
    "temperature_schedule",
    "prompt_style",
    "critic",
    "max_model_seconds",
    "max_usd",
    "max_tokens",
    "max_reply_tokens",
    "concurrency",
    "request_timeout",
    "retries",
    "cache",
)
SERVICE = ("base_url", "concurrency", "request_timeout", "retries", "max_usd", "max_tokens")
TESTS = ("env",)
PROJECT = ("allow",)
MACHINES = ("spread",)
COMMON = ("verbose", "debug")
"""Groups of settings that a command may take."""

Command = Callable[..., int]


def with_settings(*names: str) -> Callable[[Command], Command]:
    """A decorator for a command that takes a flag for each of these settings, and --no-color.

    The command is called without them, since `resolve` reads them.
    """

    def decorate(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True).parameters

        @functools.wraps(command)
        def taking(**given: Any) -> int:
            return command(**{name: value for name, value in given.items() if name in own})

        kind = inspect.Parameter.KEYWORD_ONLY
        flags = [inspect.Parameter(name, kind, default=None, annotation=_flag(name)) for name in names]
        no_color = inspect.Parameter("no_color", kind, default=False, annotation=NoColor)
        parameters = [*own.values(), *flags, no_color]
        taking.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        taking.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return taking

    return decorate


def _flag(name: str) -> Any:
    """The flag of a setting, as typer understands it.

    Its value is taken as text and checked by Settings: a bad one is refused in the same words wherever it was set.
    """
    setting = SETTINGS[name]
    forms = [f"--{name.replace('_', '-')}", *([setting.short] if setting.short else [])]
    if setting.metavar is None:
        return Annotated[bool | None, typer.Option(*forms, help=setting.help)]
    names = from_names(setting.choices) if setting.choices else None
    kind = list[str] if setting.is_list else str
    return Annotated[
        kind | None, typer.Option(*forms, metavar=setting.metavar, help=setting.help, autocompletion=names)
    ]


def resolve(context: typer.Context, near: Path | None = None) -> Settings:
    """The settings of a command: flags, then environment, then the pyproject.toml nearest to `near`, then defaults."""
    from regreen.config import load_settings

    # A list that was not given is empty, not absent.
    given = ((name, value) for name, value in context.params.items() if name in SETTINGS)
    flags = {name: value for name, value in given if not (SETTINGS[name].is_list and not value)}
    if context.params.get("no_color"):
        flags["color"] = "never"
    settings = load_settings(flags, near=near)
    if isinstance(context.obj, CommandOptions):
        context.obj.debug = settings.debug
    show_log(settings)
    return settings


def pytest_arguments(context: typer.Context) -> tuple[str, ...]:
    """What was given after `--`."""
    return context.obj.pytest_arguments if isinstance(context.obj, CommandOptions) else ()
