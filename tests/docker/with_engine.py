"""Runs a command with a container engine: the one that DOCKER_HOST names, or a daemon started for it and stopped.

Exit status 77 where no engine can be had, which is said loudly: then nothing was tested.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from engine_daemon import FOLDER_VARIABLE, EngineDaemon

_NOT_TESTED = 77


def main(command: list[str]) -> int:
    """Run the command; its exit status."""
    if os.environ.get("DOCKER_HOST"):
        return subprocess.run(command, check=False).returncode
    if os.getuid() != 0 or shutil.which("dockerd") is None:
        print("\n*** NOT TESTED: no DOCKER_HOST, and no dockerd that could be started as root. ***\n", file=sys.stderr)  # noqa: T201
        return _NOT_TESTED
    # Sockets have short paths.
    daemon = EngineDaemon(Path(tempfile.mkdtemp(prefix="dockerd-")))
    try:
        daemon.start()
    except (RuntimeError, AssertionError) as error:
        print(f"\n*** NOT TESTED: no Docker daemon can be started here: {error} ***\n", file=sys.stderr)  # noqa: T201
        return _NOT_TESTED
    try:
        engine = {"DOCKER_HOST": daemon.address, FOLDER_VARIABLE: str(daemon.folder)}
        return subprocess.run(command, check=False, env={**os.environ, **engine}).returncode
    finally:
        daemon.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
