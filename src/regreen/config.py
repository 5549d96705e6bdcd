"""Settings: defaults < [tool.regreen] in pyproject.toml < REGREEN_* environment < flags.

`setting_sources` reads what each says; here it is merged and checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from regreen.confinement_settings import confinement_of, limits_of
from regreen.errors import ConfigError
from regreen.setting_sources import SettingSource, is_executable, read_sources
from regreen.setting_table import (
    SETTINGS,
    STRATEGIES,
    Color,
    Layers,
    PromptStyle,
    Sandbox,
    Setting,
    SettingTable,
    Spread,
    TemperatureSchedule,
)
from regreen.types import Budget, Confinement, Limits

_T = TypeVar("_T")

_SANDBOXES_OF = {
    **{"layers": ("jail",), "python": ("jail", "restricted"), "allow_processes": ("jail", "docker")},
    **{name: ("docker",) for name in SETTINGS if name.startswith("docker_")},
}
"""Settings that not all kinds of sandboxes know."""
_SIZE = re.compile(r"\d+(\.\d+)?[bkmg]?b?")
"""A size as Docker takes it: 512m, 1.5g, 536870912."""
_SERVER_MB = 64
"""What the server of a container needs beside its candidate."""


def _field(setting: Setting[_T]) -> _T:
    """The pydantic field of a setting."""
    field: _T = Field(
        default_factory=setting.default,
        gt=setting.above,
        ge=setting.at_least,
        le=setting.at_most,
        description=setting.allowed,
    )
    return field


class Settings(BaseModel):
    """Everything that can be set, resolved and checked; stored in every record."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    strategy: str = _field(SettingTable.strategy)
    model: str | None = _field(SettingTable.model)
    base_url: str | None = _field(SettingTable.base_url)
    model_file: str | None = _field(SettingTable.model_file)
    rank_model: str | None = _field(SettingTable.rank_model)
    alternatives: int = _field(SettingTable.alternatives)
    iters: int = _field(SettingTable.iters)
    temperature: float | None = _field(SettingTable.temperature)
    temperature_schedule: TemperatureSchedule = _field(SettingTable.temperature_schedule)
    prompt_style: PromptStyle = _field(SettingTable.prompt_style)
    critic: bool = _field(SettingTable.critic)
    max_usd: float | None = _field(SettingTable.max_usd)
    max_tokens: int | None = _field(SettingTable.max_tokens)
    max_reply_tokens: int = _field(SettingTable.max_reply_tokens)
    concurrency: int = _field(SettingTable.concurrency)
    request_timeout: float = _field(SettingTable.request_timeout)
    retries: int = _field(SettingTable.retries)
    cache: str | None = _field(SettingTable.cache)
    timeout: float = _field(SettingTable.timeout)
    total_timeout: float = _field(SettingTable.total_timeout)
    memory_mb: int = _field(SettingTable.memory_mb)
    output_kb: int = _field(SettingTable.output_kb)
    max_candidates: int = _field(SettingTable.max_candidates)
    max_seconds: float = _field(SettingTable.max_seconds)
    max_model_seconds: float | None = _field(SettingTable.max_model_seconds)
    sandbox: Sandbox = _field(SettingTable.sandbox)
    layers: Layers = _field(SettingTable.layers)
    docker_image: str | None = _field(SettingTable.docker_image)
    docker_cpus: float | None = _field(SettingTable.docker_cpus)
    docker_memory: str | None = _field(SettingTable.docker_memory)
    docker_pids: int | None = _field(SettingTable.docker_pids)
    docker_runtime: str | None = _field(SettingTable.docker_runtime)
    docker_bin: str | None = _field(SettingTable.docker_bin)
    workers: int = _field(SettingTable.workers)
    spread: Spread = _field(SettingTable.spread)
    seed: int = _field(SettingTable.seed)
    python: str = _field(SettingTable.python)
    allow_processes: bool = _field(SettingTable.allow_processes)
    env: tuple[str, ...] = _field(SettingTable.env)
    allow: tuple[str, ...] = _field(SettingTable.allow)
    verbose: bool = _field(SettingTable.verbose)
    debug: bool = _field(SettingTable.debug)
    color: Color = _field(SettingTable.color)

    @field_validator(*(name for name, setting in SETTINGS.items() if setting.is_number), mode="before")
    @classmethod
    def _is_no_truth_value(cls, value: object) -> object:
        if isinstance(value, bool):
            raise ValueError("a truth value is not a number")
        return value

    @field_validator("env", "allow", mode="before")
    @classmethod
    def _is_split(cls, value: object) -> object:
        return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @field_validator("env")
    @classmethod
    def _are_variables(cls, items: tuple[str, ...]) -> tuple[str, ...]:
        names = [item.partition("=")[0] for item in items]
        if not all(name.isidentifier() for name in names) or len(set(names)) < len(names):
            raise ValueError("not variables")
        return items

    @field_validator("strategy")
    @classmethod
    def _is_known(cls, name: str) -> str:
        if name != "auto" and name not in STRATEGIES:
            raise ValueError("not a strategy")
        return name

    @field_validator("python")
    @classmethod
    def _isis_executable(cls, path: str) -> str:
        if not is_executable(Path(path)):
            raise ValueError("not an executable file")
        return str(Path(path).absolute())

    @field_validator("docker_memory")
    @classmethod
    def _is_a_size(cls, size: str | None) -> str | None:
        if size is not None and not _SIZE.fullmatch(size.strip().lower()):
            raise ValueError("not a size")
        return size

    @field_validator("docker_image", "docker_runtime", "docker_bin")
    @classmethod
    def _is_a_name(cls, name: str | None) -> str | None:
        if name is not None and (not name.strip() or name.startswith("-")):
            raise ValueError("not a name")
        return name

    @property
    def confinement(self) -> Confinement:
        """What confines programs."""
        return confinement_of(dict(self))

    @property
    def limits(self) -> Limits:
        """Limits of one candidate."""
        return limits_of(dict(self))

    @property
    def budget(self) -> Budget:
        """Budget of one repair."""
        return Budget(
            candidates=self.max_candidates,
            seconds=self.max_seconds,
            iterations=self.iters,
            model_seconds=self.max_model_seconds,
        )


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    near: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Resolve every setting; raises ConfigError naming the key, its origin, the value and what is allowed.

    `flags` holds what was given by hand (None: not given), `near` is the file or folder from which the nearest
    [tool.regreen] is looked for, upwards (the working folder when None).
    """
    sources = read_sources(flags, near=near, environ=environ)
    merged = {key: value for source in sources for key, value in source.values.items()}
    try:
        settings = Settings.model_validate(merged)
    except ValidationError as error:
        raise _explain(error.errors()[0], sources) from None
    _refuse_unused(settings, sources)
    _refuse_small_container(settings, sources)
    return settings


def _refuse_unused(settings: Settings, sources: Sequence[SettingSource]) -> None:
    """Raise ConfigError for what somebody has set and the chosen sandbox does not know: it would be ignored."""
    for source in sources[2:]:
        for key in source.values:
            kinds = _SANDBOXES_OF.get(key, (settings.sandbox,))
            if settings.sandbox not in kinds and source.values[key] != SETTINGS[key].default():
                raise ConfigError(
                    f"{source.name(key)} is set, and has no meaning with --sandbox {settings.sandbox}.",
                    remedy=f"Leave it out, or choose --sandbox {' or '.join(kinds)}."
                    if key != "python"
                    else "The programs run on the Python of the image: choose one with --docker-image.",
                )


def _refuse_small_container(settings: Settings, sources: Sequence[SettingSource]) -> None:
    """Raise ConfigError where one candidate alone may take more memory than a whole container has."""
    room = settings.confinement.container.memory_bytes
    if settings.sandbox == "docker" and room is not None and room < (settings.memory_mb + _SERVER_MB) << 20:
        source = next(source for source in reversed(sources) if "docker_memory" in source.values)
        fits = max(SETTINGS["memory_mb"].at_least or 0, (room >> 20) - _SERVER_MB)
        raise ConfigError(
            f"{source.name('docker_memory')} is {settings.docker_memory}, which has no room for a candidate's "
            f"{settings.memory_mb} MiB and the {_SERVER_MB} MiB of its server.",
            remedy=f"Give the container more, or a candidate less: --memory-mb {fits:g}.",
        )


def _explain(details: ErrorDetails, sources: tuple[SettingSource, ...]) -> ConfigError:
    """The error for a bad value: its key, where it was set, the value, and what is allowed."""
    key = str(details["loc"][0])
    if key not in Settings.model_fields:
        return ConfigError(f"{key} is not a setting.", remedy=f"There are: {', '.join(Settings.model_fields)}.")
    source = next(source for source in reversed(sources) if key in source.values)
    return ConfigError(
        f"{source.name(key)} is {source.values[key]!r}.",
        remedy=f"It has to be {Settings.model_fields[key].description}.",
    )
