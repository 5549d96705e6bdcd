"""Asks git for recorded objects and makes new ones, running nothing that a repository's configuration names.

A repository may be hostile: its hooks, filters, pagers, file-system monitors and remotes are commands. So only git's
plumbing is used, which reads neither the index nor the working tree; what would still start a program (hooks of
references, fetching what a partial clone lacks) is switched off.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_SECONDS = 5.0
_SWITCHED_OFF = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "protocol.allow=never",
    "log.showSignature=false",
    "commit.gpgSign=false",
    "gpg.program=false",
    "core.logAllRefUpdates=false",
    "i18n.commitEncoding=utf-8",
)
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_NO_USER = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


def is_repository(folder: Path) -> bool:
    """Whether git keeps a folder, or one around it."""
    return any((above / ".git").exists() for above in (folder, *folder.parents))


def has_git() -> bool:
    """Whether git is installed here."""
    return shutil.which("git") is not None


def git_output(
    folder: str | Path,
    arguments: Sequence[str],
    *,
    given: bytes = b"",
    home: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> bytes | None:
    """What a command of git's prints, run in `folder` with `given` on its standard input; None where it fails.

    With `home`, the configuration of the user whose home it is counts: their name, and which repositories of others
    they trust. It is their own, as the repository's is not.
    """
    git = shutil.which("git")
    if git is None:
        return None
    user = _NO_USER if home is None else {"HOME": str(home)}
    command = [git, "--no-pager", "--no-replace-objects", "-C", str(Path(folder).absolute())]
    command += [part for setting in _SWITCHED_OFF for part in ("-c", setting)]
    try:
        done = subprocess.run(
            [*command, *arguments],
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
            env={**_ENVIRONMENT, **user, **(variables or {}), "PATH": os.defpath},
            cwd="/",
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return done.stdout
