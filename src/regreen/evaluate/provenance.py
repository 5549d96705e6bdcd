"""The header of a run, run.json: its settings, cases, machine and code."""

from __future__ import annotations

import datetime
import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regreen.errors import RunError
from regreen.evaluate import jsonl
from regreen.evaluate.records import RESULT_SCHEMA, Feedback, RunConfiguration
from regreen.types import Case

RUN_FILE = "run.json"
UNFINISHED_RUN_FILE = f".{RUN_FILE}.new"
"""Name of run.json while it is written; left behind by a crash."""
FREE_TO_CHANGE = frozenset(
    {"workers", "verbose", "debug", "color", "concurrency", "request_timeout", "retries", "cache", "base_url"}
    | {"max_usd", "max_tokens", "spread", "docker_bin"}
)
"""Options that may change on resuming: they change how a run is distributed, paid for or shown, and no result."""
_ABSENT = "(absent)"
_COMMAND = "command"
"""Setting that names the command of a run; `eval` where it is missing."""


class Header(BaseModel):
    """The content of run.json."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    schema_version: int = Field(default=RESULT_SCHEMA, alias="schema")
    started: str
    """UTC, ISO 8601."""
    dataset: str
    dataset_hash: str
    cases: int
    planned: int | None = None
    """Samples that the run sets out to decide; None in the records of versions that did not say."""
    ids: list[str] = []
    """Ids of the cases, in the run's order."""
    case_hashes: list[str] = []
    """A hash of each of them: its program, statement, reference and checks. Missing in older records."""
    origin: dict[str, str] = {}
    """Files of a data set that does not come with the package ("path", "extra"), as seen from the run's folder."""
    selection: dict[str, Any] = {}
    """What part of the data set was asked for, e.g. {"fraction": 0.35}; empty for all of it."""
    protocol: Feedback | None
    """None where programs were only judged: what their authors had seen is not known."""
    settings: dict[str, Any]
    """The run configuration; its `options` are the resolved settings."""
    versions: dict[str, str]
    platform: str
    code_revision: str | None = None


def utc_now() -> str:
    """The time in UTC to the second, in the form of ISO 8601."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def header_of(
    configuration: RunConfiguration,
    cases: Iterable[Case],
    *,
    started: str,
    origin: Mapping[str, str] | None = None,
    selection: Mapping[str, Any] | None = None,
) -> Header:
    """The header of a run that repairs `cases`, which `selection` chose."""
    known = tuple(cases)
    return header_with(
        asdict(configuration),
        known,
        protocol=configuration.feedback,
        planned=len(known) * configuration.samples,
        started=started,
        origin=origin,
    ).model_copy(update={"selection": dict(selection or {})})


def header_with(
    settings: Mapping[str, Any],
    cases: Iterable[Case],
    *,
    protocol: Feedback | None,
    started: str,
    planned: int | None = None,
    origin: Mapping[str, str] | None = None,
) -> Header:
    """The header of a run with these settings, which name the data set under "dataset"; `planned` counts samples."""
    known = list(cases)
    return Header(
        started=started,
        dataset=settings["dataset"],
        dataset_hash=dataset_hash(known),
        cases=len(known),
        planned=planned,
        ids=[case.task.id for case in known],
        case_hashes=[case_hash(case) for case in known],
        origin=dict(origin or {}),
        protocol=protocol,
        settings=json.loads(jsonl.encode_line(settings)),
        versions={"regreen": _version("regreen"), "python": platform.python_version()},
        platform=platform.platform(),
        code_revision=code_revision(Path(__file__).parents[3]),
    )


def write_header(run_dir: Path, header: Header) -> None:
    """Write run.json in one step."""
    text = json.dumps(jsonl.json_value(header.model_dump(by_alias=True)), indent=2, allow_nan=False) + "\n"
    jsonl.replace_file(run_dir / RUN_FILE, [text.encode("ascii")])


def read_header(run_dir: Path) -> Header:
    """Read run.json. Raises RunError when the folder holds no run or its run.json cannot be read."""
    path = run_dir / RUN_FILE
    try:
        return Header.model_validate(json.loads(path.read_bytes()))
    except FileNotFoundError:
        raise RunError(f"{run_dir} holds no run: there is no {RUN_FILE} in it.", remedy="Check the path.") from None
    except (OSError, ValueError) as error:
        reason = _in_words(error) if isinstance(error, ValidationError) else str(error)
        raise RunError(
            f"{path} cannot be read: {reason}.", remedy="Give the folder of a run, or for a new run another one."
        ) from None


def _in_words(error: ValidationError) -> str:
    """The first fault of a run.json, with the field that has it."""
    fault = error.errors()[0]
    field = ".".join(str(part) for part in fault["loc"])
    if not field:
        return "it is no JSON object"
    return f"it has no {field!r}" if fault["type"] == "missing" else f"its {field!r}: {fault['msg']}"


def refuse_other_command(run_dir: Path, recorded: Header, asked: str) -> None:
    """Raise RunError where another command than `asked`, e.g. "eval", made the run."""
    made = str(recorded.settings.get(_COMMAND, "eval"))
    if made != asked:
        raise RunError(
            f"{run_dir} holds a run of `regreen {made}`, and not of `regreen {asked}`.", remedy="Give another folder."
        )


def refuse_other_settings(run_dir: Path, recorded: Header, asked: Header) -> None:
    """Raise RunError naming every setting in which the recorded run and the one asked for differ.

    More cases than the recorded ones may be asked for, as with a larger --limit.
    """
    refuse_other_command(run_dir, recorded, str(asked.settings.get(_COMMAND, "eval")))
    if differing := list(_differing(recorded, asked)):
        raise RunError(
            f"{run_dir} was begun with other settings: {'; '.join(differing)}.",
            remedy="Resume with the run's own settings, or give another folder for a new run.",
        )


def is_grown(recorded: Header, asked: Header) -> bool:
    """Whether `asked` has all recorded cases, unchanged, and further ones."""
    before, now = (dict(zip(of.ids, of.case_hashes, strict=False)) for of in (recorded, asked))
    return 0 < len(before) < len(now) and before.items() <= now.items()


def case_hash(case: Case) -> str:
    """A hash over program, statement, reference and checks of one case; equal for the same case in any file."""
    return hashlib.sha256(_case_content(case)).hexdigest()[:16]


def dataset_hash(cases: Iterable[Case]) -> str:
    """SHA-256 over the programs, statements, references and checks of the cases."""
    digest = hashlib.sha256()
    for case in cases:
        digest.update(_case_content(case))
    return digest.hexdigest()


def _case_content(case: Case) -> bytes:
    suites = [case.task.suite.source, case.hidden.source, case.extra.source if case.extra else None]
    parts = [case.task.id, case.task.source, case.task.statement, case.reference, *suites]
    return json.dumps(parts).encode("ascii") + b"\n"


def code_revision(root: Path) -> str | None:
    """The commit of a source checkout at `root`, read from its files; None where it is no checkout."""
    git = root / ".git"
    if not (git.is_dir() and (root / "src" / "regreen").is_dir()):
        return None
    try:
        head = (git / "HEAD").read_text(encoding="ascii").strip()
        if not head.startswith("ref: "):
            return head
        name = head.removeprefix("ref: ")
        if (loose := git / name).is_file():
            return loose.read_text(encoding="ascii").strip()
        packed = (git / "packed-refs").read_text(encoding="ascii").splitlines()
        return next((line.split(" ")[0] for line in packed if line.endswith(f" {name}")), None)
    except (OSError, UnicodeDecodeError):
        return None


def _differing(recorded: Header, asked: Header) -> Iterator[str]:
    before, now = ({"dataset_hash": h.dataset_hash, **_flat(h.settings)} for h in (recorded, asked))
    for values in (before, now):
        # Older records have the file in the name; what is in it, the hash tells.
        values["dataset"] = str(values["dataset"]).partition(":")[0]
    if is_grown(recorded, asked):
        before["dataset_hash"] = now["dataset_hash"]
    for key in [*before, *(key for key in now if key not in before)]:
        if key.removeprefix("options.") in FREE_TO_CHANGE:
            continue
        old, new = before.get(key, _ABSENT), now.get(key, _ABSENT)
        if old != new:
            yield f"{key} was {old!r} and is {new!r}"


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings under dotted names."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat |= _flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return flat


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
