"""Short forms that a script's file may use, and checks of what it holds."""

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
    """A text may stand for an object that has nothing but this field."""

    field: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.expand, handler(source))

    def expand(self, value: object) -> object:
        """The object that the text stands for; anything else as it is."""
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
    """Arguments may be an object, and stand there as the JSON that a model would write; an id may be left out."""
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
"""Text, or a list of its lines."""
ScriptTexts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""Texts, or a single one."""
RegexText = Annotated[str, AfterValidator(_pattern)]
TurnMarker = Annotated[str, AfterValidator(_marker)]
SEQUENCE_ONLY = BeforeValidator(_sequence)
CALL_SHAPE = BeforeValidator(_call)
