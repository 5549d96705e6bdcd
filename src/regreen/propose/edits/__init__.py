"""Structured edits: JSON that names lines, quotes their text, and gives the new text."""

from regreen.propose.edits.apply import EditedProgram, PlacedEdit, apply_edits
from regreen.propose.edits.line_edit import (
    EDITS_SCHEMA,
    PROJECT_EDITS_SCHEMA,
    EditRefusal,
    LineEdit,
    Operation,
    edits_by_path,
    holds_edits,
    read_edits,
)

__all__ = [
    "EDITS_SCHEMA",
    "PROJECT_EDITS_SCHEMA",
    "EditRefusal",
    "EditedProgram",
    "LineEdit",
    "Operation",
    "PlacedEdit",
    "apply_edits",
    "edits_by_path",
    "holds_edits",
    "read_edits",
]
