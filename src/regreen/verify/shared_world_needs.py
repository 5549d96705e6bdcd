"""What checks look at beside the program's answers, and whether two processes can keep it alike.

Warnings, log records, files of the working folder, its own place and the variables of the environment are told from
one process to the other. What lies beyond that, or what would come about in another order, needs one process.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from regreen.verify.bindings import dotted
from regreen.verify.program_facts import WORLD_STATE, imported_modules, state_names
from regreen.verify.program_uses import ProgramUses

_WARNINGS, _LOG, _FILES, _ENVIRONMENT = "warnings", "log", "files", "environment"
_MODULES = {
    "warnings": (_WARNINGS, "look at warnings"),
    "logging": (_LOG, "look at the log"),
    **dict.fromkeys(("glob", "tempfile", "shutil"), (_FILES, "share files with the program")),
}
_PATH_USES = frozenset(
    (
        "absolute chmod cwd exists expanduser glob group home is_block_device is_dir is_file is_mount is_symlink "
        "iterdir lstat mkdir open owner read_bytes read_text readlink rename replace resolve rglob rmdir samefile stat "
        "symlink_to touch unlink walk write_bytes write_text"
    ).split()
)
"""What asks the file system about a path of `pathlib`; all else is about its text."""
_NAMES = {
    **dict.fromkeys(
        ("assertWarns", "assertWarnsRegex", "warns", "deprecated_call", "recwarn"), (_WARNINGS, "look at warnings")
    ),
    **dict.fromkeys(("assertLogs", "assertNoLogs", "caplog"), (_LOG, "look at the log")),
    **dict.fromkeys(
        ("write_text", "write_bytes", "mkdir", "tmp_path", "tmp_path_factory"), (_FILES, "share files with the program")
    ),
    "open": (_FILES, "use files (`open`)"),
    "chdir": (_ENVIRONMENT, "change the working folder"),
    "environ": (_ENVIRONMENT, "use the environment of the process"),
    **dict.fromkeys(("setenv", "delenv"), (_ENVIRONMENT, "use the environment of the process")),
}
"""Names and attributes in checks -> the part of the world that they are about, and what is said of it."""
_OS_FILES = frozenset(
    (
        "exists isfile isdir getsize getmtime listdir mkdir makedirs remove unlink rename replace rmdir removedirs "
        "walk scandir abspath realpath"
    ).split()
)
_OS_PLACE = frozenset("getenv environ getcwd chdir".split())
_FILE_MODULES = frozenset(
    (
        "program pytest unittest os pathlib glob tempfile shutil json csv re io textwrap string math datetime time "
        "collections itertools functools operator random typing dataclasses contextlib decimal fractions hashlib sys "
        "configparser tomllib statistics uuid base64 enum abc copy logging warnings __future__"
    ).split()
)
"""Modules that checks may import that read files of the program's: none of them runs what it reads."""
_LOADERS = frozenset(
    (
        "sys.path sys.modules sys.meta_path sys.path_hooks monkeypatch.syspath_prepend exec eval compile __import__ "
        "breakpoint"
    ).split()
)
"""Names by which a text in a file could come to be run."""
_TELLING = {
    _WARNINGS: frozenset({"filename", "lineno", "showwarning", "formatwarning"}),
    _LOG: frozenset(
        (
            "lineno pathname filename funcName created asctime relativeCreated thread threadName process stack_info "
            "exc_text module captureWarnings setLoggerClass setLogRecordFactory basicConfig dictConfig fileConfig"
        ).split()
    ),
    _FILES: frozenset(
        (
            "stat lstat st_mode st_ino st_ctime st_uid samefile symlink_to hardlink_to symlink link readlink "
            "is_symlink chmod chown owner group utime getctime getatime touch home expanduser expandvars copystat "
            "copymode fdopen mkfifo fileno TemporaryFile NamedTemporaryFile SpooledTemporaryFile mkstemp "
            "make_archive unpack_archive disk_usage which"
        ).split()
    ),
    _ENVIRONMENT: frozenset({"environb", "putenv", "unsetenv", "getenvb", "getcwdb"}),
}
"""Names by which checks could tell that another process was at work."""


@dataclass(slots=True)
class WorldNeeds:
    """The parts of the world that checks share with a program."""

    parts: dict[str, None] = field(default_factory=dict)
    """Those that two processes can keep alike (`Surface.shares`)."""
    said: list[str] = field(default_factory=list)
    """What the checks do with them, in words."""
    reasons: list[str] = field(default_factory=list)
    """Why one process is needed, in words."""


def world_needs(uses: ProgramUses) -> WorldNeeds:
    """What the checks share with the program beside its answers."""
    found = [(node, *use) for node in uses.nodes for use in _uses_of(uses, node)]
    parts = dict.fromkeys(part for _, part, _ in found)
    words = [f"the checks {said}" for _, _, said in found]
    if not parts:
        return WorldNeeds()
    if _cannot_be_told(uses, parts) or _comes_too_early(uses, [node for node, _, _ in found]):
        return WorldNeeds(reasons=words)
    return WorldNeeds(parts, words)


def _uses_of(uses: ProgramUses, node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = {*imported_modules(node)}
        yield from (_MODULES[module] for module in sorted(modules & _MODULES.keys()))
        if "pathlib" in modules and any(isinstance(n, ast.Attribute) and n.attr in _PATH_USES for n in uses.nodes):
            yield _FILES, "share files with the program"
        if isinstance(node, ast.ImportFrom) and node.module in ("os", "os.path"):
            yield from _of_os(alias.name for alias in node.names)
    elif isinstance(node, ast.Attribute) and not uses.program_name(node):
        owner = dotted(node.value).removesuffix(".path")
        if owner == "os":
            yield from _of_os([node.attr])
        elif node.attr in _NAMES:
            yield _NAMES[node.attr]
    elif isinstance(node, ast.arg) and node.arg in _NAMES:
        yield _NAMES[node.arg]
    elif isinstance(node, ast.Name) and node.id == "open" and not uses.program_name(node):
        yield from () if node.id in uses.bound.own | uses.bound.assigned else (_NAMES["open"],)


def _of_os(names: Iterator[str] | Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        if name in _OS_FILES:
            yield _FILES, f"use their process or its files (`os`: `{name}`)"
        elif name in _OS_PLACE:
            yield _ENVIRONMENT, f"use their process or its files (`os`: `{name}`)"


SERVED_OF_OS = _OS_FILES | _OS_PLACE
"""What of `os` and `os.path` says the same in two processes that are kept alike."""


def _cannot_be_told(uses: ProgramUses, parts: dict[str, None]) -> bool:
    named = {
        name
        for node in uses.nodes
        if isinstance(node, ast.Attribute | ast.ImportFrom) and not uses.program_name(node)
        for name in state_names(node)
    }
    state = uses.program.state
    if any(named & _TELLING[part] or state & WORLD_STATE[part] for part in parts):
        return True
    if _WARNINGS in parts and "stacklevel" in state and not named & {"simplefilter", "filterwarnings", "warns"}:
        # Whether a warning was shown before depends on the line of the checks that it is said to come from.
        return True
    if _FILES in parts:
        imported = {m for n in uses.nodes if isinstance(n, ast.Import | ast.ImportFrom) for m in imported_modules(n)}
        ours = {(uses.module or "").partition(".")[0]}
        return any(map(_may_load, uses.nodes)) or bool(imported - ours - _FILE_MODULES)
    return False


def _may_load(node: ast.AST) -> bool:
    """Whether a node could have the text of a file run."""
    if isinstance(node, ast.ImportFrom):
        return any(f"{node.module}.{alias.name}" in _LOADERS for alias in node.names)
    return isinstance(node, ast.Name | ast.Attribute) and dotted(node) in _LOADERS


def _comes_too_early(uses: ProgramUses, nodes: Sequence[ast.AST]) -> bool:
    """Whether the world may be changed before the program is imported: behind the wall it is loaded first."""
    if uses.one_namespace:
        return False
    imports = [node for node in uses.nodes if _imports_program(uses, node)]
    if any(node not in uses.body for node in imports):
        return True
    first = min((node.lineno for node in imports if isinstance(node, ast.stmt)), default=0)
    at_once = (node for node in nodes if not _is_deferred(uses, node))
    return any(
        getattr(node, "lineno", 0) < first for node in at_once if not isinstance(node, ast.Import | ast.ImportFrom)
    )


def _is_deferred(uses: ProgramUses, node: ast.AST) -> bool:
    """Whether a node stands in a function, which is called later."""
    above: ast.AST | None = node
    while above is not None:
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return True
        above = uses.parents.get(above)
    return False


def _imports_program(uses: ProgramUses, node: ast.AST) -> bool:
    module = uses.module or ""
    if isinstance(node, ast.Import):
        return any(alias.name == module for alias in node.names)
    return isinstance(node, ast.ImportFrom) and (
        node.module == module or any(f"{node.module}.{alias.name}" == module for alias in node.names)
    )
