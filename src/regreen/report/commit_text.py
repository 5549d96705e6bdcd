"""What a commit of a repair says: the name of its branch, and its message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from regreen.report.likelihood_words import likelihood_sentence
from regreen.report.safe_text import visible, visible_line
from regreen.syntax import parsed_or_none
from regreen.types import FileChange, ProjectRepair

_FOLDER = "regreen"
_NAME_CHARACTERS, _SUBJECT_CHARACTERS, _LINE_CHARACTERS = 60, 72, 1_000
_NAMED_TESTS = 10
_ENDING = "Found by Regreen, and proved by a run of all {count} tests: none fails that is not named here."
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def branch_name(changes: Sequence[FileChange]) -> str:
    """A name that says what is changed, e.g. "regreen/fix-pricing-discount"."""
    parts = [_words_of(change) for change in sorted(changes, key=lambda change: change.path)]
    kept = re.sub(r"[^a-z0-9]+", "-", "-and-".join(parts).lower()).strip("-")
    return f"{_FOLDER}/fix-{kept[:_NAME_CHARACTERS].strip('-') or 'program'}"


def commit_message(repair: ProjectRepair) -> str:
    """What was changed, why, which tests pass now, and how sure that is."""
    return "\n\n".join(part for part in _paragraphs(repair) if part) + "\n"


def _paragraphs(repair: ProjectRepair) -> Iterator[str]:
    yield _subject(repair.changes)
    # Indented, so that no message of a test can be taken for a trailer, nor a line of it for the end of the message.
    lines = visible(repair.explanation).splitlines()
    yield "\n".join(f"  {visible_line(line, _LINE_CHARACTERS)}" for line in lines)
    turned = repair.turned_green
    if turned:
        more = [f"  and {len(turned) - _NAMED_TESTS} more"] if len(turned) > _NAMED_TESTS else []
        names = [f"  {visible_line(test, _LINE_CHARACTERS)}" for test in turned[:_NAMED_TESTS]]
        yield "\n".join(["Red before, and green with this change:", *names, *more])
    if repair.undecided:
        names = [f"  {visible_line(test, _LINE_CHARACTERS)}" for test in repair.undecided[:_NAMED_TESTS]]
        yield "\n".join(["Red before and after, for another reason:", *names])
    yield " ".join(filter(None, (_ENDING.format(count=len(repair.after)), likelihood_sentence(repair.likelihood))))


def _subject(changes: Sequence[FileChange]) -> str:
    first = changes[0]
    more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
    subject = visible_line(f"Fix {first.path}{more}: {first.note or 'a proven repair'}", _LINE_CHARACTERS)
    if len(subject) <= _SUBJECT_CHARACTERS:
        return subject
    return visible_line(f"Fix {PurePosixPath(first.path).name}{more}", _SUBJECT_CHARACTERS)


def _words_of(change: FileChange) -> str:
    """The module, and the function or class of the first difference."""
    path = PurePosixPath(change.path)
    stem = path.parent.name if path.stem == "__init__" else path.stem
    tree = parsed_or_none(change.before)
    scopes = [node for node in ast.walk(tree) if isinstance(node, _SCOPES)] if tree is not None else []
    around = [node for node in scopes if node.lineno <= change.first_line <= (node.end_lineno or 0)]
    return "-".join([stem, *(node.name for node in sorted(around, key=lambda node: node.lineno))])
