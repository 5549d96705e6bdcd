"""Takes the program to judge from the text of a sample: a program, a patch, or a model's reply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regreen.tasks.sample_rows import SampleContent
from regreen.types import Task
from regreen.unified_diff import PatchError, apply_patch


@dataclass(frozen=True, slots=True)
class ExtractedProgram:
    """The program of a sample, or why it has none."""

    source: str
    fault: str = ""
    """Why there is no program, which fails the sample; empty where there is one."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """A way to take the program from a sample."""

    policy: str
    """Its name in the records."""
    take: Callable[[str, Task], ExtractedProgram]


def extraction_of(holds: SampleContent) -> Extraction:
    """The way for samples with this content."""
    return _EXTRACTIONS[holds]


def _as_it_is(text: str, task: Task) -> ExtractedProgram:
    return ExtractedProgram(text)


def _patched(text: str, task: Task) -> ExtractedProgram:
    name = task.module.rpartition(".")[2] + ".py"
    try:
        return ExtractedProgram(apply_patch(text, task.source, name=name))
    except PatchError as error:
        return ExtractedProgram("", f"the patch cannot be applied: {error}")


def _from_reply(text: str, task: Task) -> ExtractedProgram:
    # The offline path never needs to read replies.
    from regreen.propose.reply import ReplyFault, standalone_program

    taken = standalone_program(text, task.entry_point)
    if isinstance(taken, ReplyFault):
        return ExtractedProgram("", f"the reply holds no program ({taken.kind}): {taken.detail}")
    return ExtractedProgram(taken)


_WHOLE_PROGRAMS = Extraction("whole programs", _as_it_is)
_EXTRACTIONS = {
    SampleContent.PROGRAMS: _WHOLE_PROGRAMS,
    SampleContent.PATCHES: Extraction("unified diff, applied whole or not at all", _patched),
    SampleContent.REPLIES: Extraction("the last code in the reply that defines the entry point", _from_reply),
}
