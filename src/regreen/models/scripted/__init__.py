"""Models that answer from a script, for tests, benchmarks and trials of an agent without a service."""

from regreen.models.scripted.model import ScriptedModel, open_scripted
from regreen.models.scripted.script import (
    Body,
    Fault,
    FaultKind,
    FaultRule,
    ReplySpec,
    Responder,
    Rule,
    Script,
)
from regreen.models.scripted.script_file import read_script

__all__ = [
    "Body",
    "Fault",
    "FaultKind",
    "FaultRule",
    "ReplySpec",
    "Responder",
    "Rule",
    "Script",
    "ScriptedModel",
    "open_scripted",
    "read_script",
]
