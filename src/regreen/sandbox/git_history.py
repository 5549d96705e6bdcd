"""What git has recorded of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regreen.sandbox.git_commands import git_output, is_repository

_MOST_BYTES = 8 << 20


def recorded_texts(folder: str, paths: Sequence[str], revisions: Sequence[str]) -> dict[tuple[str, str], bytes]:
    """(revision, path) -> content of files below `folder`, where git has them; nothing where there is no repository."""
    asked = [(revision, path) for revision in revisions for path in paths if path.isprintable()]
    if not asked or not is_repository(Path(folder)):
        return {}
    names = "".join(f"{revision}:./{path}\n" for revision, path in asked)
    answer = git_output(folder, ["cat-file", "--batch"], given=names.encode("utf-8", "surrogateescape"))
    return _read_batch((answer or b"")[:_MOST_BYTES], asked)


def _read_batch(answer: bytes, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """The contents in the order of the questions: each has a line "OBJECT blob SIZE" before it, or "... missing"."""
    found: dict[tuple[str, str], bytes] = {}
    at = 0
    for key in asked:
        end = answer.find(b"\n", at)
        if end < 0:
            break
        head, at = answer[at:end].split(b" "), end + 1
        if head[-1:] == [b"missing"] or len(head) != 3 or not head[2].isdigit():
            continue
        size = int(head[2])
        if head[1] == b"blob":
            found[key] = answer[at : at + size]
        at += size + 1
    return found
