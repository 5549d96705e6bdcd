"""Models that answer from a script: for tests, for benchmarks and for trying an agent with no service at all."""

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
