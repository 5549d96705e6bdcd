"""Attacks on the kernel's other doors."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import Attack, attack, tries
from regreen.types import Outcome

_NO_KERNEL = "System calls that a program under repair has no use for are refused."

_CALLS = """
CALLS = {
    "x86_64": {
        "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "bpf": 321,
        "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425, "keyctl": 250, "add_key": 248,
        "init_module": 175, "finit_module": 313, "kexec_load": 246, "reboot": 169, "swapon": 167, "personality": 135,
        "open_by_handle_at": 304, "name_to_handle_at": 303, "fanotify_init": 300, "inotify_init1": 294, "seccomp": 317,
        "shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240, "setuid": 105, "setgid": 106, "capset": 126,
        "iopl": 172, "settimeofday": 164, "sethostname": 170, "acct": 163, "quotactl": 179, "syslog": 103,
        "process_vm_writev": 311, "pidfd_getfd": 438, "memfd_create": 319, "memfd_secret": 447, "vmsplice": 278,
        "landlock_restrict_self": 446, "open_tree": 428, "fsopen": 430, "mount_setattr": 442, "clone3": 435,
        "x32 getpid": 0x40000000 | 39, "a call to come": 1000,
    },
    "aarch64": {
        "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "unshare": 97, "setns": 268, "bpf": 280,
        "perf_event_open": 241, "userfaultfd": 282, "io_uring_setup": 425, "keyctl": 219, "init_module": 105,
        "reboot": 142, "seccomp": 277, "shmget": 194, "setuid": 146, "memfd_create": 279, "clone3": 435,
    },
}
"""

KERNEL: tuple[Attack, ...] = (
    attack(
        "system calls that lead out",
        _NO_KERNEL,
        _CALLS
        + """
import ctypes, errno, platform

SHUT = (errno.EPERM, errno.ENOSYS, errno.EACCES)

def answer(x):
    libc = ctypes.CDLL(None, use_errno=True)
    opened = []
    for name, number in CALLS.get(platform.machine(), {}).items():
        ctypes.set_errno(0)
        if libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() not in SHUT:
            opened.append(name)
    return "BREACH: " + " ".join(opened) if opened else "wrong"
""",
        Outcome.FAILED,
    ),
    attack(
        "the 32-bit door",
        "System calls by the other architecture end the process.",
        """
        import ctypes, mmap, platform

        def answer(x):
            if platform.machine() != "x86_64":
                return "wrong"
            # mov eax, 20 (getpid of i386); int 0x80; ret
            code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            code.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")
            call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
            return "BREACH: answered" if call() > 0 else "wrong"
        """,
        Outcome.CRASHED,
        Outcome.FAILED,
    ),
    attack(
        "privileges asked back",
        "What was dropped stays dropped.",
        tries(
            "import ctypes, os",
            """
LIBC = ctypes.CDLL(None, use_errno=True)

def call(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")

DEEDS = (
    ("uid", lambda: os.setuid(0)),
    ("gid", lambda: os.setgid(0)),
    ("groups", lambda: os.setgroups([0])),
    ("dumpable", lambda: call(LIBC.prctl(4, 1, 0, 0, 0))),
    ("death signal", lambda: call(LIBC.prctl(1, 0, 0, 0, 0))),
    ("securebits", lambda: call(LIBC.prctl(28, 0, 0, 0, 0))),
    ("ambient", lambda: call(LIBC.prctl(47, 2, 21, 0, 0))),
    ("speculation", lambda: call(LIBC.prctl(53, 0, 2, 0, 0))),
    ("subreaper", lambda: call(LIBC.prctl(36, 1, 0, 0, 0))),
    ("nice", lambda: os.nice(-10)),
)
""",
        ),
        Outcome.FAILED,
    ),
)
