"""Every setting with its default, bounds and help, from which `Settings` and the flags of the commands are made.

Only the standard library is imported, so that `regreen --help` need not load pydantic.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args

_T = TypeVar("_T")

STRATEGIES: Final[Mapping[str, str]] = {
    "search": "Generate and validate over the program's own text; needs no model.",
    "single": "One reply, no test result shown.",
    "reflect": "A draft, then corrections that see the first failing check.",
    "tools": "Function calling: the model runs its code as often as it likes, within the limits.",
    "react": "Thought, action, observation in plain text, for models without function calling.",
    "patch": "One role explains and plans, another emits edits that are checked before they are applied.",
    "hybrid": "Search first, then a model told what search learnt, then search around the model's near misses.",
}
"""What each strategy does, by its name, which is also the name of its module in `regreen.strategies`."""
STRATEGIES_WITH_GRAPH: Final = tuple(name for name in STRATEGIES if name != "search")

TemperatureSchedule = Literal["auto", "constant", "rising", "falling"]
PromptStyle = Literal["tests", "docstring"]
Sandbox = Literal["jail", "docker", "restricted"]
Layers = Literal["auto", "namespaces", "landlock"]
Spread = Literal["none", "ray"]
Color = Literal["auto", "always", "never"]


class Setting(NamedTuple, Generic[_T]):
    """One setting: its default, its bounds, and the flag that sets it."""

    default: Callable[[], _T]
    allowed: str
    """The values that it takes, as they end the sentence "It has to be ..."."""
    help: str = ""
    """Help of its flag."""
    metavar: str | None = None
    """The value's name in help; None for a flag that takes no value."""
    short: str | None = None
    """The one-letter form of its flag, as in "-m"."""
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    choices: tuple[str, ...] = ()
    """The names that its flag takes, as help lists them; empty where any value of a kind will do."""
    is_list: bool = False
    """Whether its flag may be repeated, and its value is a list."""
    user_only: bool = False
    """Whether [tool.regreen] may not set it, since the pyproject.toml may belong to the program under repair."""

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return self.above is not None or self.at_least is not None


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _whole_number(
    help: str,
    default: _T,
    least: int,
    most: int | None = None,
    *,
    unit: str = "",
    metavar: str = "N",
    unset: str | None = None,
    user_only: bool = False,
) -> Setting[_T]:
    """A whole number, from `least` to `most`."""
    allowed = f"a whole number{unit and f' of {unit}'} from {least}{'' if most is None else f' to {most}'}"
    help = _with_default(help, default, unset)
    return Setting(lambda: default, allowed, help, metavar, at_least=least, at_most=most, user_only=user_only)


def _amount(
    help: str,
    default: _T,
    unit: str,
    most: int | None = None,
    *,
    metavar: str = "SECONDS",
    unset: str | None = None,
    user_only: bool = False,
) -> Setting[_T]:
    """An amount of a unit, above 0."""
    allowed = f"{unit}, above 0{'' if most is None else f' and at most {most}'}"
    help = _with_default(help, default, unset)
    return Setting(lambda: default, allowed, help, metavar, above=0, at_most=most, user_only=user_only)


def _choice(
    help: str, choices: tuple[_T, ...], *, unset: str | None = None, short: str | None = None, user_only: bool = False
) -> Setting[_T]:
    """One of `choices`, the first by default; help does not list "auto" where `unset` says what it means."""
    words = [str(choice) for choice in choices]
    allowed = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    listed = tuple(word for word in words if unset is None or word != "auto")
    help = _with_default(f"{help}: {', '.join(listed)}", choices[0], unset)
    return Setting(lambda: choices[0], allowed, help, "NAME", short, choices=listed, user_only=user_only)


def _text(
    help: str,
    default: _T,
    allowed: str,
    metavar: str,
    *,
    unset: str | None = None,
    short: str | None = None,
    user_only: bool = False,
) -> Setting[_T]:
    """A text, such as a path or an address."""
    return Setting(lambda: default, allowed, _with_default(help, default, unset), metavar, short, user_only=user_only)


def _switch(help: str, *, short: str | None = None, user_only: bool = False) -> Setting[bool]:
    """On or off; off by default, and the flag turns it on."""
    return Setting(lambda: False, "true or false", f"{help}.", short=short, user_only=user_only)


def _with_default(help: str, default: object, unset: str | None) -> str:
    """Help with the default in brackets at its end; `unset` replaces it, and "" leaves the brackets out."""
    if unset is None:
        unset = f"{default:g}" if isinstance(default, float) else str(default)
    return f"{help} [{unset}]." if unset else f"{help}."


class SettingTable:
    """The settings by name, in the order of the documentation."""

    strategy: Setting[str] = _choice(
        "How to look for a repair", ("auto", *STRATEGIES), unset="search; with a model, hybrid", short="-s"
    )
    model: Setting[str | None] = _text(
        "The model to ask, e.g. ollama:qwen3",
        None,
        "the name of a model, as in openai:gpt-5-mini or ollama:qwen3",
        "PROVIDER:MODEL",
        unset="none",
        short="-m",
    )
    base_url: Setting[str | None] = _text(
        "The address of an OpenAI-compatible service",
        None,
        "the address of an OpenAI-compatible service",
        "URL",
        unset="the provider's own",
        user_only=True,
    )
    model_file: Setting[str | None] = _text(
        "The file of a local model, where it need not be fetched",
        None,
        "the path of a GGUF file",
        "FILE",
        unset="",
        user_only=True,
    )
    rank_model: Setting[str | None] = _text(
        "A served model to help choose among repairs, e.g. llamacpp:qwen",
        None,
        "the name of a model, as in vllm:qwen2.5-coder or llamacpp:qwen",
        "PROVIDER:MODEL",
        unset="n-grams alone",
    )
    alternatives: Setting[int] = _whole_number("Further behaviours to show beside a search's repair", 0, 0, 20)
    iters: Setting[int] = _whole_number("Corrections after the draft; 0 is the draft alone", 5, 0, 1000)
    temperature: Setting[float | None] = Setting(
        lambda: None, "a number from 0 to 2", "Of the draft, 0 to 2 [the strategy's own].", "T", at_least=0, at_most=2
    )
    temperature_schedule: Setting[TemperatureSchedule] = _choice(
        "Temperature over the iterations", get_args(TemperatureSchedule), unset="the strategy's own"
    )
    prompt_style: Setting[PromptStyle] = _choice("What a draft is shown", get_args(PromptStyle))
    critic: Setting[bool] = _switch("Let a critic read each patch before it is run")
    max_usd: Setting[float | None] = _amount(
        "Money that all model calls may cost", None, "US dollars", metavar="USD", unset="no limit"
    )
    max_tokens: Setting[int | None] = _whole_number("Tokens that all model calls may take", None, 1, unset="no limit")
    max_reply_tokens: Setting[int] = _whole_number("Tokens of one reply", 4096, 16, 1 << 20)
    concurrency: Setting[int] = _whole_number("Tasks that ask a model at once", 8, 1, 4096, unit="model calls")
    request_timeout: Setting[float] = _amount("Time for one reply", 120.0, "seconds", 3600)
    retries: Setting[int] = _whole_number("Tries after one that a service failed", 6, 0, 100)
    cache: Setting[str | None] = _text(
        "Take replies from this tape, and add to it", None, "the path of a file", "FILE", unset="", user_only=True
    )
    timeout: Setting[float] = _amount("CPU seconds a check", 2.0, "CPU seconds a check", 3600)
    total_timeout: Setting[float] = _amount(
        "Seconds for all checks of a candidate", 30.0, "seconds for all checks of a candidate", 86_400
    )
    memory_mb: Setting[int] = _whole_number("Memory of one candidate", 1024, 64, 1 << 20, unit="MiB", metavar="MIB")
    output_kb: Setting[int] = _whole_number("Output of one candidate", 8192, 1, 1 << 20, unit="KiB", metavar="KIB")
    max_candidates: Setting[int] = _whole_number("Candidates to try at most", 50_000, 1)
    max_seconds: Setting[float] = _amount("Time to search at most", 300.0, "seconds", 604_800)
    max_model_seconds: Setting[float | None] = _amount(
        "Time to ask the model at most, a repair", None, "seconds", 604_800, unset="no limit"
    )
    sandbox: Setting[Sandbox] = _choice("What confines the program", get_args(Sandbox), user_only=True)
    layers: Setting[Layers] = _choice("Layers of the jail", get_args(Layers), user_only=True)
    docker_image: Setting[str | None] = _text(
        "Image of the containers",
        None,
        "the name of an image with Python 3.11 or newer",
        "IMAGE",
        unset="regreen-sandbox, where it was built, else python:3.x-slim",
        user_only=True,
    )
    docker_cpus: Setting[float | None] = _amount(
        "Processors of one container",
        None,
        "processors",
        1024,
        metavar="N",
        unset="2, or what there is",
        user_only=True,
    )
    docker_memory: Setting[str | None] = _text(
        "Memory of one container, e.g. 2g",
        None,
        "bytes, or a number with b, k, m or g, as Docker takes it",
        "SIZE",
        unset="256 MiB beyond a candidate's",
        user_only=True,
    )
    docker_pids: Setting[int | None] = _whole_number(
        "Processes and threads in one container", None, 16, 1 << 20, unset="128, under gVisor 512", user_only=True
    )
    docker_runtime: Setting[str | None] = _text(
        "What runs the containers, e.g. runsc for gVisor",
        None,
        "the engine's name of a runtime",
        "NAME",
        unset="the engine's own",
        user_only=True,
    )
    docker_bin: Setting[str | None] = _text(
        "The program whose engine is taken: docker, podman",
        None,
        "the name or path of docker or podman",
        "PROGRAM",
        unset="DOCKER_HOST, then docker's context",
        user_only=True,
    )
    workers: Setting[int] = _whole_number(
        "Processes at work", usable_cores(), 1, 1024, unit="processes", unset="every core"
    )._replace(default=usable_cores)
    spread: Setting[Spread] = _choice(
        "Cluster to spread the work over (ray: the one at RAY_ADDRESS)", get_args(Spread), user_only=True
    )
    seed: Setting[int] = _whole_number("Same seed, same candidates", 0, 0, (1 << 63) - 1)
    python: Setting[str] = _text(
        "Interpreter for the program",
        sys.executable,
        "the path of an executable Python",
        "PATH",
        unset="the active virtual environment's, else ours",
        user_only=True,
    )
    allow_processes: Setting[bool] = _switch("Let the program start processes of its own", user_only=True)
    env: Setting[tuple[str, ...]] = Setting(
        tuple,
        "names of environment variables, each once, and NAME=VALUE",
        "A variable that pytest tests may see; may be repeated [none].",
        "NAME[=VALUE]",
        is_list=True,
    )
    allow: Setting[tuple[str, ...]] = Setting(
        tuple,
        "patterns of paths below the project's top folder, such as tests/*.py",
        "Files beside the project's modules that a model may change; may be repeated [none].",
        "PATTERN",
        is_list=True,
        user_only=True,
    )
    verbose: Setting[bool] = _switch(
        "Say more: the first prompt, each attempt with what failed, which key answered", short="-v"
    )
    debug: Setting[bool] = _switch("Show tracebacks, and every request and reply")
    color: Setting[Color] = _choice("Colours in what is printed", get_args(Color))


SETTINGS: Final[Mapping[str, Setting[Any]]] = {
    name: setting for name, setting in vars(SettingTable).items() if isinstance(setting, Setting)
}
"""Each setting of `SettingTable` by its name."""
