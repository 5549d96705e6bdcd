"""Attacks on the host's files, secrets and devices."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import Attack, LeakDetector, attack, tries
from regreen.types import Outcome

_NO_FILES = "Nothing of the host's can be written, moved or removed."
_NOT_ITSELF = "Nothing of its surroundings can be seen, but for Python's own files."
_NO_SECRETS = "Nothing of the host's can be read: no files, no environment, no memory."

_READING = """
import glob, os

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read(1 << 16)
    except OSError:
        return b""
"""

FILES: tuple[Attack, ...] = (
    attack(
        "the host's system files read",
        _NO_SECRETS,
        _READING
        + """
import hashlib

def known(path, host):
    try:
        changed = 0 if path.startswith("/proc/") else os.stat(path).st_mtime_ns
    except OSError:
        return False
    return [hashlib.sha256(read(path)).hexdigest(), changed] == host

def answer(x):
    seen = [path for path, host in HOST_SYSTEM_FILES.items() if known(path, host)]
    return "BREACH: " + " ".join(seen) if seen else "wrong"
""",
        Outcome.FAILED,
    ),
    attack(
        "system files read",
        _NOT_ITSELF,
        _READING
        + """
def answer(x):
    paths = ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/cmdline", "/proc/version"]
    seen = [path for path in paths if read(path)]
    return "BREACH: " + " ".join(seen) if seen else "wrong"
""",
        Outcome.FAILED,
        needs_landlock=True,
    ),
    attack(
        "the host's secrets read",
        _NO_SECRETS,
        _READING
        + """
def answer(x):
    paths = ["HOST_FOLDER/kept", "/proc/HOST_PID/environ", "/proc/HOST_PID/mem", "/proc/self/environ"]
    paths += ["/proc/1/environ"]
    paths += [f"/proc/{pid}/{what}" for pid in (os.getppid(), "thread-self") for what in ("environ", "mem", "maps")]
    found = [read(path) for path in paths] + [repr(dict(os.environ)).encode()]
    return b"".join(found)[:4000].decode("utf-8", "replace") + " wrong"
""",
        Outcome.FAILED,
        detector=LeakDetector.SECRET,
    ),
    attack(
        "a file read by way of a module that only computes",
        _NO_SECRETS,
        """
        import dataclasses

        def answer(x):
            system = dataclasses.sys.modules["os"]
            try:
                return "BREACH: " + system.read(system.open("HOST_FOLDER/kept", 0), 200).decode()
            except OSError:
                return "wrong"
        """,
        detector=LeakDetector.SECRET,
    ),
    attack(
        "the host's secrets looked for in its own memory",
        "The process was made clean: nothing of the host's memory is in it.",
        """
        import ctypes, gc

        def answer(x):
            pages = {id(thing) >> 12 for thing in gc.get_objects()}
            for text in (t for t in gc.get_objects() if type(t) is dict):
                pages.update(id(value) >> 12 for value in text.values())
            found = []
            for page in pages:
                memory = ctypes.string_at(page << 12, 4096)
                at = memory.find(b"HOST_SECRET")
                if at >= 0:
                    found.append(memory[at:at + 60])
            return repr(found[:20])
        """,
        detector=LeakDetector.SECRET,
    ),
    attack(
        "writes outside its folder",
        _NO_FILES,
        tries(
            "import os, shutil, sys",
            """
def write(path):
    with open(path, "w") as file:
        file.write("x")

DEEDS = (
    ("new file", lambda: write("HOST_FOLDER/new")),
    ("overwrite", lambda: write("HOST_FOLDER/kept")),
    ("truncate", lambda: os.truncate("HOST_FOLDER/kept", 0)),
    ("open to truncate", lambda: os.open("HOST_FOLDER/kept", os.O_RDONLY | os.O_TRUNC)),
    ("unlink", lambda: os.unlink("HOST_FOLDER/kept")),
    ("rename away", lambda: os.rename("HOST_FOLDER/kept", "HOST_FOLDER/moved")),
    ("hard link", lambda: os.link("HOST_FOLDER/kept", "mine")),
    ("folder", lambda: os.mkdir("HOST_FOLDER/folder")),
    ("mode", lambda: os.chmod("HOST_FOLDER/kept", 0)),
    ("times", lambda: os.utime("HOST_FOLDER/kept", (0, 0))),
    ("attribute", lambda: os.setxattr("HOST_FOLDER/kept", "user.x", b"x")),
    ("library", lambda: write(os.path.join(os.path.dirname(os.__file__), "evil.py"))),
    ("its interpreter", lambda: write(sys.executable)),
    ("library mode", lambda: os.chmod(os.__file__, 0o777)),
    ("root", lambda: write("/evil")),
    ("shared memory", lambda: write("/dev/evil")),
)
""",
        ),
        Outcome.FAILED,
        detector=LeakDetector.FOLDER,
    ),
    attack(
        "writes through links",
        _NO_FILES,
        tries(
            "import os, threading",
            """
def write(path):
    with open(path, "w") as file:
        file.write("x")

def through_link():
    os.symlink("HOST_FOLDER", "door")
    write("door/new")

def through_file_link():
    os.symlink("HOST_FOLDER/kept", "pin")
    write("pin")

def upwards():
    write("../" * 40 + "HOST_FOLDER/new")

def by_descriptor():
    for fd in range(256):
        try:
            os.close(os.open("../" * 40 + "HOST_FOLDER/new", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
        except OSError:
            continue
        return
    raise OSError

def race():
    os.mkdir("a")
    os.symlink("HOST_FOLDER", "b")
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            try:
                os.rename("a", "c"); os.rename("b", "a"); os.rename("a", "b"); os.rename("c", "a")
            except OSError:
                pass

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(300):
            try:
                write("a/new")
            except OSError:
                pass
    finally:
        stop.set()
        thread.join()
    raise OSError

DEEDS = (
    ("link", through_link),
    ("file link", through_file_link),
    ("upwards", upwards),
    ("descriptor", by_descriptor),
    ("race", race),
)
""",
        ),
        Outcome.FAILED,
        Outcome.TIMED_OUT,
        detector=LeakDetector.FOLDER,
    ),
    attack(
        "links left for whoever tidies up",
        "Tidying up follows no link.",
        """
        import os

        def answer(x):
            os.symlink("HOST_FOLDER", "door")
            os.symlink("HOST_FOLDER/kept", "pin")
            os.mkdir("locked")
            os.symlink("HOST_FOLDER", "locked/door")
            try:
                os.chmod("locked", 0o500)
            except OSError:
                pass
            return "wrong"
        """,
        Outcome.FAILED,
        detector=LeakDetector.FOLDER,
    ),
    attack(
        "the host's devices",
        "No device of the host's can be made or opened.",
        tries(
            "import os, stat",
            """
def make(kind, number, name):
    os.mknod(name, 0o666 | kind, number)

PATHS = ("/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/tty", "/dev/console", "/dev/vda", "/dev/sda", "/dev/nvme0n1",
         "/dev/kvm", "/proc/kcore")
DEEDS = [(path, lambda p=path: os.open(p, os.O_RDONLY)) for path in PATHS]
DEEDS += [(f"disk {number}", lambda n=number: make(stat.S_IFBLK, n, f"disk{n}"))
          for number in (HOST_DISK, os.makedev(8, 0))]
DEEDS += [("memory", lambda: make(stat.S_IFCHR, os.makedev(1, 1), "memory"))]
""",
        ),
        Outcome.FAILED,
    ),
    attack(
        "devices",
        "No device but null, zero and random.",
        tries(
            "import os",
            """
PATHS = ("/dev/ptmx", "/dev/fuse", "/dev/net/tun", "/sys/kernel", "/dev/shm/../pts")
DEEDS = [(path, lambda p=path: os.open(p, os.O_RDONLY)) for path in PATHS]
""",
        ),
        Outcome.FAILED,
        needs_landlock=True,
    ),
)
