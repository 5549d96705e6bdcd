"""What the environment says beside the settings: keys, addresses, tracing, CI jobs, variables that tests may see.

Only this module and `setting_sources` read the environment, but for REGREEN_CHEAP_FORKS: the sandbox's switch, and no
setting.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regreen.errors import ConfigError

_KEY_LIKE = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|DSN|_URL$|_URI$")
"""In the name of a variable whose value may open something."""

_LANGSMITH_SWITCHES = ("LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING")
"""In LangSmith's own order: the first that is set decides, and only "true" means yes."""
_OLD_SWITCHES = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
_MEANING_NO = ("", "0", "false", "False")
_COLLECTORS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_WITH_CONTENT = ("true", "span_only", "span_and_event")


@dataclass(frozen=True, slots=True)
class CiJob:
    """What a CI service says of itself, and where it looks."""

    is_ci: bool = False
    summary: Path | None = None
    """The file to which a step appends its summary, in Markdown."""
    takes_commands: bool = False
    """Whether lines of the log may be commands of GitHub's."""


@dataclass(frozen=True, slots=True)
class Tracing:
    """What the environment asks tracing services to be sent."""

    langsmith: bool = False
    """Graphs and model calls become runs of LangSmith."""
    spans: str = ""
    """How OpenTelemetry spans are exported: "http/protobuf", "grpc" or "console"; "" where none are asked for."""
    content: bool = False
    """Whether spans hold prompts and replies."""


def secrets(
    names: Sequence[str], *, environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> tuple[str, ...]:
    """The keys that the first set of these variables holds, separated by commas.

    The environment comes first, then `.env` in `folder` (the working folder when None).
    """
    for values in (os.environ if environ is None else environ, _dotenv(folder or Path.cwd())):
        for name in names:
            keys = (key.strip() for key in (values.get(name) or "").split(","))
            if found := tuple(dict.fromkeys(key for key in keys if key)):
                return found
    return ()


def shown_variables(items: Sequence[str], *, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables that tests may see; `items` are those of the setting `env`: NAME, or NAME=VALUE.

    A bare name takes its value from the environment. Raises ConfigError where that has none, and for a name that looks
    like a key's: a project's settings must not pick one, so it is only shown with the value given.
    """
    environ = os.environ if environ is None else environ
    shown = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals and _KEY_LIKE.search(name.upper()):
            raise ConfigError(
                f"env names {name}, which looks like a secret, and tests are not trusted with those.",
                remedy=f"Give a value made for the tests: --env {name}=VALUE.",
            )
        if not equals and name not in environ:
            raise ConfigError(
                f"env names {name}, which is not set.", remedy=f"Set it, or give its value: --env {name}=VALUE."
            )
        shown[name] = value if equals else environ[name]
    return shown


def variable_names(*, environ: Mapping[str, str] | None = None) -> frozenset[str]:
    """The names of the user's variables, without what they hold."""
    return frozenset(os.environ if environ is None else environ)


def address(names: Sequence[str], *, environ: Mapping[str, str] | None = None) -> str | None:
    """The address that the first set of these variables holds.

    `.env` is not read: a project under repair must not choose where keys are sent.
    """
    environ = os.environ if environ is None else environ
    return _first_set(names, environ) or None


def cache_folder(*, environ: Mapping[str, str] | None = None) -> Path:
    """The folder of what was fetched once and can be fetched again."""
    environ = os.environ if environ is None else environ
    base = environ.get("XDG_CACHE_HOME", "").strip()
    return Path(base if Path(base).is_absolute() else "~/.cache").expanduser() / "regreen"


def poetry_folder(*, environ: Mapping[str, str] | None = None) -> Path:
    """The folder in which Poetry keeps the virtual environments that it makes, as its variables and the system's say.

    What its own configuration file says is not read.
    """
    environ = os.environ if environ is None else environ
    caches = environ.get("XDG_CACHE_HOME", "").strip() or "~/.cache"
    cache = environ.get("POETRY_CACHE_DIR", "").strip() or f"{caches}/pypoetry"
    place = environ.get("POETRY_VIRTUALENVS_PATH", "").strip() or "{cache-dir}/virtualenvs"
    return Path(place.replace("{cache-dir}", cache)).expanduser()


def ci_job(*, environ: Mapping[str, str] | None = None) -> CiJob:
    """What the environment says of a CI job that this process is part of."""
    environ = os.environ if environ is None else environ
    summary = environ.get("GITHUB_STEP_SUMMARY", "")
    on_github = environ.get("GITHUB_ACTIONS") == "true"
    is_ci = on_github or environ.get("CI", "").strip().lower() not in _MEANING_NO
    return CiJob(is_ci=is_ci, summary=Path(summary) if summary else None, takes_commands=on_github)


def package_index(*, environ: Mapping[str, str] | None = None) -> str:
    """The address of the package index that pip would use: PIP_INDEX_URL, else Python's own."""
    environ = os.environ if environ is None else environ
    return environ.get("PIP_INDEX_URL", "").strip() or "https://pypi.org/simple"


def tracing(*, environ: Mapping[str, str] | None = None) -> Tracing:
    """What the environment asks tracing services to be sent.

    Neither `.env` nor pyproject.toml has a say: a project under repair must not choose who reads programs and prompts.
    Raises ConfigError for variables that LangChain itself stops at.
    """
    environ = os.environ if environ is None else environ
    langsmith = _first_set(_LANGSMITH_SWITCHES, environ) == "true"
    if not langsmith and (old := [name for name in _OLD_SWITCHES if environ.get(name, "") not in _MEANING_NO]):
        raise ConfigError(
            f"{old[0]} in the environment is what LangChain no longer understands, and refuses to run with.",
            remedy="Unset it; LANGSMITH_TRACING=true asks for traces.",
        )
    return Tracing(
        langsmith=langsmith,
        spans=_spans(environ),
        content=environ.get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "").strip().lower() in _WITH_CONTENT,
    )


def name_revision(name: str) -> None:
    """Have LangSmith take this as the revision that runs, unless the environment names one.

    Else it asks git in the working folder, where the configuration of a project under repair may start programs.
    """
    os.environ.setdefault("LANGSMITH_REVISION_ID", os.environ.get("LANGCHAIN_REVISION_ID") or name)


def quiet_ray() -> None:
    """Have Ray, once it is imported, report to nobody, print no hints and join no cluster unasked.

    What the environment says otherwise counts.
    """
    for name in ("RAY_USAGE_STATS_ENABLED", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "RAY_ENABLE_AUTO_CONNECT"):
        os.environ.setdefault(name, "0")


def ray_encrypts() -> bool:
    """Whether the environment has Ray encrypt what it says to a cluster."""
    return os.environ.get("RAY_USE_TLS", "").strip().lower() not in ("", "0", "false")


def _spans(environ: Mapping[str, str]) -> str:
    """How spans are exported, by the variables that OpenTelemetry defines."""
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return ""
    exporters = [name.strip() for name in environ.get("OTEL_TRACES_EXPORTER", "").lower().split(",") if name.strip()]
    if not exporters and _first_set(_COLLECTORS, environ):
        exporters = ["otlp"]
    if "otlp" in exporters:
        return _first_set(_PROTOCOLS, environ) or "http/protobuf"
    return "console" if "console" in exporters else ""


def _first_set(names: Sequence[str], environ: Mapping[str, str]) -> str:
    return next((environ[name].strip() for name in names if environ.get(name, "").strip()), "")


def _dotenv(folder: Path) -> Mapping[str, str | None]:
    from dotenv import dotenv_values

    path = folder / ".env"
    try:
        # Taken literally: "${NAME}" in a project's file must not pick a secret out of the environment.
        return dotenv_values(path, interpolate=False) if path.is_file() else {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.", remedy="Mend the file or move it away.") from error
