"""Run by test_enclosure.py in a process of its own: encloses itself, tries things, prints what happened as JSON."""

# What hostile programs do, they do without pathlib.
# ruff: noqa: PTH101, PTH102, PTH123, PTH208, PTH211
from __future__ import annotations

import _thread
import asyncio
import contextlib
import ctypes
import errno
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

LIMITS = {"memory_bytes": 1 << 30, "output_bytes": 1 << 20, "cpu_seconds": 5, "open_files": 64, "processes": False}
OTHER_CALLS = {
    "x86_64": {"ptrace": 101, "mount": 165, "unshare": 272, "bpf": 321, "keyctl": 250, "io_uring_setup": 425},
    "aarch64": {"ptrace": 117, "mount": 40, "unshare": 97, "bpf": 280, "keyctl": 219, "io_uring_setup": 425},
}
SO_ATTACH_FILTER = 26
LIBC = ctypes.CDLL(None, use_errno=True)


def import_guest(folder: str) -> tuple[ModuleType, ModuleType]:
    """The enclosure, without importing the rest of the package."""
    for name, path in (("regreen", "/../.."), ("regreen.sandbox", "/.."), ("regreen.sandbox.guest", "")):
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = [folder + path]
    from regreen.sandbox.guest.enclosure import enclose, system_calls

    return enclose, system_calls


def attempt(action: Callable[[], object]) -> str:
    """ "ok", or the name of the error."""
    try:
        action()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "OSError")
    except (MemoryError, RuntimeError, ValueError) as error:
        return type(error).__name__
    return "ok"


def raw(name: str, *arguments: int) -> Callable[[], None]:
    """A system call straight to the kernel, by its number on this machine."""
    from regreen.sandbox.guest.enclosure.system_call_numbers import system_call_numbers

    return raw_number({**OTHER_CALLS[os.uname().machine], **system_call_numbers()}[name], *arguments)


def raw_number(number: int, *arguments: int) -> Callable[[], None]:
    """A system call by its number."""

    def action() -> None:
        if LIBC.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) < 0:
            raise OSError(ctypes.get_errno(), str(number))

    return action


def pair_to(kind: int) -> Callable[[], object]:
    """A pair of UNIX sockets of some kind."""
    return lambda: [end.close() for end in socket.socketpair(socket.AF_UNIX, kind)]


def small_pair() -> None:
    """A pair of sockets that holds as little as it can, as the one by which trio is woken."""
    near, far = socket.socketpair()
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        near.setsockopt(socket.SOL_SOCKET, option, 1)
    near.send(b"x")
    assert far.recv(1) == b"x"


def run_thread() -> None:
    """Start a thread and wait for it."""
    done = threading.Event()
    thread = threading.Thread(target=done.set)
    thread.start()
    thread.join()
    assert done.is_set()


def write_temporary() -> None:
    """What programs do with temporary files and folders."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "note").write_text("hello")


def ordinary_child(server: int) -> dict[str, str]:
    """What a program may and may not do."""
    host_file = sys.argv[2]
    tries: dict[str, Callable[[], object]] = {
        "thread": run_thread,
        "asyncio": lambda: asyncio.run(asyncio.sleep(0.001)),
        "temporary": write_temporary,
        "own signal": lambda: os.kill(os.getpid(), 0),
        "stream pair": pair_to(socket.SOCK_STREAM),
        "small pair": small_pair,
        "socket filter": lambda: socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, bytes(16)),
        "import": lambda: __import__("fractions"),
        "list root": lambda: os.listdir("/"),
        "passwd": lambda: Path("/etc/passwd").read_text(),
        "own memory": lambda: Path("/proc/self/mem").read_bytes(),
        "processes": lambda: os.listdir("/proc"),
        "host file": lambda: Path(host_file).read_text(),
        "host folder": lambda: (Path(host_file).parent / "new").write_text("x"),
        "host mode": lambda: os.chmod(host_file, 0o777),
        "library": lambda: (Path(os.__file__).parent / "evil.py").write_text("x"),
        "library mode": lambda: os.chmod(os.__file__, 0o777),
        "fork": os.fork,
        "raw fork": raw("clone", signal.SIGCHLD, 0, 0, 0, 0),
        "clone3": raw("clone3", 0, 0),
        "exec": lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),
        "kill server": lambda: os.kill(server, signal.SIGKILL),
        "stop server": lambda: os.kill(server, signal.SIGSTOP),
        "kill all": lambda: os.kill(-1, signal.SIGKILL),
        "datagram pair": pair_to(socket.SOCK_DGRAM),
        "raw pair": pair_to(socket.SOCK_RAW),
        "socket": lambda: socket.socket(socket.AF_INET),
        "unix socket": lambda: socket.socket(socket.AF_UNIX),
        "memory file": lambda: os.memfd_create("x"),
        "raise limit": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30)),
        "limit server": lambda: resource.prlimit(server, resource.RLIMIT_CPU, (0, 0)),
        "ptrace": raw("ptrace", 16, server, 0, 0),
        "mount": raw("mount", 0, 0, 0, 0, 0),
        "unshare": raw("unshare", 0x1000_0000),
        "bpf": raw("bpf", 0, 0, 0),
        "keyctl": raw("keyctl", 0, 0),
        "io_uring": raw("io_uring_setup", 1, 0),
        "seccomp": raw("seccomp", 0, 0, 0),
        "undump": raw("prctl", 4, 1),
        "x32": raw_number(0x4000_0000 | 39),
        "unheard of": raw_number(5000),
    }
    return {name: attempt(action) for name, action in tries.items()}


def starting_child(server: int) -> dict[str, str]:
    """What a program that may start processes can do with them."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", "print(42)"], capture_output=True, text=True, check=False)
    found = {"subprocess": done.stdout.strip()}
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL)
    found |= {f"{s.name} to server": attempt(lambda s=s: os.kill(server, s)) for s in signals}
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    found["SIGTERM to its group"] = attempt(lambda: os.kill(0, signal.SIGTERM))
    if not os.fork():
        os.setsid()
        if not os.fork():
            time.sleep(60)
        os._exit(0)
    return found


def flood(_server: int) -> dict[str, str]:
    """Write without end."""
    with open("flood", "wb") as file:
        while True:
            file.write(b"x" * 65536)


def hoard(_server: int) -> dict[str, str]:
    """Ask for more memory than allowed."""
    return {"hoard": attempt(lambda: bytearray(2 << 30))}


def spin(_server: int) -> dict[str, str]:
    """Burn the processor."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 2))
    while True:
        pass


def crowd(_server: int) -> dict[str, str]:
    """Start threads without end."""
    gate = threading.Lock()
    gate.acquire()
    threading.stack_size(1 << 16)
    # A thread that finds no memory left dies before it runs, and `threading.Thread.start` would wait for it forever.
    sys.unraisablehook = lambda _: None
    alive = 0
    with contextlib.suppress(RuntimeError, MemoryError):
        for _ in range(5000):
            _thread.start_new_thread(gate.acquire, ())
            alive = max(alive, _thread._count())
    return {"threads": "bounded" if alive < 4900 else "unbounded"}


def fill(_server: int) -> dict[str, str]:
    """Fill the scratch folder with files."""

    def write_much() -> None:
        for number in range(100):
            Path(f"big{number}").write_bytes(bytes(1 << 20))

    return {"fill": attempt(write_much)}


def dig(_server: int) -> dict[str, str]:
    """Leave folders deeper than any path can name, unreadable ones, and links out."""
    os.symlink("/usr", "out")
    os.mkdir("locked")
    Path("locked/file").write_text("x")
    with contextlib.suppress(OSError):
        os.chmod("locked", 0)
    for _ in range(400):
        os.mkdir("deeper-and-deeper")
        os.chdir("deeper-and-deeper")
    return {}


CHILDREN = (
    (ordinary_child, {}),
    (starting_child, {"processes": True}),
    (flood, {}),
    (hoard, {}),
    (spin, {}),
    (crowd, {}),
    (fill, {"output_bytes": 2 << 20}),
    (dig, {}),
)


def run_child(enclose: ModuleType, role: Callable[[int], dict[str, str]], limits: dict[str, Any]) -> dict[str, Any]:
    """Fork, enclose, act; tell what it said and how it ended; sweep before, so that the last one's traces are seen."""
    enclose.clear_folder(".")
    reader, writer = os.pipe()
    server = os.getpid()
    pid = os.fork()
    if not pid:
        try:
            enclose.enclose_child({**LIMITS, **limits})
            os.write(writer, json.dumps(role(server)).encode())
        except Exception:  # noqa: BLE001 - told to the test
            os.write(writer, json.dumps({"fault": traceback.format_exc()}).encode())
        finally:
            os._exit(0)
    os.close(writer)
    _, status = os.waitpid(pid, 0)
    enclose.system_calls.end_others()
    os.set_blocking(reader, False)
    with contextlib.suppress(BlockingIOError):
        said = os.read(reader, 1 << 16)
    os.close(reader)
    return {"said": json.loads(said or b"{}"), "ended": os.waitstatus_to_exitcode(status)}


def main() -> None:
    """Everything, told on stdout at the end."""
    plan = json.loads(sys.argv[1])
    enclose, _ = import_guest(plan["guest"])
    before = attempt(lambda: enclose.enclose_child(LIMITS))
    report = enclose.enclose_server(plan)
    told: dict[str, Any] = {"report": report, "too early": before, "name": os.uname().nodename}
    for role, limits in CHILDREN:
        if role.__name__ in plan["skip"]:
            continue
        told[role.__name__] = run_child(enclose, role, limits)
    told["left"] = attempt(lambda: os.waitpid(-1, 0))
    enclose.clear_folder(report["scratch"])
    told["scratch"] = os.listdir(report["scratch"])
    os.write(1, json.dumps(told).encode())


main()
