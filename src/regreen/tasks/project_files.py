"""Finds the project around a program and its tests, and reads the part of it that pytest is shown.

The part is bounded, holds no secrets, and no link is followed out of the project. It is read once: what is run is a
copy of it.
"""

from __future__ import annotations

import fnmatch
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from regreen.tasks.chosen_tests import ChosenTests
from regreen.tasks.home import find_home
from regreen.tasks.program_file import ProgramFile
from regreen.tasks.pytest_configuration import PytestConfiguration, find_pytest_configuration
from regreen.types import Project

_TOPS = (
    ".git",
    ".hg",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
)
"""One of these lies in the top folder of a project."""
_FILE_BYTES = 1 << 20
_MOST_ENTRIES = 50_000
"""Names in folders that are looked at."""
_NEVER_FOLDERS = frozenset("__pycache__ node_modules site-packages venv env build dist htmlcov __pypackages__".split())
_NEVER_FILES = ("*.py[cod]", "*.so", "*.whl", "*.egg", ".*")
_SECRETS = (
    "*.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ovpn *.gpg *.asc id_rsa* id_dsa* id_ecdsa* id_ed25519* "
    "credentials credentials.* client_secret* secrets.* secret.* *service-account*.json token.json env.* *.env"
).split()
_SHOWN_DOT_FILES = frozenset({".pytest.ini", ".pytest.toml"})
_CONFIGURATION = frozenset({"conftest.py", "pytest.ini", "pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg"})


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much of a project is shown."""

    files: int
    bytes: int

    def __str__(self) -> str:
        return f"{self.files:,} files or {self.bytes >> 20} MiB"


_READ_LIMITS = ReadLimits(2_000, 16 << 20)


@dataclass(frozen=True, slots=True)
class ProjectPlace:
    """Where a project is, and how its tests are set up."""

    root: Path
    common: Path
    """The folder that holds the program and all of its tests, in no package."""
    configuration: PytestConfiguration
    is_whole: bool
    """Whether all below the root belongs to the project; else only the folders of the program and of the tests do."""


@dataclass(frozen=True, slots=True)
class UserPlace:
    """Where the user is, and which variables tests that run in their project may see."""

    working_folder: Path = field(default_factory=Path.cwd)
    environment: Mapping[str, str] = field(default_factory=dict)
    variables: frozenset[str] = frozenset()
    """Names of all variables that the user has."""


def find_project_place(program: Path, tests: ChosenTests) -> ProjectPlace:
    """The project that a program and its tests are in: the nearest folder around both that looks like one's top."""
    common = Path(os.path.commonpath([_real(program).parent, *(_folder(place.path) for place in tests.places)]))
    while (common / "__init__.py").is_file():
        common = common.parent
    wide = _too_wide()
    narrow = [folder for folder in (common, *common.parents) if folder not in wide]
    root = next((folder for folder in narrow if any((folder / name).exists() for name in _TOPS)), common)
    configuration = find_pytest_configuration(common)
    if configuration.path and configuration.path.parent in narrow and root.is_relative_to(configuration.path.parent):
        root = configuration.path.parent
    return ProjectPlace(root, common, configuration, root not in wide)


def read_project(
    place: ProjectPlace,
    program: ProgramFile,
    tests: ChosenTests,
    user_place: UserPlace,
) -> Project:
    """The project with its files as they are now; what is left out is named with the reason.

    pytest runs in the user's working folder where that is in the project, else in its top folder.
    """
    root, target = place.root, _real(program.path)
    folder = _started_in(root, user_place)
    left_out: dict[str, str] = {}
    near = [target.parent, *(_folder(found.path) for found in tests.places)]
    found = [path for path in _walk(place, near, left_out) if path != target]
    files = _read(root, _by_rank(found, near, [_real(each.path) for each in tests.places]), left_out, _READ_LIMITS)
    arguments = [_argument(os.path.relpath(_real(each.path), folder), each.node) for each in tests.places]
    return Project(
        root=str(root),
        files=dict(sorted(files.items())),
        target=str(target.relative_to(root)),
        encoding="utf-8-sig" if program.bom else program.encoding,
        folder=str(folder.relative_to(root)),
        arguments=(*arguments, *(("-k", tests.keyword) if tests.keyword is not None else ())),
        import_folders=_import_folders(root, find_home(target).root),
        environment=dict(user_place.environment),
        short_ids=len({each.path for each in tests.places}) == 1 and not tests.places[0].path.is_dir(),
        left_out=dict(sorted(left_out.items())),
        withheld=user_place.variables - user_place.environment.keys(),
    )


def top_folder(folder: Path) -> Path:
    """The top of the project that a folder is in: the nearest one around it that looks like one's, else itself."""
    real, wide = Path(os.path.realpath(folder)), _too_wide()
    narrow = [above for above in (real, *real.parents) if above not in wide]
    return next((above for above in narrow if any((above / name).exists() for name in _TOPS)), real)


def is_too_wide(folder: Path) -> bool:
    """Whether a folder holds more than one project: nobody's whole home is read."""
    return folder in _too_wide()


def read_all_files(root: Path, near: Path, limits: ReadLimits, left_out: dict[str, str]) -> dict[str, bytes]:
    """All files of a project that may be shown, by their path below its top; the reasons for others in `left_out`.

    Where there are too many, those of Python, and those below the folder `near`, come first.
    """
    place = ProjectPlace(root, root, PytestConfiguration(), is_whole=True)
    return dict(
        sorted(_read(root, _by_rank(list(_walk(place, [near], left_out)), [near], []), left_out, limits).items())
    )


def shown_files(root: Path) -> Iterator[Path]:
    """The files of a project that may be shown, as they are found now."""
    return (path for path in _walk_folder(root, {}, root) if not path.is_dir())


def read_script_project(
    place: ProjectPlace, program: ProgramFile, tests: ChosenTests, user_place: UserPlace
) -> Project:
    """As `read_project`, for one script, which runs in its own folder where the user's is not in the project."""
    script = _folder(tests.places[0].path)
    where = _real(user_place.working_folder / "x").parent
    if not where.is_relative_to(place.root):
        user_place = replace(user_place, working_folder=script)
    return read_project(place, program, tests, user_place)


def _import_folders(root: Path, home: Path) -> tuple[str, ...]:
    return (str(home.relative_to(root)),) if home.is_relative_to(root) else ()


def chosen_files(place: ProjectPlace, tests: ChosenTests) -> list[Path]:
    """The files of tests that are chosen, as given and in the folders that are."""
    found: dict[Path, None] = {}
    for chosen in tests.places:
        inside = _walk_folder(chosen.path, {}, chosen.path) if chosen.path.is_dir() else [chosen.path]
        patterns = place.configuration.test_files if chosen.path.is_dir() else ("*",)
        matching = (path for path in inside if any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns))
        found.update(dict.fromkeys(matching))
    return list(found)


def relative_path(place: ProjectPlace, path: Path) -> str:
    """A file's path as seen from the project's top folder."""
    return str(_real(path).relative_to(place.root))


def conftests_of(place: ProjectPlace, tests: ChosenTests) -> list[Path]:
    """Every `conftest.py` from the tests up to the project's top."""
    folders = {above for chosen in tests.places for above in (_folder(chosen.path), *_folder(chosen.path).parents)}
    return [folder / "conftest.py" for folder in sorted(folders) if _holds_conftest(folder, place.root)]


def are_loaded(place: ProjectPlace, conftests: Sequence[Path], tests: ChosenTests, user_place: UserPlace) -> bool:
    """Whether pytest loads all of these: it looks no higher than its configuration, or than where it is started."""
    if place.configuration.path:
        return all(_real(path).is_relative_to(place.configuration.path.parent) for path in conftests)
    start = _started_in(place.root, user_place)
    top = Path(os.path.commonpath([start, *(_folder(chosen.path) for chosen in tests.places)]))
    return all(_real(path).is_relative_to(top) for path in conftests)


def _started_in(root: Path, user_place: UserPlace) -> Path:
    where = _real(user_place.working_folder / "x").parent
    return where if where.is_relative_to(root) else root


def _holds_conftest(folder: Path, root: Path) -> bool:
    return folder.is_relative_to(root) and (folder / "conftest.py").is_file()


def _argument(path: str, node: str) -> str:
    path = f"./{path}" if path.startswith("-") else path
    return f"{path}::{node}" if node else path


def _real(path: Path) -> Path:
    """The path with no link in its folders."""
    return Path(os.path.realpath(path.absolute().parent)) / path.name if path.name else Path(os.path.realpath(path))


def _folder(path: Path) -> Path:
    return Path(os.path.realpath(path)) if path.is_dir() else _real(path).parent


def _too_wide() -> frozenset[Path]:
    """Folders that hold more than one project: the user's own, those above it, and the one for temporary files."""
    home, scratch = Path(os.path.realpath(Path.home())), Path(os.path.realpath(tempfile.gettempdir()))
    return frozenset({home, *home.parents, scratch, *scratch.parents})


def _walk(place: ProjectPlace, near: Sequence[Path], left_out: dict[str, str]) -> Iterator[Path]:
    if place.is_whole:
        yield from _walk_folder(place.root, left_out, place.root)
        return
    for folder in dict.fromkeys(near):
        deeper = folder not in _too_wide()
        yield from _walk_folder(folder, left_out, place.root, deeper=deeper)


def _walk_folder(top: Path, left_out: dict[str, str], root: Path, *, deeper: bool = True) -> Iterator[Path]:
    """The files below a folder that may be shown, and its empty folders; links to folders are not followed."""
    seen = 0
    for name, folders, names in os.walk(top):
        folder = Path(name)
        folders[:] = sorted(inner for inner in folders if deeper and _may_enter(folder / inner))
        seen += len(names) + len(folders)
        if seen > _MOST_ENTRIES:
            left_out[f"{folder.relative_to(root)}/"] = f"beyond {_MOST_ENTRIES:,} files"
            return
        kept = [path for each in sorted(names) if _may_show(path := folder / each, root, left_out)]
        yield from kept
        if not names and not folders:
            yield folder


def _may_enter(folder: Path) -> bool:
    is_ours = not folder.name.startswith(".") and folder.name not in _NEVER_FOLDERS and not folder.is_symlink()
    return is_ours and not (folder / "pyvenv.cfg").exists() and not folder.name.endswith(".egg-info")


def _may_show(path: Path, root: Path, left_out: dict[str, str]) -> bool:
    name = path.name
    if name in _SHOWN_DOT_FILES:
        return True
    secret = name.startswith(".env") or _matches(name, _SECRETS)
    if not secret and _matches(name, _NEVER_FILES):
        return False
    reason = "may be a secret" if secret and not name.endswith((".py", ".pyi")) else _unfit(path, root)
    if reason:
        left_out[str(path.relative_to(root))] = reason
    return not reason


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatch(name.lower(), pattern) for pattern in patterns)


def _unfit(path: Path, root: Path) -> str:
    """Why a file cannot be shown; "" where it can."""
    if path.is_symlink():
        led = Path(os.path.realpath(path))
        if not led.is_relative_to(root):
            return "a link out of the project"
        if any(part.startswith(".") for part in led.relative_to(root).parts) or _matches(led.name, _SECRETS):
            return "a link to what is not shown"
    if not path.is_file():
        return "no regular file"
    return f"larger than {_FILE_BYTES >> 20} MiB" if path.stat().st_size > _FILE_BYTES else ""


def _by_rank(found: Sequence[Path], near: Sequence[Path], chosen: Sequence[Path]) -> list[Path]:
    """The files in the order in which they are needed."""

    def rank(path: Path) -> tuple[int, int]:
        is_near = any(path.is_relative_to(folder) for folder in near)
        is_python = path.suffix == ".py"
        if path in chosen or path.name in _CONFIGURATION:
            return 0, 0
        return 1 if is_near and is_python else 2 if is_python else 3 if is_near else 4, len(path.parts)

    return sorted(dict.fromkeys(found), key=rank)


def _read(root: Path, paths: Sequence[Path], left_out: dict[str, str], limits: ReadLimits) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    size = 0
    for path in paths:
        name = str(path.relative_to(root))
        if path.is_dir():
            files[f"{name}/"] = b""
            continue
        try:
            content = b"" if len(files) >= limits.files else path.read_bytes()
        except OSError as error:
            left_out[name] = error.strerror or "cannot be read"
            continue
        if len(files) >= limits.files or size + len(content) > limits.bytes:
            left_out[name] = f"beyond {limits}"
            continue
        size += len(content)
        files[name] = content
    return files
