"""Attacks on other processes, and attempts to leave some behind."""

from __future__ import annotations

from dataclasses import replace

from regreen.sandbox.attacks.attack import ATTACK_LIMITS, Attack, LeakDetector, attack, tries
from regreen.types import Outcome

_NO_PROCESSES = "Other processes can be neither seen nor touched."

PROCESSES: tuple[Attack, ...] = (
    attack(
        "signals to its parent, to PID 1 and to everybody",
        _NO_PROCESSES,
        tries(
            "import ctypes, os, signal",
            """
SIGNALS = (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT)
TARGETS = (os.getppid(), 1, -1, HOST_PID, 2)
LIBC = ctypes.CDLL(None, use_errno=True)

def queue(pid, number):
    if LIBC.sigqueue(pid, int(number), 0):
        raise OSError

def by_handle(pid, number):
    signal.pidfd_send_signal(os.pidfd_open(pid), number)

DEEDS = [(f"{number.name} to {pid}", lambda p=pid, n=number: os.kill(p, n)) for pid in TARGETS for number in SIGNALS]
DEEDS += [(f"queue to {pid}", lambda p=pid: queue(p, signal.SIGKILL)) for pid in TARGETS if pid > 0]
DEEDS += [(f"handle of {pid}", lambda p=pid: by_handle(p, signal.SIGKILL)) for pid in TARGETS if pid > 0]
""",
        ),
        Outcome.FAILED,
    ),
    attack(
        "signals to its parent where processes are allowed",
        "The sandbox's own server is out of reach.",
        """
        import os, signal

        def answer(x):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
                for pid in (os.getppid(), 1, HOST_PID):
                    try:
                        os.kill(pid, number)
                    except OSError:
                        pass
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.CRASHED,
        Outcome.TIMED_OUT,
        limits=replace(ATTACK_LIMITS, processes=True),
    ),
    attack(
        "the host's processes listed",
        _NO_PROCESSES,
        """
        import os

        def answer(x):
            own = {str(pid) for pid in (1, os.getpid(), os.getppid())}
            try:
                others = {name for name in os.listdir("/proc") if name.isdigit()} - own
            except OSError:
                others = set()
            return f"BREACH: {sorted(others)[:20]}" if others else "wrong"
        """,
        Outcome.FAILED,
    ),
    attack(
        "processes listed",
        _NO_PROCESSES,
        tries("import os", 'DEEDS = (("list", lambda: os.listdir("/proc")),)'),
        Outcome.FAILED,
        needs_landlock=True,
    ),
    attack(
        "other processes traced and read",
        _NO_PROCESSES,
        tries(
            "import ctypes, os, resource",
            """
LIBC = ctypes.CDLL(None, use_errno=True)
PARENT = os.getppid()

def call(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")

def read_memory():
    buffer = ctypes.create_string_buffer(64)
    local = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 64)
    remote = (ctypes.c_void_p * 2)(id(LIBC), 64)
    call(LIBC.process_vm_readv(PARENT, local, 1, remote, 1, 0))

DEEDS = (
    ("attach", lambda: call(LIBC.ptrace(16, PARENT, None, None))),
    ("seize", lambda: call(LIBC.ptrace(0x4206, PARENT, None, None))),
    ("read memory", read_memory),
    ("limits", lambda: resource.prlimit(PARENT, resource.RLIMIT_CPU, (0, 0))),
    ("processors", lambda: os.sched_setaffinity(PARENT, {0})),
    ("priority", lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 19)),
)
""",
        ),
        Outcome.FAILED,
    ),
    attack(
        "a program started",
        "Starting programs is refused where the task does not need it.",
        tries(
            "import ctypes, os, subprocess, sys",
            """
def from_memory():
    fd = os.memfd_create("program")
    with open(sys.executable, "rb") as file:
        os.write(fd, file.read())
    os.execve(fd, ["program", "-c", "pass"], {})

DEEDS = (
    ("run", lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)),
    ("shell", lambda: os.popen("true").close() and 1 / 0),
    ("spawn", lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", "pass"], {})),
    ("memory file", from_memory),
    ("exec", lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"])),
)
DEEDS = [deed for deed in DEEDS if deed[0] != "shell"]
""",
        ),
        Outcome.FAILED,
        detector=LeakDetector.PROCESSES,
    ),
    attack(
        "a daemon that outlives its verdict",
        "Everything that came of a candidate ends with its verdict.",
        """
        import os, signal, time

        def answer(x):
            if os.fork() == 0:
                os.setsid()
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)
                if os.fork() == 0:
                    os.closerange(0, 256)
                    time.sleep(60)
                os._exit(0)
            return "wrong"
        """,
        Outcome.FAILED,
        detector=LeakDetector.PROCESSES,
        limits=replace(ATTACK_LIMITS, processes=True),
    ),
    attack(
        "signals sent by the kernel on its behalf",
        _NO_PROCESSES,
        tries(
            "import fcntl, os, socket",
            """
def own(pid):
    near, far = socket.socketpair()
    fcntl.fcntl(near, fcntl.F_SETOWN, pid)
    fcntl.fcntl(near, 10, 9)
    fcntl.fcntl(near, fcntl.F_SETFL, fcntl.fcntl(near, fcntl.F_GETFL) | os.O_ASYNC)
    far.send(b"x")

def lease():
    with open(os.__file__) as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)

DEEDS = (("parent", lambda: own(os.getppid())), ("group", lambda: own(-os.getpgrp())), ("lease", lease))
""",
        ),
        Outcome.FAILED,
    ),
)
