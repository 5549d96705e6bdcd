"""The file tree inside: a new root with what the program may read, a small scratch folder, and nothing else.

The system calls are those of mount_namespaces(7), tmpfs(5), open_tree(2), mount_setattr(2) and pivot_root(2).
"""

# pathlib, and all that it imports, would stay in the server and be copied for every child.
# ruff: noqa: PTH103, PTH110, PTH112, PTH120, PTH211

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from regreen.sandbox.guest.enclosure import system_calls
from regreen.sandbox.guest.enclosure.system_calls import EnclosureError

DEVICE_FILES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
SCRATCH_PLACES = ("/scratch", "/regreen-scratch", "/regreen-scratch-of-its-own")
"""Candidates for the path of the writable folder inside; the first that nothing readable needs is taken."""

_READ_ONLY = system_calls.MOUNT_ATTR_RDONLY | system_calls.MOUNT_ATTR_NOSUID
_STAGES = ("/tmp", "/usr", "/proc")
"""Folders that a tmpfs may be mounted over while the new root is built; the first that exists is taken."""
_SCRATCH_INODES = 16_384
_NEVER_READABLE = ("/", "/proc", "/sys", "/dev", "/run")
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")
"""Where programs usually write: each becomes a link to the scratch folder, unless something readable lies there."""


def enter_new_root(readable: Iterable[str], *, scratch_bytes: int, owner: int) -> str:
    """Swap the whole file tree of this mount namespace for one that holds `readable`, at the same paths, and a scratch.

    `readable`: as `outermost` gives them; `owner`: the user and group id inside that the scratch folder belongs to.
    Returns where the scratch folder lies. It is never laid over anything readable.
    """
    readable = tuple(readable)
    scratch = scratch_place(readable)
    system_calls.mount("none", "/", "", system_calls.MS_REC | system_calls.MS_PRIVATE)
    trees = _copies(readable, _READ_ONLY | system_calls.MOUNT_ATTR_NODEV)
    trees += _copies(DEVICE_FILES, _READ_ONLY | system_calls.MOUNT_ATTR_NOEXEC)
    stage = next((folder for folder in _STAGES if os.path.isdir(folder)), None)
    if stage is None:
        raise EnclosureError("mount namespace", 0, f"none of {', '.join(_STAGES)} is a folder")
    quiet = system_calls.MS_NOSUID | system_calls.MS_NODEV | system_calls.MS_NOEXEC
    system_calls.mount("tmpfs", stage, "tmpfs", quiet, "mode=0755,size=1m,nr_inodes=4096")
    os.chdir(stage)
    for path, tree in trees:
        _attach(path, tree)
    _make_folder(scratch)
    options = f"uid={owner},gid={owner},mode=0700,size={scratch_bytes},nr_inodes={_SCRATCH_INODES}"
    system_calls.mount("tmpfs", f".{scratch}", "tmpfs", quiet, options)
    for place in _TEMPORARY:
        _lead(place, scratch)
    system_calls.swap_root()
    _freeze_root()
    return scratch


def scratch_place(readable: Iterable[str]) -> str:
    """The first place for the scratch folder that neither is nor holds anything readable, nor lies in it."""
    taken = {path.split("/")[1] for path in readable}
    place = next((place for place in SCRATCH_PLACES if place.strip("/") not in taken), None)
    if place is None:
        raise EnclosureError("mount namespace", 0, f"no place is left for the scratch folder: {SCRATCH_PLACES}")
    return place


def outermost(paths: Iterable[str]) -> list[str]:
    """The paths that do not lie below another of them, in order; refuses those that would let the host in."""
    kept: list[str] = []
    for path in sorted(set(paths)):
        if not path.startswith("/") or os.path.normpath(path) != path or path in _NEVER_READABLE:
            raise EnclosureError("plan", 0, f"{path!r} cannot be made readable inside")
        if not any(path.startswith(f"{outer}/") for outer in kept):
            kept.append(path)
    return kept


def _copies(paths: Iterable[str], attributes: int) -> list[tuple[str, int]]:
    """A detached, restricted copy of the tree at each path that exists, made before anything is covered."""
    trees = []
    for path in paths:
        if os.path.exists(path):
            tree = system_calls.clone_tree(path)
            system_calls.restrict_mount(tree, attributes, recursive=True)
            trees.append((path, tree))
    return trees


def _attach(path: str, tree: int) -> None:
    if stat.S_ISDIR(os.fstat(tree).st_mode):
        _make_folder(path)
    else:
        _make_folder(os.path.dirname(path))
        os.close(os.open(f".{path}", os.O_WRONLY | os.O_CREAT, 0o644))
    system_calls.attach_tree(tree, f".{path}")
    os.close(tree)


def _lead(place: str, scratch: str) -> None:
    """Make `place` a link to the scratch folder, where the new root has nothing there yet."""
    if not os.path.exists(f".{place}"):
        _make_folder(os.path.dirname(place))
        os.symlink(scratch, f".{place}")


def _make_folder(path: str) -> None:
    os.makedirs(f".{path}", mode=0o755, exist_ok=True)


def _freeze_root() -> None:
    attributes = _READ_ONLY | system_calls.MOUNT_ATTR_NODEV | system_calls.MOUNT_ATTR_NOEXEC
    root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        system_calls.restrict_mount(root, attributes, recursive=False)
    finally:
        os.close(root)
