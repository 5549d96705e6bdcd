"""Private temporary folders that say whose they are, so that those of killed processes are found and removed."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from regreen.sandbox.process_owner import Owner, this_process

_OWNER_FILE = "owner"


def new_owned_folder(prefix: str) -> Path:
    """A folder that nobody else may enter, with nothing in it but the name of this process."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    (folder / _OWNER_FILE).write_text(str(this_process()), encoding="utf-8")
    return folder


def remove_orphaned_folders(prefix: str) -> None:
    """Remove the folders with that prefix of processes of this machine and this user that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            owner = Owner.read((folder / _OWNER_FILE).read_text(encoding="utf-8"))
            if owner.is_dead and folder.lstat().st_uid == os.getuid():
                shutil.rmtree(folder, ignore_errors=True)
