"""What is to be repaired, and by which checks: tasks, suites, and how a suite is run."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Isolation(StrEnum):
    """Which process runs the checks."""

    SEPARATE = "separate"
    """Another one than the candidate's: only plain data crosses between the two."""
    SHARED = "shared"
    """The candidate's own, for checks that need its live objects."""


class SuiteKind(StrEnum):
    """How a suite is run."""

    SCRIPT = "script"
    """Its steps one after the other in one namespace: assert scripts, `check(candidate)`, doctests, I/O cases."""
    MODULE = "module"
    """A test module whose `def test_*` functions and unittest methods are called one by one."""
    PYTEST = "pytest"
    """A test module that needs pytest's own runner (fixtures, parametrize, raises, approx)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One expected behaviour of a program: one assert, I/O pair, doctest example or test function."""

    id: str
    code: str
    """The check's own text, quoted in messages and read by the search and the negative controls."""
    line: int = 0
    """First line of the check in the test text, from 1; 0 when unknown."""


JSON_VIEW = "_json_view"
"""What the code of `.jsonl` cases calls for a result as JSON would carry it; the runner of the checks defines it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One statement (or doctest example) of a SCRIPT suite."""

    code: str
    check: str | None = None
    """Id of the check that this step decides; None for preparation."""
    line: int = 1
    """Line of the step's first statement in the suite's text, from 1."""
    want: str | None = None
    """Expected output of a doctest example; None for plain statements."""
    flags: int = 0
    """Option flags of a doctest example, as in `doctest`."""
    scope: str = ""
    """The docstring that an example stands in: each has names of its own; empty for plain statements."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The names of the program that the checks use; the judge's process has stand-ins for them in separate mode."""

    functions: tuple[str, ...] = ()
    """Names of functions that are called in the candidate's process."""
    coroutines: tuple[str, ...] = ()
    """Names of `async def` functions, which the checks await."""
    constants: tuple[str, ...] = ()
    """Names of module-level variables whose plain value is copied from the candidate's process."""
    exceptions: tuple[tuple[str, str], ...] = ()
    """(name, name of the base) of exception classes of the program, which are defined on the judge's side as well."""
    imports: tuple[str, ...] = ()
    """Import statements of the program that the checks rely on, run on the judge's side as well."""
    live: tuple[str, ...] = ()
    """Names of the program that the checks use, where stand-ins for its live objects could serve them."""
    by_handles: bool = False
    """Whether stand-ins for live objects do serve them: then no name is of use but those of `live` and `imports`."""
    shares: tuple[str, ...] = ()
    """What the checks share with the program beside its objects: "warnings", "log", "files", "environment". Both
    processes keep it alike."""
    mirrors: tuple[str, ...] = ()
    """Functions of Python's library that the checks replace for a while ("time.sleep"): in both processes."""


@dataclass(frozen=True, repr=False)
class Project:
    """The part of the user's project that pytest is shown, a copy of its files, and how pytest is run in it."""

    root: str
    """Absolute path of the top folder on the user's machine; nothing is read from there any more."""
    files: Mapping[str, bytes]
    """Path below the root -> content, in order; the path of an empty folder ends in "/". The program is left out."""
    target: str
    """Path below the root of the program under repair: each candidate's text is put there; "" where none is chosen."""
    encoding: str = "utf-8"
    """Encoding of the program's file."""
    folder: str = "."
    """Path below the root of the working folder."""
    arguments: tuple[str, ...] = ()
    """Command line of pytest, its paths as seen from the working folder."""
    import_folders: tuple[str, ...] = ()
    """Folders below the root that imports are looked up in after all others."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that the tests may see."""
    short_ids: bool = False
    """Whether ids of checks leave out the file, since all are in one."""
    is_tolerant: bool = False
    """Whether the tests that can be collected are run where others cannot."""
    bytecode: Mapping[str, bytes] = field(default_factory=dict)
    """Path of a Python file -> its compiled form, as Python keeps it in `__pycache__` (PEP 3147): of the version that
    the user's tests run on, and up to date by the time and size that it holds. Saves time and changes nothing."""
    preload: tuple[str, ...] = ()
    """Installed modules to be imported once, before the processes of candidates are forked."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Path below the root -> why it is not shown, e.g. "larger than 1 MiB"; for the user alone."""
    withheld: frozenset[str] = frozenset()
    """Names of the variables that the user has and the tests may not see; for the user alone."""

    @functools.cached_property
    def archive(self) -> bytes:
        """All files in one piece, as `packed` makes it, and those of bytecode after those of text."""
        return packed({**self.files, **self.bytecode})

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of all that a run depends on, in hexadecimal."""
        where = (self.root, self.target, self.encoding, self.folder, self.arguments, self.import_folders)
        settings = repr((where, sorted(self.environment.items()), self.short_ids, self.is_tolerant, self.preload))
        return hashlib.sha256(settings.encode("utf-8", "surrogatepass") + packed(self.files)).hexdigest()

    def __repr__(self) -> str:
        return f"Project({self.digest})"


def packed(files: Mapping[str, bytes]) -> bytes:
    """Files in one piece: the length of an index (8 bytes, little-endian), the index, [[path, bytes], ...] as JSON, and
    the contents one after the other."""
    index = json.dumps([[path, len(content)] for path, content in files.items()]).encode("ascii")
    return b"".join([len(index).to_bytes(8, "little"), index, *files.values()])


@dataclass(frozen=True)
class Suite:
    """Checks that run together, in one order, against one program at a time."""

    kind: SuiteKind
    source: str
    """The test text as it was given; MODULE and PYTEST suites are run from it."""
    checks: tuple[Check, ...]
    """In the order in which they run; empty for a PYTEST suite that has not been collected in the sandbox yet."""
    steps: tuple[Step, ...] = ()
    """The statements of a SCRIPT suite; empty for other kinds."""
    module: str | None = None
    """Name under which the tests import the program; None when they use its names without an import."""
    origin: str = "<tests>"
    """Name of the test file, for messages."""
    isolation: Isolation = Isolation.SEPARATE
    reason: str = ""
    """Why the checks need more than calls and plain data, in words; empty where they do not."""
    surface: Surface = Surface()
    project: Project | None = None
    """The project that a PYTEST suite is run in; None where the suite's own text is all there is."""
    one_namespace: bool = True
    """Whether the checks see the program's names without an import, as if they had been written below it."""
    conftests: tuple[tuple[str, str], ...] = ()
    """(name, text) of each `conftest.py` around a PYTEST suite that is judged behind the wall, the outermost first."""

    def __len__(self) -> int:
        return len(self.checks)

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the whole content, in hexadecimal: the same for equal suites, in every process."""
        return hashlib.sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()

    @functools.cached_property
    def alone(self) -> Suite:
        """The same checks without their project: always the same object, so that its digest is made once."""
        return self if self.project is None else replace(self, project=None)


@dataclass(frozen=True, slots=True)
class Task:
    """One repair problem, as far as a strategy may see it."""

    id: str
    """E.g. "humanevalfix/Python/0", "bundled/median" or a file name."""
    source: str
    """Text of the whole buggy module, with "\\n" line ends."""
    entry_point: str | None
    """Name of the function to repair; None when the fault may be anywhere in the module."""
    suite: Suite
    """The visible checks."""
    statement: str = ""
    """The specification in words; empty when there is none."""
    module: str = "program"
    """Name under which the program is imported."""
    companions: Mapping[str, str] = field(default_factory=dict)
    """Other modules that the program imports: relative path -> text."""
    known_wrong: bool = False
    """Whether the program is wrong even where no visible check shows it, as a benchmark's is."""


@dataclass(frozen=True, slots=True)
class Case:
    """A task with its answers. Only `tasks` builds cases and only `evaluate` reads their answers."""

    task: Task
    hidden: Suite
    """The checks that decide whether a repair counts as fixed."""
    reference: str
    """A correct program; empty when none is known."""
    extra: Suite | None = None
    """Further checks, never shown, that decide whether a fixed program counts as robust."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the data set says of the case, e.g. {"bug_type": "operator misuse"}."""
