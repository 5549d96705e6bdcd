"""Runs attacks against a judge, with detectors on the host's side that notice whether anything got out."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from regreen.errors import TaskError
from regreen.sandbox.attacks.attack import ATTACK_LIMITS, BREACH, HONEST, Attack
from regreen.sandbox.guest import boot
from regreen.types import Judge, Outcome, Suite, Verdict

SECRET_BEGINS = "SECRET-OF-THE-HOST-"
_VARIABLE = "ATTACK_WITNESS"
_SYSTEM_FILES = (
    *("/etc/passwd", "/etc/shadow", "/etc/group", "/etc/hostname", "/etc/machine-id"),
    *("/proc/cmdline", "/proc/version", "/proc/sys/kernel/random/boot_id"),
)
_SYSTEM_FILE_BYTES = 1 << 16

_GRACE_SECONDS = 10.0
"""How much longer than all its limits together a verdict may take on a busy machine."""
_GOOD_CHECKS = "assert answer(20) == 40\n"

ReadSuite = Callable[[str, str], Suite]
"""Turns (program, test text) into a suite."""


@dataclass(frozen=True, slots=True)
class AttackResult:
    """One attack, its verdict, and the promises that did not hold."""

    attack: Attack
    verdict: Verdict
    complaints: tuple[str, ...]
    """What did not hold, in words; empty when all did."""

    @property
    def contained(self) -> bool:
        return not self.complaints

    @property
    def refused(self) -> bool:
        """Whether the sandbox did not run it at all, by its text: nothing was contained then."""
        return bool(self.verdict.refused)


def run_attacks(judge: Judge, read: ReadSuite, attacks: Iterable[Attack]) -> Iterator[AttackResult]:
    """Try the attacks one after the other, but for those on pytest where the programs' Python has none.

    Raises what else the judge raises: that is a fault of ours, not a result.
    """
    with open_leak_monitor() as monitor:
        monitor.check_on(judge, read)
        for attack in attacks:
            try:
                result = monitor.attempt(judge, read, attack)
            except TaskError:
                if not attack.needs_pytest:
                    raise
            else:
                yield result


@contextlib.contextmanager
def open_leak_monitor() -> Iterator[LeakMonitor]:
    """Detectors for the block, removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="regreen-attacks-"))
    monitor = LeakMonitor(folder)
    os.environ[_VARIABLE] = monitor.secret
    try:
        yield monitor
    finally:
        os.environ.pop(_VARIABLE, None)
        monitor.close()
        shutil.rmtree(folder, ignore_errors=True)


class LeakMonitor:
    """The detectors: listeners, a folder, a secret, and a count of processes."""

    def __init__(self, folder: Path) -> None:
        self.secret = SECRET_BEGINS + secrets.token_hex(16)
        self.folder = folder / "open"
        self.kept = self.folder / "kept"
        folder.chmod(0o755)
        self.folder.mkdir()
        self.kept.write_text(self.secret)
        # Open to everybody, so that it is the sandbox and not the file mode which protects it.
        self.folder.chmod(0o777)
        self.kept.chmod(0o666)
        self.before = self._folder_state()
        self.processes = 0
        """Number of sandboxed processes before the attack under way."""
        self.listeners: dict[str, socket.socket] = {}
        self.places = {
            "HOST_PID": str(os.getpid()),
            "HOST_SECRET": SECRET_BEGINS,
            "HOST_FOLDER": str(self.folder),
            "HOST_DISK": str(folder.stat().st_dev),
            "HOST_SYSTEM_FILES": repr({path: known for path in _SYSTEM_FILES if (known := _known_by(path))}),
        }
        self._listen(folder)

    def _listen(self, folder: Path) -> None:
        tcp = self.listeners["TCP"] = socket.create_server(("127.0.0.1", 0))
        self.places["HOST_PORT"] = str(tcp.getsockname()[1])
        abstract = f"regreen-{secrets.token_hex(8)}"
        for word, kind, address in (
            ("HOST_SOCKET", socket.SOCK_STREAM, str(folder / "stream")),
            ("HOST_DATAGRAM", socket.SOCK_DGRAM, str(folder / "datagram")),
            ("HOST_ABSTRACT", socket.SOCK_STREAM, f"\0{abstract}"),
            ("HOST_ABSTRACT_DATAGRAM", socket.SOCK_DGRAM, f"\0{abstract}-d"),
        ):
            self.places[word] = address.lstrip("\0")
            if address.startswith("\0") and sys.platform != "linux":
                # Nobody else has abstract names.
                continue
            listener = self.listeners[word] = socket.socket(socket.AF_UNIX, kind)
            listener.bind(address)
            if kind == socket.SOCK_STREAM:
                listener.listen()
            if not address.startswith("\0"):
                Path(address).chmod(0o777)
        for listener in self.listeners.values():
            listener.setblocking(False)

    def arm(self, source: str) -> str:
        """The source with the detectors' addresses filled in."""
        for word in sorted(self.places, key=len, reverse=True):
            source = source.replace(word, self.places[word])
        return source

    def attempt(self, judge: Judge, read: ReadSuite, attack: Attack) -> AttackResult:
        """Judge one attack, read every detector, then judge a good program."""
        source, given = self.arm(attack.source), read(attack.honest, attack.checks)
        suite = replace(given, isolation=attack.isolation)
        # What judges these checks is started by the first program, and stays: it is not the attack's.
        judge.judge(attack.honest, suite, attack.limits)
        self.processes = _sandboxed()
        verdict = judge.judge(source, suite, attack.limits)
        complaints = [*self.complaints(attack, verdict), *self.look_afterwards(judge, suite, attack)]
        if given.isolation is not suite.isolation and judge.judge(source, given, attack.limits).passed:
            complaints.append("it passes where the checks have stand-ins for its objects")
        complaints += self.check_on(judge, read)
        return AttackResult(attack, verdict, tuple(complaints))

    def look_afterwards(self, judge: Judge, suite: Suite, attack: Attack) -> Iterator[str]:
        """What the attack has left to the next program, which looks for it."""
        if attack.afterwards:
            verdict = judge.judge(self.arm(attack.afterwards), suite, attack.limits)
            if verdict.refused:
                return
            if BREACH in repr(verdict) or any(r.outcome is not Outcome.FAILED for r in verdict.results.values()):
                yield f"the next program was not as free as any other: {verdict.results}"

    def complaints(self, attack: Attack, verdict: Verdict) -> Iterator[str]:
        """What did not hold, by the verdict and by every detector."""
        yield from _by_the_verdict(attack, verdict)
        yield from self._by_the_detectors(attack, verdict)

    def check_on(self, judge: Judge, read: ReadSuite) -> list[str]:
        """Judge a good program, which must pass."""
        verdict = judge.judge(HONEST, read(HONEST, _GOOD_CHECKS), ATTACK_LIMITS)
        return [] if verdict.passed else [f"a good program failed afterwards: {verdict}"]

    def _by_the_detectors(self, attack: Attack, verdict: Verdict) -> Iterator[str]:
        for name, listener in self.listeners.items():
            if _was_reached(listener):
                yield f"the listener {name} was reached"
        if self._folder_state() != self.before:
            yield f"the host's folder was changed: {self._folder_state()}"
        if self.secret in repr(verdict):
            yield "the host's secret is in the verdict"
        if self.processes < (now := _sandboxed()):
            yield f"{now} processes are left, {self.processes} were there before"

    def _folder_state(self) -> object:
        about = self.kept.stat() if self.kept.exists() else None
        text = self.kept.read_bytes() if about and about.st_mode & 0o400 else b""
        seen = (about.st_mode, about.st_mtime_ns, about.st_nlink, about.st_uid) if about else ()
        return sorted(entry.name for entry in self.folder.iterdir()), seen, text

    def close(self) -> None:
        """Hang up all listeners."""
        for listener in self.listeners.values():
            listener.close()


def _by_the_verdict(attack: Attack, verdict: Verdict) -> Iterator[str]:
    if verdict.passed:
        yield "the verdict is that it passed"
    for name, result in verdict.results.items():
        if not verdict.refused and result.outcome not in attack.acceptable:
            wanted = ", ".join(sorted(attack.acceptable))
            yield f"{name} is {result.outcome} ({result.detail or result.actual}) instead of {wanted}"
    if not verdict.results and not verdict.refused:
        yield "the verdict has no result"
    if verdict.seconds > attack.limits.total_seconds + _GRACE_SECONDS:
        yield f"it took {verdict.seconds:.0f} s"
    if BREACH in repr(verdict):
        said = [result.actual for result in verdict.results.values()]
        yield f"a door was open: {said} {verdict.stdout} {verdict.detail}"
    if verdict.isolation is not attack.isolation:
        yield f"it was judged in {verdict.isolation} mode"
    if any(result.outcome is Outcome.PASSED for result in verdict.results.values()):
        yield "a check passed"


def _known_by(path: str) -> list[object]:
    """The digest of a file's beginning, and when it was changed (of a kernel's own: never); empty for none."""
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.sha256(file.read(_SYSTEM_FILE_BYTES)).hexdigest()
        return [digest, 0 if path.startswith("/proc/") else Path(path).stat().st_mtime_ns]
    except OSError:
        return []


def _was_reached(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(1)
    except BlockingIOError:
        return False
    return True


def _sandboxed() -> int:
    """Number of processes that are sandboxes of this one, or their descendants.

    Whatever else this process has started may start more at any time, which is no attack's doing.
    """
    children: dict[int, list[int]] = {}
    proc = Path("/proc")
    for entry in proc.iterdir() if proc.is_dir() else ():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parent = int((entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, waiting = 0, [child for child in children.get(os.getpid(), []) if _is_server(child)]
    while waiting:
        found += 1
        waiting += children.get(waiting.pop(), [])
    return found


def _is_server(pid: int) -> bool:
    """Whether this is the outermost process of a sandbox; no hostile code runs in it, so its command line is true."""
    with contextlib.suppress(OSError):
        return os.fsencode(boot.GUEST_FOLDER) in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return False
