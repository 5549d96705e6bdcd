"""A Docker daemon of the tests' own: started by hand, as root, with everything in one folder, and stopped again."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from waiting import wait_for

FOLDER_VARIABLE = "DOCKERD_OF_TESTS"
"""Names the folder of the daemon that tests may kill; unset where the engine is somebody else's."""
STORAGES = ("overlay2", "vfs")
GVISOR = "runsc"
_GVISOR_ARGUMENTS = ("--platform=ptrace", "--network=none")
"""What it needs on a machine without virtualisation of its own, and where it may not make network devices."""


class EngineDaemon:
    """A daemon, by its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "docker.sock"
        self.pid_file = folder / "docker.pid"

    @property
    def address(self) -> str:
        """What DOCKER_HOST has to be."""
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Start it, on the first storage that works here, and wait until it answers."""
        known = self.folder / "storage"
        (self.folder / "daemon.json").write_text(json.dumps({"runtimes": _runtimes()}))
        for storage in [known.read_text()] if known.exists() else STORAGES:
            self._end_below()
            self.pid_file.unlink(missing_ok=True)
            command = self._command(storage)
            with (self.folder / "log").open("ab") as log:
                streams = [(os.POSIX_SPAWN_DUP2, log.fileno(), stream) for stream in (1, 2)]
                pid = os.posix_spawnp(command[0], command, os.environ, file_actions=streams)
            wait_for(lambda pid=pid: self.answers() or _is_dead(pid), 60, what="a Docker daemon")
            if self.answers():
                known.write_text(storage)
                return
        raise RuntimeError(f"no daemon: {(self.folder / 'log').read_text()[-2000:]}")

    def _command(self, storage: str) -> list[str]:
        """Without iptables and a bridge, which a machine in a machine may lack; containers have no network anyway."""
        places = {"data-root": "data", "exec-root": "exec", "pidfile": "docker.pid"}
        return [
            *("dockerd", "--host", self.address, "--storage-driver", storage, "--bridge=none"),
            *("--iptables=false", "--ip6tables=false", f"--config-file={self.folder / 'daemon.json'}"),
            *(f"--{name}={self.folder / place}" for name, place in places.items()),
        ]

    def _end_below(self) -> None:
        """End the containerd of a daemon that was killed: the next daemon would wait for it in vain."""
        below = self.folder / "exec/containerd/containerd.pid"
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(below.read_text()), signal.SIGKILL)
        below.unlink(missing_ok=True)

    def answers(self) -> bool:
        """Whether it is ready: it listens before it is."""
        with socket.socket(socket.AF_UNIX) as door, contextlib.suppress(OSError):
            door.settimeout(5)
            door.connect(str(self.socket))
            door.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            return b" 200 " in door.recv(64)
        return False

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it; with SIGKILL it has no time to tidy up."""
        pid = int(self.pid_file.read_text())
        os.kill(pid, number)
        wait_for(lambda: not Path(f"/proc/{pid}").exists() or _is_dead(pid), 60, what="the daemon's end")
        self.socket.unlink(missing_ok=True)

    def remove(self) -> None:
        """Stop it, and remove all that it had."""
        if self.answers():
            self.end()
        for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
            place = line.split()[1]
            if place.startswith(f"{self.folder}/"):
                subprocess.run(["umount", "--lazy", place], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def _runtimes() -> dict[str, object]:
    """What it may run containers with besides its own runtime: gVisor, where that is installed."""
    path = shutil.which(GVISOR)
    return {GVISOR: {"path": path, "runtimeArgs": list(_GVISOR_ARGUMENTS)}} if path else {}


def _is_dead(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def daemon_of_tests() -> EngineDaemon | None:
    """The daemon that tests may kill and start again, if there is one."""
    folder = os.environ.get(FOLDER_VARIABLE)
    return EngineDaemon(Path(folder)) if folder else None
