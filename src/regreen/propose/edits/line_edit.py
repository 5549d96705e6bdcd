"""Edits as a model writes them: the JSON schema that is asked for, and variants that are understood too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from regreen.propose.edits.loose_json import json_values
from regreen.propose.edits.quoted_lines import without_line_numbers

_MAX_EDITS: Final = 100
"""Edits that one reply may hold."""


class Operation(StrEnum):
    """How an edit changes the lines that it names."""

    REPLACE = "replace"
    INSERT_BEFORE = "insert_before"
    INSERT_AFTER = "insert_after"
    DELETE = "delete"

    @property
    def inserts(self) -> bool:
        """Whether the named lines stay."""
        return self in (Operation.INSERT_BEFORE, Operation.INSERT_AFTER)


_OPERATION_WORDS: Final = {
    **{"change": "replace", "modify": "replace", "update": "replace", "edit": "replace", "substitute": "replace"},
    **{"remove": "delete", "insert": "insert_before", "prepend": "insert_before", "before": "insert_before"},
    **{"add": "insert_after", "append": "insert_after", "after": "insert_after"},
}
_LIST_KEYS: Final = ("edits", "changes", "patch", "patches", "operations", "modifications", "files")

EDITS_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "operation": {"type": "string", "enum": [operation.value for operation in Operation]},
                    "first_line": {"type": "integer", "description": "first line that is meant, from 1"},
                    "last_line": {"type": "integer", "description": "last line that is meant, itself included"},
                    "old": {"type": "string", "description": "the text of those lines as it stands now"},
                    "new": {"type": "string", "description": "the lines to put there; empty for delete"},
                },
                "required": ["operation", "first_line", "last_line", "old", "new"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["edits"],
    "additionalProperties": False,
}
"""The JSON Schema that a model is asked for: strict enough for services that enforce one."""


_PATH_KEYS: Final = ("path", "file", "filename", "file_path", "file_name")


def _with_path(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of edits in which each edit names its file first."""
    copy: dict[str, Any] = json.loads(json.dumps(schema))
    items = copy["properties"]["edits"]["items"]
    items["properties"] = {
        "path": {"type": "string", "description": "the file, as it was named"},
        **items["properties"],
    }
    items["required"] = ["path", *items["required"]]
    return copy


PROJECT_EDITS_SCHEMA: Final[Mapping[str, Any]] = _with_path(EDITS_SCHEMA)
"""The same for edits of several files."""


@dataclass(frozen=True, slots=True)
class EditRefusal:
    """Why edits were not applied, in words that a model can act on."""

    reason: str
    edit: int = 0
    """Number of the edit, from 1; 0 where it is about all of them."""

    def __str__(self) -> str:
        return f"Edit {self.edit}: {self.reason}" if self.edit else self.reason


class LineEdit(BaseModel):
    """One edit of whole lines."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    operation: Operation = Field(validation_alias=AliasChoices("operation", "op", "action", "type", "kind"))
    first_line: int | None = Field(
        None, validation_alias=AliasChoices("first_line", "start_line", "line_start", "line", "line_number", "start")
    )
    last_line: int | None = Field(None, validation_alias=AliasChoices("last_line", "end_line", "line_end", "end"))
    old: str = Field("", validation_alias=AliasChoices("old", "old_text", "old_code", "original", "search", "before"))
    new: str = Field("", validation_alias=AliasChoices("new", "new_text", "new_code", "replacement", "text", "code"))

    @model_validator(mode="before")
    @classmethod
    def _has_an_operation(cls, data: Any) -> Any:
        """An edit without an operation is a replacement where it has new text, else a deletion."""
        if isinstance(data, dict) and not {"operation", "op", "action", "type", "kind"} & data.keys():
            return {**data, "operation": "replace" if _filled(data, "new") else "delete"}
        return data

    @field_validator("operation", mode="before")
    @classmethod
    def _is_known(cls, value: Any) -> Any:
        word = value.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(value, str) else value
        word = word.removesuffix("_lines").removesuffix("_line") if isinstance(word, str) else word
        return _OPERATION_WORDS.get(word, word) if isinstance(word, str) else word

    @field_validator("old", "new", mode="before")
    @classmethod
    def _is_text(cls, value: Any) -> Any:
        """Text, or a list of lines; numbers before every line are dropped."""
        if value is None:
            return ""
        if isinstance(value, list) and all(isinstance(line, str) for line in value):
            value = "\n".join(line.rstrip("\n") for line in value)
        if isinstance(value, str):
            value = value.replace("\r\n", "\n").replace("\r", "\n")
            return plain if (plain := without_line_numbers(value, bars=True)) is not None else value
        return value


def read_edits(text: str) -> tuple[LineEdit, ...] | EditRefusal:
    """The edits that a reply holds: an object with a list of them, a list, or a single one."""
    values = list(json_values(text))
    data = next(filter(holds_edits, values), values[0] if values else None)
    if data is None:
        return EditRefusal('There is no JSON in the reply. Answer with {"edits": [...]} alone.')
    found = _listed(data)
    if not found:
        return EditRefusal("The JSON holds no edits. Give a list of them under the key edits.")
    if len(found) > _MAX_EDITS:
        return EditRefusal(f"There are {len(found)} edits; at most {_MAX_EDITS} are taken.")
    edits = []
    for number, item in enumerate(found, 1):
        try:
            edits.append(LineEdit.model_validate(item))
        except ValidationError as error:
            return EditRefusal(_explained(error), number)
    return tuple(edits)


def holds_edits(data: Any) -> bool:
    """Whether a JSON value seems to hold edits."""
    if isinstance(data, dict) and any(isinstance(data.get(key), list) for key in _LIST_KEYS):
        return True
    items = data if isinstance(data, list) else [data]
    known = {"first_line", "start_line", "line", "old", "old_text", "search"}
    return bool(items) and all(isinstance(item, dict) and known & item.keys() for item in items)


def edits_by_path(data: Any, path: str = "") -> dict[str, list[Any]]:
    """The edits of a JSON value, unread, by the path that each names; "" for those that name none.

    `path` is that of whatever they stand in, as in `{"path": ..., "edits": [...]}`.
    """
    found: dict[str, list[Any]] = {}
    for item in _listed(data):
        own = next((item[key] for key in _PATH_KEYS if isinstance(item, dict) and isinstance(item.get(key), str)), path)
        is_group = isinstance(item, dict) and any(isinstance(item.get(key), list) for key in _LIST_KEYS)
        parts = edits_by_path({"edits": _listed(item)}, own) if is_group else {own: [item]}
        for name, edits in parts.items():
            found.setdefault(name, []).extend(edits)
    return found


def _listed(data: Any) -> list[Any]:
    if isinstance(data, dict):
        for key in _LIST_KEYS:
            if isinstance(data.get(key), list | dict):
                return _listed(data[key])
        return [data] if holds_edits(data) else []
    return data if isinstance(data, list) else []


def _filled(data: Mapping[Any, Any], name: str) -> bool:
    alias = LineEdit.model_fields[name].validation_alias
    names = alias.choices if isinstance(alias, AliasChoices) else []
    return any(isinstance(key, str) and data.get(key) for key in names)


def _explained(error: ValidationError) -> str:
    """The first error in words, with the key that it is about."""
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else "it"
    if key == "operation":
        return f"operation has to be one of {', '.join(operation.value for operation in Operation)}."
    if key in ("first_line", "last_line"):
        return f"{key} has to be a whole number."
    return f"{key} has to be text." if key in ("old", "new") else "it has to be an object with the keys of an edit."
