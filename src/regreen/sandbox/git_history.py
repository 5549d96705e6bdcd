"""What git has recorded of files, read without running anything that a repository's configuration names.

A repository may be hostile: its hooks, filters, pagers, file-system monitors and remotes are commands. So git is only
asked for recorded objects (`cat-file`), which reads neither the index nor the working tree; what would still start a
program, fetching what a partial clone lacks, is switched off.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

_SECONDS = 5.0
_MOST_BYTES = 8 << 20
_SWITCHED_OFF = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "protocol.allow=never",
    "log.showSignature=false",
)
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "LC_ALL": "C",
}


def recorded_texts(folder: str, paths: Sequence[str], revisions: Sequence[str]) -> dict[tuple[str, str], bytes]:
    """(revision, path) -> content of files below `folder`, where git has them; nothing where there is no repository."""
    git = shutil.which("git")
    asked = [(revision, path) for revision in revisions for path in paths if path.isprintable()]
    if git is None or not asked or not _is_repository(Path(folder)):
        return {}
    command = [git, "--no-pager", "--no-replace-objects", "-C", folder]
    command += [part for setting in _SWITCHED_OFF for part in ("-c", setting)]
    names = "".join(f"{revision}:./{path}\n" for revision, path in asked)
    try:
        done = subprocess.run(
            [*command, "cat-file", "--batch"],
            input=names.encode("utf-8", "surrogateescape"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
            env={**_ENVIRONMENT, "PATH": os.defpath},
            cwd="/",
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    return _read_batch(done.stdout[:_MOST_BYTES], asked)


def _is_repository(folder: Path) -> bool:
    return any((above / ".git").exists() for above in (folder, *folder.parents))


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
