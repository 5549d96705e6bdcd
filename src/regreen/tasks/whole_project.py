"""A whole project as it is repaired: its files as they are now, which of them may be changed, and how pytest is run."""

from __future__ import annotations

import fnmatch
import functools
import re
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from regreen.errors import TaskError
from regreen.tasks.bytecode import bytecode_of, source_of
from regreen.tasks.home import find_home
from regreen.tasks.imported_modules import imported_names, looks_like_tests, package_of_file
from regreen.tasks.program_file import ProgramFile, program_file_of, refuse_changed, write_if_unchanged
from regreen.tasks.project_files import ReadLimits, UserPlace, is_too_wide, read_all_files, top_folder
from regreen.tasks.pytest_configuration import find_pytest_configuration
from regreen.types import FileChange, Project

_LIMITS = ReadLimits(10_000, 40 << 20)
_NEVER_CHANGED = frozenset({"setup.py", "noxfile.py", "conf.py", "fabfile.py"})
"""Python files that configure, and are no part of the program."""
_TAKES_VALUE = frozenset(
    (
        "-k -m -p -c -o -W -n -r --rootdir --confcutdir --ignore --ignore-glob --deselect --maxfail --junitxml --tb "
        "--color --durations --basetemp --import-mode --cov --cov-report --log-level --log-cli-level --timeout --dist"
    ).split()
)
"""Options of pytest whose value may follow as an argument of its own."""
_CHOOSING = frozenset({"-k", "-m", "--deselect", "--maxfail"})
"""Options that choose tests, or end a run early, and whose value may follow."""
_ENDING = frozenset("-x --exitfirst --lf --last-failed --sw --stepwise --sw-skip --nf --new-first --ff".split())
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+(\w[\w.]*)[ \t]+import|import[ \t]+(\w[\w.]*))", re.MULTILINE)
_COMPUTING = frozenset(
    (
        "__future__ abc ast asyncio collections contextlib copy dataclasses datetime decimal enum fractions functools "
        "itertools json math operator pytest random re socket statistics string textwrap time types typing unittest"
    ).split()
)
"""Modules by which no test runs another file."""
_OPENERS = re.compile(r"\b(?:open|exec|eval|__import__|pytester|testdir)\b")
_NEVER_PRELOADED = frozenset(
    "antigravity this turtle idlelib pytest unittest conftest regreen __main__ readline rlcompleter".split()
)
_MOST_PRELOADED = 200
_ALWAYS_LAID_OUT, _FEW_TESTS = 300, 4
"""More compiled files than that are only laid out where at least every fourth file of tests is run: a few of these
import a few modules, and compiling them takes less time than writing all the files."""


@dataclass(frozen=True, eq=False)
class WholeProject:
    """A project as it was read; nothing is read from its folder any more."""

    project: Project
    """With every file, and no target."""
    test_files: tuple[str, ...]
    """Patterns of the names of test files."""
    _programs: dict[str, ProgramFile] = field(default_factory=dict)
    _imports: dict[str, frozenset[str]] = field(default_factory=dict)

    @functools.cached_property
    def programs(self) -> frozenset[str]:
        """Paths of the modules that may be changed: neither tests nor configuration."""
        return frozenset(path for path in self.project.files if path.endswith(".py") and self._may_change(path))

    def _may_change(self, path: str) -> bool:
        name = PurePosixPath(path).name
        is_test = looks_like_tests(path) or any(fnmatch.fnmatch(name, pattern) for pattern in self.test_files)
        return not is_test and name not in _NEVER_CHANGED

    @functools.cached_property
    def with_all_tests(self) -> WholeProject:
        """The project with all of its tests, whichever were chosen; itself where none were."""
        project = widened(self.project)
        return self if project.arguments == self.project.arguments else replace(self, project=project)

    def matching(self, patterns: Sequence[str]) -> frozenset[str]:
        """Paths of the files, below the top folder, that a pattern as of a shell names ("*" also matches "/")."""
        return frozenset(p for p in self.project.files if any(fnmatch.fnmatchcase(p, pattern) for pattern in patterns))

    def program(self, path: str) -> ProgramFile:
        """One module, decoded. Raises TaskError where it cannot be."""
        if path not in self._programs:
            self._programs[path] = program_file_of(Path(self.project.root, path), self.project.files[path])
        return self._programs[path]

    def can_change(self, path: str) -> bool:
        """Whether a module holds a program: an empty `__init__.py`, or one in no encoding, does not."""
        try:
            return bool(self.program(path).text)
        except TaskError:
            return False

    def module_name(self, path: str) -> str:
        """The name under which a module is imported."""
        return find_home(Path(self.project.root, path)).module

    def targeting(
        self, path: str, texts: Mapping[str, str], *, tests: Collection[str] | None = None, preloads: bool = True
    ) -> Project:
        """The project with one module under repair, and others as `texts` has them (path -> text).

        pytest collects the files of `tests` alone, where they are given.
        """
        changed = {other: self.program(other).render(text) for other, text in texts.items() if other != path}
        files = {name: content for name, content in {**self.project.files, **changed}.items() if name != path}
        unchanged = files.keys() - changed.keys()
        program = self.program(path) if path else None
        project = replace(
            self.project,
            files=files,
            bytecode={name: code for name, code in self.project.bytecode.items() if source_of(name) in unchanged},
            target=path,
            encoding="utf-8" if program is None else "utf-8-sig" if program.bom else program.encoding,
            preload=self.project.preload if preloads else (),
        )
        return project if tests is None else narrowed(project, tests)

    def imports_of(self, path: str) -> frozenset[str]:
        """Paths of the modules that a Python file imports and that may be changed."""
        if path not in self._imports:
            text = self.project.files.get(path, b"").decode(errors="replace")
            names = imported_names(text, package_of_file(path)) if path.endswith(".py") else ()
            found = (self._by_name[name] for name in names if name in self._by_name)
            self._imports[path] = frozenset(found) - {path}
        return self._imports[path]

    def may_reach(self, path: str) -> bool:
        """Whether a file of tests may use a module of the project: by an import, or by what it can open or start."""
        if self.imports_of(path):
            return True
        text = self.project.files.get(path, b"").decode(errors="replace")
        return not {name[0] for name in imported_names(text, ())} <= _COMPUTING or bool(_OPENERS.search(text))

    def path_of_module(self, name: str) -> str | None:
        """The path of the module by this dotted name; None where there is none that may be changed."""
        return self._by_name.get(tuple(name.split(".")))

    @functools.cached_property
    def _by_name(self) -> dict[tuple[str, ...], str]:
        """Every end of a module's dotted name, as a tuple -> its path; of several modules, the shortest path."""
        named: dict[tuple[str, ...], str] = {}
        for path in sorted(self.programs, key=len, reverse=True):
            parts = PurePosixPath(path.removesuffix(".py").removesuffix("/__init__")).parts
            named.update(dict.fromkeys((parts[start:] for start in range(len(parts))), path))
        return named

    def conftests_above(self, path: str) -> list[str]:
        """Paths of every `conftest.py` that a file of tests is under."""
        folders = PurePosixPath(path).parents
        return [name for folder in folders if (name := str(folder / "conftest.py")) in self.project.files]


def widened(project: Project) -> Project:
    """The project with nothing in its arguments that chooses some tests or ends a run early: all tests are run."""
    kept, is_dropped = list[str](), False
    for argument, is_place in _split(project):
        drops, is_dropped = is_dropped or is_place or _chooses(argument), argument in _CHOOSING
        kept += [] if drops else [argument]
    return replace(project, arguments=tuple(kept))


def _chooses(argument: str) -> bool:
    is_joined = argument.startswith(("-k", "-m")) and not argument.startswith("--")
    return is_joined or argument.partition("=")[0] in _CHOOSING | _ENDING


def write_changes(root: str, changes: Sequence[FileChange]) -> None:
    """Write changed files, each in one step, where none of them has changed since it was read.

    Raises TaskError, with nothing written, where one has changed or is gone; where one cannot be written, the others
    before it have been, and the error says so.
    """
    files = [program_file_of(Path(root, change.path), change.before_bytes) for change in changes]
    for file in files:
        refuse_changed(file)
    written: list[str] = []
    for file, change in zip(files, changes, strict=True):
        try:
            write_if_unchanged(file, change.after)
        except TaskError as error:
            if written:
                error.remedy = f"{error.remedy} Already written: {', '.join(written)}."
            raise
        written.append(change.path)


def narrowed(project: Project, tests: Collection[str]) -> Project:
    """The project with only these files of tests to be collected."""
    up = PurePosixPath(*([".."] * len(PurePosixPath(project.folder).parts)))
    kept = [argument for argument, is_place in _split(project) if not is_place]
    arguments = (*kept, *(str(up / path) for path in sorted(tests)))
    few = len(project.bytecode) > _ALWAYS_LAID_OUT and _FEW_TESTS * len(tests) < _count_tests(project)
    return replace(project, arguments=arguments, bytecode={} if few else project.bytecode)


def _count_tests(project: Project) -> int:
    return sum(looks_like_tests(path) for path in project.files)


def read_whole_project(folder: Path, arguments: Sequence[str], user_place: UserPlace) -> WholeProject:
    """The project that a folder is in, with its files as they are now.

    pytest runs in that folder, with these arguments. Raises TaskError where there is no project.
    """
    if not folder.is_dir():
        raise TaskError(f"{folder} is no folder.", remedy="Name the project's folder, or go there.")
    where, root = folder.resolve(), top_folder(folder)
    if is_too_wide(root):
        raise TaskError(
            f"{folder} is in no project: no folder around it holds a .git, pyproject.toml, setup.py or pytest.ini.",
            remedy="Go into the project's folder, or make one: an empty pytest.ini is enough.",
        )
    left_out: dict[str, str] = {}
    began = time.time()
    files = read_all_files(root, where, _LIMITS, left_out)
    if not any(path.endswith(".py") for path in files):
        raise TaskError(f"there is no Python file in {root}.", remedy="Name the project's folder, or go there.")
    project = Project(
        root=str(root),
        files=files,
        target="",
        folder=str(where.relative_to(root)),
        arguments=tuple(arguments),
        import_folders=(".", *(("src",) if any(path.startswith("src/") for path in files) else ())),
        environment=dict(user_place.environment),
        is_tolerant=True,
        preload=_installed_imports(files),
        left_out=dict(sorted(left_out.items())),
        withheld=user_place.variables - user_place.environment.keys(),
    )
    whole = WholeProject(project, find_pytest_configuration(where).test_files)
    return replace(whole, project=replace(project, bytecode=bytecode_of(root, files, whole.programs, began=began)))


def _split(project: Project) -> list[tuple[str, bool]]:
    """The arguments of pytest, and whether each names tests."""
    folder, found, is_value = PurePosixPath(project.folder), list[tuple[str, bool]](), False
    for argument in project.arguments:
        place = argument.partition("::")[0]
        names = not is_value and not argument.startswith("-") and _is_there(project, folder / place)
        found.append((argument, names))
        is_value = argument in _TAKES_VALUE
    return found


def _is_there(project: Project, path: PurePosixPath) -> bool:
    """Whether the project has a file or a folder there."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    name = "/".join(parts).removeprefix(project.root.strip("/")).strip("/")
    return not name or name in project.files or any(other.startswith(f"{name}/") for other in project.files)


def _installed_imports(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Modules that the project imports and does not hold, in the order of their names."""
    own = {part.removesuffix(".py") for path in files for part in PurePosixPath(path).parts if path.endswith(".py")}
    named = {
        (match[0] or match[1]).decode()
        for path, text in files.items()
        if path.endswith(".py")
        for match in _IMPORT.findall(text)
    }
    kept = sorted(name for name in named if name.split(".")[0] not in own | _NEVER_PRELOADED)
    return tuple(kept[:_MOST_PRELOADED])
