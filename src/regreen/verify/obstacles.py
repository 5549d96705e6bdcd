"""Why checks are red whatever the program says: a table of rules over what the traces show of each.

Only what is certain keeps a check from being repaired. A check that ends alike on a hollow program, of which it uses
nothing, is beyond any change of the program. So is one that the sandbox refuses what it asks for, or that imports what
is not installed, unless that import may be the slip to repair. All else is told, and repaired like any other red check.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from errno import EPERM

from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.types import Obstacle, ObstacleKind, Outcome, Suite
from regreen.verify.check_causes import CheckCause
from regreen.verify.check_files import check_file
from regreen.verify.missing_inputs import only_the_user_has_it
from regreen.verify.missing_modules import may_be_misspelt, package_of
from regreen.verify.plugin_fixtures import PLUGIN_OF_FIXTURE
from regreen.verify.program_facts import is_plain_expression, read_program_facts
from regreen.verify.raised_errors import RaisedError
from regreen.verify.sandbox_messages import program_filename

_ASYNC = "async def functions are not natively supported"
_ASYNC_FIXTURE = "requested an async fixture"
_STARTS_PROCESS = frozenset({"_execute_child", "_posix_spawn", "_launch", "_fork_exec", "spawnv_passfds", "fork_exec"})
"""Functions of the standard library that start a process."""
_PURE_MODULES = frozenset(
    {"__future__", "abc", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions"}
    | {"functools", "heapq", "itertools", "json", "math", "numbers", "operator", "random", "re", "statistics", "string"}
    | {"textwrap", "time", "types", "typing", "typing_extensions", "unicodedata", "zoneinfo"}
)
"""Modules with which a program only computes."""
_OPENERS = re.compile(r"\b(?:open|exec|eval|__import__|__builtins__|globals)\b")
_REPLACES = ("mock", "monkeypatch", "patch")
"""Words of tests that replace parts of the program: what is refused then, may have been meant to be replaced."""
_PLAIN_DECORATORS = frozenset({"cache", "contextmanager", "dataclass", "final", "lru_cache", "total_ordering", "wraps"})
_PLAIN_BASES = frozenset({*dir(builtins), "ABC", "Enum", "IntEnum", "NamedTuple", "Protocol", "StrEnum", "TypedDict"})
"""Decorators and bases that do nothing beyond the definition."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the rules know beside the checks."""

    name: str
    """The program's name in messages, e.g. "prices.py"."""
    source: str
    suite: Suite
    companions: frozenset[str]
    """Paths of the modules beside the program."""
    python: str
    """The interpreter that runs the program."""
    allows_processes: bool = False

    @property
    def computes_only(self) -> bool:
        """Whether the program can neither write files nor set variables of the environment."""
        facts = read_program_facts(self.source)
        return facts.modules <= _PURE_MODULES and not self.companions and not _OPENERS.search(self.source)

    @property
    def replaces_parts(self) -> bool:
        """Whether the tests may replace parts of the program."""
        return any(word in self.suite.source for word in _REPLACES)


@dataclass(frozen=True, slots=True)
class _Finding:
    kind: ObstacleKind
    subject: str
    cause: str
    remedy: str
    certain: bool


ObstacleRule = Callable[[CheckCause, Surroundings], _Finding | None]


def find_obstacles(
    causes: Iterable[CheckCause], around: Surroundings, rules: Sequence[ObstacleRule] | None = None
) -> tuple[Obstacle, ...]:
    """One obstacle for each cause outside the program, with the checks that it keeps red; the certain ones first."""
    rules = RULES if rules is None else rules
    found: dict[_Finding, list[str]] = {}
    for cause in causes:
        finding = next(filter(None, (rule(cause, around) for rule in rules)), None)
        if finding is not None:
            found.setdefault(finding, []).append(cause.check)
    obstacles = [
        Obstacle(f.kind, tuple(checks), f.subject, f.cause, f.remedy, f.certain) for f, checks in found.items()
    ]
    return tuple(sorted(obstacles, key=lambda obstacle: not obstacle.certain))


def missing_fixture(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """No plugin and no conftest.py defines a fixture; pytest looks for it before any line of the test is run."""
    error = cause.find("FixtureLookupError")
    if error is None or not error.name:
        return None
    name = error.name
    said = f"pytest knows no fixture {name} here"
    if name == "cov":
        remedy = "The checks are run without pytest-cov: have the test do without its fixture."
    elif name in PLUGIN_OF_FIXTURE:
        remedy = f"Install its plugin: {around.python} -m pip install {PLUGIN_OF_FIXTURE[name]}"
    else:
        remedy = "Define it in the test file or in the conftest.py beside it, or install the plugin that brings it."
    return _Finding(ObstacleKind.FIXTURE, name, said, remedy, certain=True)


def async_test(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """pytest has no plugin that awaits the test, or what it asks for."""
    if not _is_not_awaited(cause):
        return None
    install = f"Install pytest-asyncio or anyio for it: {around.python} -m pip install pytest-asyncio"
    mark = "Mark it with @pytest.mark.asyncio or @pytest.mark.anyio, and have that plugin installed."
    is_marked = any(f"mark.{name}" in around.suite.source for name in ("asyncio", "anyio", "trio"))
    said = "pytest cannot await an `async def` test without a plugin"
    remedy = install if is_marked or _sets_asyncio_mode(around.suite) else mark
    return _Finding(ObstacleKind.ASYNC, "async def", said, remedy, certain=True)


def _is_not_awaited(cause: CheckCause) -> bool:
    detail = cause.result.detail
    if detail.startswith(_ASYNC) or (_ASYNC_FIXTURE in detail and cause.is_independent):
        return cause.result.outcome is not Outcome.PASSED
    # pytest stumbles over the async fixture of an earlier test.
    is_own = all(cause.place(error) is None for error in cause.errors)
    name = re.escape(cause.check.rpartition("::")[2].partition("[")[0])
    text = check_file(cause.suite, cause.check)[1]
    return bool(cause.errors) and cause.is_independent and is_own and bool(re.search(rf"async def {name}\b", text))


def _sets_asyncio_mode(suite: Suite) -> bool:
    """Whether pytest's configuration asks for every async test to be awaited."""
    return suite.project is not None and any(
        b"asyncio_mode" in text for path, text in suite.project.files.items() if not path.endswith(".py")
    )


def missing_module(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """A module is not installed; certain unless the program's own import of it may be the slip to repair."""
    error = cause.find("ModuleNotFoundError")
    if error is None or not error.name:
        return None
    said = f"there is no module {error.name} for {around.python}, nor beside the program"
    remedy = (
        f"Install it there ({around.python} -m pip install {package_of(error.name)}), name another interpreter "
        "with --python, or put the module's file beside the program."
    )
    certain = cause.is_independent or _is_lacking(error, around)
    return _Finding(ObstacleKind.MODULE, error.name, said, remedy, certain)


def _is_lacking(error: RaisedError, around: Surroundings) -> bool:
    """Whether an import statement, of the program or of another module, asks for what is not installed."""
    own = {part for path in around.companions for part in path.removesuffix(".py").split("/")}
    if may_be_misspelt(error.name, own | set((around.suite.module or "").split("."))):
        return False
    if not error.frames or any(frame.function == "import_module" for frame in error.frames):
        return False
    is_program = error.frames[-1].file == program_filename(around.suite)
    return not is_program or error.name in read_program_facts(around.source).modules


def refused_network(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """The sandbox opens no socket and looks up no name."""
    error = next((e for e in cause.errors if _asks_for_network(e)), None)
    if error is None:
        return None
    remedy = "Have the test put something of its own in the place of the network, or leave it out."
    return _refusal(cause, around, ObstacleKind.NETWORK, "the network", remedy)


def _asks_for_network(error: RaisedError) -> bool:
    innermost = error.frames[-1] if error.frames else None
    is_socket = innermost is not None and innermost.file.endswith("socket.py") and innermost.function == "__init__"
    return error.kind == "gaierror" or (error.kind == "PermissionError" and error.errno == EPERM and is_socket)


def refused_processes(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """The sandbox starts no process unless it is told to."""
    error = next((e for e in cause.errors if e.kind == "PermissionError" and e.errno == EPERM), None)
    if error is None or around.allows_processes or not _STARTS_PROCESS & {frame.function for frame in error.frames}:
        return None
    remedy = "Allow them with --allow-processes."
    return _refusal(cause, around, ObstacleKind.PROCESSES, "further processes", remedy)


def _refusal(cause: CheckCause, around: Surroundings, kind: ObstacleKind, what: str, remedy: str) -> _Finding:
    asked_in_program = cause.came_through_program and not around.replaces_parts
    certain = cause.is_independent or cause.is_unconditional or asked_in_program
    return _Finding(kind, what, f"the sandbox refuses {what}", remedy, certain)


def missing_variable(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """A variable of the environment: the sandbox has none of the user's."""
    error = cause.find("KeyError")
    innermost = error.frames[-1] if error and error.frames else None
    if error is None or innermost is None or innermost.function != "__getitem__" or not _is_os(innermost.file):
        return None
    is_withheld = around.suite.project is not None and error.key in around.suite.project.withheld
    said = f"the variable {error.key} is not {'shown to' if is_withheld else 'set in'} the sandbox"
    remedy = f"Have the test set it, with `monkeypatch.setenv({error.key!r}, ...)` or in os.environ."
    if around.suite.project is not None:
        remedy = f"Name it with --env {error.key} (or --env {error.key}=VALUE), or have the test set it."
    certain = is_withheld or _nothing_brings(error.key, cause, around)
    return _Finding(ObstacleKind.VARIABLE, error.key, said, remedy, certain)


def _is_os(file: str) -> bool:
    return file == "<frozen os>" or file.endswith(("/os.py", "\\os.py"))


def missing_file(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """A file that the sandbox does not have."""
    error = cause.find("FileNotFoundError")
    if error is None or not error.file:
        return None
    project = around.suite.project
    shown = "the program, its tests and the modules they import" if project is None else "a copy of the project"
    said = f"there is no file {error.file} in the sandbox, which shows {shown}"
    why = project.left_out.get(error.file) if project is not None else None
    if why:
        said = f"the file {error.file} is not shown to the sandbox ({why})"
    remedy = "Put it there, or have the test write it (to `tmp_path`, say)."
    return _Finding(
        ObstacleKind.FILE, error.file, said, remedy, bool(why) or _nothing_brings(error.file, cause, around)
    )


def _nothing_brings(name: str, cause: CheckCause, around: Surroundings) -> bool:
    """Whether the check asks the system for something that nothing it runs could have made."""
    is_of_tests_alone = cause.is_independent or (cause.is_unconditional and around.computes_only)
    return is_of_tests_alone or (cause.came_through_program and only_the_user_has_it(name, cause, around.source))


def other_file(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """Another module of the project raises, and no line of the program is in the traceback."""
    error = cause.errors[0] if cause.errors else None
    frame = cause.place(error) if error else None
    if error is None or frame is None or frame.file not in cause.companions or cause.came_through_program:
        return None
    if error.kind == "AssertionError":
        return None
    said = f"{_words(error)} is raised in {frame.file}, line {frame.line}, and not by {around.name}"
    remedy = f"If the bug is there, give {frame.file} as TARGET."
    return _Finding(ObstacleKind.OTHER_FILE, f"{frame.file}, line {frame.line}", said, remedy, cause.is_independent)


def broken_tests(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """The test file does not load, for a reason of its own."""
    error = cause.errors[0] if cause.errors else None
    if error is None or not cause.is_independent or not any(f.function == "<module>" for f in error.frames):
        return None
    frame = cause.place(error)
    if frame is None or frame.function != "<module>":
        return None
    said = f"{frame.file} does not load: {_words(error)} (line {frame.line})"
    return _Finding(ObstacleKind.TESTS, frame.file, said, "Correct that file first.", certain=True)


def printed_too_much(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """The test itself prints more than the sandbox keeps."""
    if cause.result.outcome is not Outcome.OUTPUT_FLOOD or not cause.is_independent:
        return None
    said = "it prints more than the sandbox takes, before anything of the program is run"
    return _Finding(ObstacleKind.UNREACHED, "output", said, "Allow more with --output-kb.", certain=True)


def unreached(cause: CheckCause, around: Surroundings) -> _Finding | None:
    """The check fails before it uses anything of the program."""
    if not cause.is_independent:
        return None
    error = cause.errors[0] if cause.errors else None
    frame = cause.place(error) if error else None
    where = f"it ends at {frame.file}, line {frame.line}," if frame else "it ends"
    said = f"{where} before anything of {around.name} is run"
    remedy = "Give the file that is at fault as TARGET, or correct the test."
    return _Finding(ObstacleKind.UNREACHED, around.name, said, remedy, not acts_when_imported(around.source))


RULES: tuple[ObstacleRule, ...] = (
    missing_fixture,
    async_test,
    missing_module,
    refused_network,
    refused_processes,
    missing_variable,
    missing_file,
    other_file,
    broken_tests,
    printed_too_much,
    unreached,
)
"""The first that matches tells the cause."""


def acts_when_imported(source: str) -> bool:
    """Whether importing the program may change something outside it: then a check may depend on it without a call."""
    tree = parsed_or_none(source)
    return tree is None or any(_acts(statement) for statement in tree.body)


def _acts(statement: ast.stmt) -> bool:
    if isinstance(statement, FUNCTIONS):
        return not {*map(_name, statement.decorator_list)} <= _PLAIN_DECORATORS
    if isinstance(statement, ast.ClassDef):
        names = [*map(_name, statement.bases)]
        decorators = [*map(_name, statement.decorator_list)]
        return bool(statement.keywords) or not {*names} <= _PLAIN_BASES or not {*decorators} <= _PLAIN_DECORATORS
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        is_plain = statement.value is None or is_plain_expression(statement.value)
        return not is_plain or not all(isinstance(target, ast.Name) for target in targets)
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    return not isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass))


def _name(expression: ast.expr) -> str:
    """The last part of the name of a base, or of a decorator with or without arguments."""
    target = expression.func if isinstance(expression, ast.Call) else expression
    return target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""


def _words(error: RaisedError) -> str:
    return f"{error.kind}: {error.message}" if error.message else error.kind
