"""Types of a script file's fields: their short forms and their checks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True, slots=True)
class ShortForm:
    """Lets a text stand for an object with this one field."""

    field: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.expand, handler(source))

    def expand(self, value: object) -> object:
        """The object that a text stands for; any other value unchanged."""
        return {self.field: value} if isinstance(value, str) else value


def _joined(value: object) -> object:
    whole = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return "\n".join(value) if isinstance(value, list) and whole else value


def _sequence(value: object) -> object:
    if isinstance(value, list | tuple):
        return value
    raise ValueError("a list is needed")


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else _sequence(value)


def _call(value: object) -> object:
    """A call with arguments given as an object turned into JSON text, and an id that may be missing."""
    if not isinstance(value, Mapping):
        return value
    call = {"id": "", "arguments": {}, **value}
    if not isinstance(call["arguments"], str):
        call["arguments"] = json.dumps(call["arguments"])
    return call


def _pattern(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from None
    return value


def _marker(value: str) -> str:
    if re.compile(_pattern(value)).groups != 1:
        raise ValueError("a regular expression with one group is needed, which finds a number")
    return value


ScriptText = Annotated[str, BeforeValidator(_joined)]
"""A text, or a list of its lines."""
ScriptTexts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""A list of texts, or a single one."""
RegexText = Annotated[str, AfterValidator(_pattern)]
TurnMarker = Annotated[str, AfterValidator(_marker)]
SEQUENCE_ONLY = BeforeValidator(_sequence)
CALL_SHAPE = BeforeValidator(_call)
