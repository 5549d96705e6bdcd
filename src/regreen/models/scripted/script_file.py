"""Reads scripts from files; an error names the line or field at fault."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import TypeAdapter, ValidationError

from regreen.errors import ConfigError
from regreen.models.scripted.script import SCRIPT_CONFIG, FaultRule, ReplySpec, Rule, Script
from regreen.models.scripted.script_fields import SEQUENCE_ONLY, ShortForm

_REMEDY = "docs/testserver.md tells what a script may hold."
_IN_WORDS = {
    "dataclass_type": "an object is needed",
    "missing": "it is missing",
    "unexpected_keyword_argument": "there is no such field",
}
"""Messages for common errors, where pydantic's own words are about Python."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ScriptFile:
    """The fields of a script file that is one JSON object."""

    __pydantic_config__ = SCRIPT_CONFIG

    rules: Annotated[tuple[Rule, ...], SEQUENCE_ONLY] = ()
    default: Annotated[ReplySpec, ShortForm("text")] | None = None
    models: Annotated[tuple[str, ...], SEQUENCE_ONLY] = ()
    faults: Annotated[tuple[FaultRule, ...], SEQUENCE_ONLY] = ()


_RULE_ADAPTER = TypeAdapter(Rule)
_FILE_ADAPTER = TypeAdapter(ScriptFile)


def read_script(path: Path) -> Script:
    """The script in a file: one JSON object, or JSON lines with a rule each.

    Raises ConfigError naming the line or the field that is wrong.
    """
    text = _text(path)
    try:
        values = json.loads(text)
    except ValueError as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        if len(lines) < 2 or not _is_object(lines[0][1]):
            _refuse(path, f"it is no JSON ({error})")
        return Script(tuple(_rule(line, number, path) for number, line in lines))
    except RecursionError:
        _refuse(path, "it is nested too deeply")
    if isinstance(values, dict) and "replies" in values:
        return Script((_valid(_RULE_ADAPTER, values, path),))
    file = _valid(_FILE_ADAPTER, values, path)
    if not file.rules and file.default is None:
        _refuse(path, "it has neither rules nor a default")
    return Script(file.rules, file.default, file.models, file.faults)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(path, f"it is not UTF-8 (byte {error.start})")
    except OSError as error:
        raise ConfigError(f"The script {path} cannot be read: {error.strerror}.", remedy="Check the path.") from None


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _rule(line: str, number: int, path: Path) -> Rule:
    try:
        return _valid(_RULE_ADAPTER, json.loads(line), path, f"line {number}: ")
    except (ValueError, RecursionError) as error:
        _refuse(path, f"line {number} is no JSON ({error})")


def _valid(kind: TypeAdapter[_T], values: Any, path: Path, place: str = "") -> _T:
    try:
        return kind.validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        what = _IN_WORDS.get(first["type"]) or first["msg"].removeprefix("Value error, ")
        _refuse(path, f"{place}{field + ': ' if field else ''}{what}")


def _refuse(path: Path, what: str) -> NoReturn:
    raise ConfigError(f"The script {path} cannot be used: {what}.", remedy=_REMEDY) from None
