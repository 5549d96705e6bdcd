"""Uses of a program that need live objects, so that checks and program share a process: each a reason in words."""

from __future__ import annotations

import ast
import builtins
import collections
import datetime
import decimal
import fractions
from collections.abc import Callable, Iterator

from regreen.verify.bindings import dotted
from regreen.verify.handed import live_arguments
from regreen.verify.program import called_name, imported_modules
from regreen.verify.scene import Scene
from regreen.verify.syntax import walk

PLAIN_TYPES = (
    *(bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict, range, type(None)),
    *(decimal.Decimal, fractions.Fraction, datetime.datetime, datetime.date, datetime.time, datetime.timedelta),
    *(collections.deque, collections.Counter, collections.OrderedDict, collections.defaultdict),
)
PLAIN_ATTRIBUTES = frozenset(name for kind in PLAIN_TYPES for name in dir(kind))
MODULES = {
    "inspect": "read the program's source (inspect)",
    "dis": "read the program's bytecode (dis)",
    "ctypes": "reach into the interpreter (ctypes)",
    "gc": "look at the garbage collector (gc)",
    "weakref": "hold weak references",
    "importlib": "load modules by themselves (importlib)",
    "mock": "replace parts of the program (mock)",
    "threading": "use threads",
    "concurrent": "use threads or processes",
    "multiprocessing": "use processes",
    "subprocess": "use processes",
    "signal": "use signals",
    "warnings": "look at warnings",
    "logging": "look at the log",
    "tempfile": "share files with the program",
    "shutil": "share files with the program",
    "tracemalloc": "measure the program's memory",
    "resource": "measure the program's process",
}
ATTRIBUTES = {
    "environ": "use the environment of the process",
    "chdir": "change the working folder",
    "modules": "use `sys.modules`",
    "redirect_stdout": "capture what the program prints",
    "redirect_stderr": "capture what the program prints",
    "setrecursionlimit": "set the recursion limit",
    "settrace": "trace the program",
    "setprofile": "trace the program",
    "_getframe": "look at frames",
    "assertLogs": "look at the log",
    "assertNoLogs": "look at the log",
    "assertWarns": "look at warnings",
    "assertWarnsRegex": "look at warnings",
    "write_text": "share files with the program",
    "write_bytes": "share files with the program",
    "mkdir": "share files with the program",
}
NAMES = {
    "open": "use files",
    "eval": "run text as code",
    "exec": "run text as code",
    "globals": "look names up while they run",
    "vars": "look names up while they run",
    "locals": "look names up while they run",
    "__import__": "load modules by themselves",
    "redirect_stdout": "capture what the program prints",
    "redirect_stderr": "capture what the program prints",
    "monkeypatch": "replace parts of the program (monkeypatch)",
    "capsys": "capture what the program prints",
}
STREAMS = frozenset({"stdout", "stderr", "stdin", "argv"})


def hazards(scene: Scene) -> Iterator[str]:
    """Every reason, in words, why the checks must run in the program's process."""
    for finder in FINDERS:
        yield from finder(scene)


def _forbidden(scene: Scene) -> Iterator[str]:
    for node in scene.nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for module in _modules(node):
                if module in MODULES:
                    yield f"the checks {MODULES[module]}"
        elif isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES and not scene.program_name(node):
            yield f"the checks {ATTRIBUTES[node.attr]}"
        elif isinstance(node, ast.Attribute) and node.attr in STREAMS and not isinstance(node.ctx, ast.Load):
            yield f"the checks replace `sys.{node.attr}`"
        elif isinstance(node, ast.Name) and node.id in NAMES and not _is_own(scene, node):
            yield f"the checks {NAMES[node.id]} (`{node.id}`)"


def _is_own(scene: Scene, node: ast.Name) -> bool:
    return bool(scene.program_name(node)) or node.id in scene.bound.own | scene.bound.assigned


def _modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    found = set(imported_modules(node))
    names = {alias.name for alias in node.names}
    if found & {"unittest"} and (names & {"mock", "unittest.mock"} or getattr(node, "module", "") == "unittest.mock"):
        found.add("mock")
    if "os" in found and "environ" in names:
        found.add("subprocess")
    return found


def _shared_state(scene: Scene) -> Iterator[str]:
    for node in scene.nodes:
        if not isinstance(node, ast.Call):
            continue
        if called_name(node) == "seed" and "random" in scene.program.modules:
            yield "the checks seed the random numbers that the program draws"
        if called_name(node) in {"getcontext", "setcontext"} and "decimal" in scene.program.modules:
            yield "the checks set the decimal context in which the program works"


def _module_object(scene: Scene) -> Iterator[str]:
    for node in scene.nodes:
        if not isinstance(node, (ast.Name, ast.Attribute)) or dotted(node) not in scene.bound.modules:
            continue
        user = scene.parents.get(node)
        if not isinstance(user, ast.Attribute):
            yield f"the checks use the module `{dotted(node)}` itself"
        elif not isinstance(user.ctx, ast.Load):
            yield f"the checks change `{dotted(user)}`"


def _attributes(scene: Scene) -> Iterator[str]:
    aliases = {
        target.id
        for node in scene.nodes
        if isinstance(node, ast.Assign) and scene.holds_function(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in scene.nodes:
        if not isinstance(node, ast.Attribute) or node.attr == "__name__":
            continue
        if scene.holds_function(node.value) or (isinstance(node.value, ast.Name) and node.value.id in aliases):
            yield f"the checks look at `{ast.unparse(node)}`"


def _decorators(scene: Scene) -> Iterator[str]:
    for node in scene.nodes:
        for decorator in getattr(node, "decorator_list", []):
            if any(scene.holds_function(inner) for inner in walk(decorator)):
                yield f"the checks decorate `{getattr(node, 'name', '')}` with a function of the program"


def _identity(scene: Scene) -> Iterator[str]:
    for node in scene.nodes:
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            sides, how = [node.left, *node.comparators], "is"
        elif isinstance(node, ast.Call) and called_name(node) in {"assertIs", "assertIsNot"}:
            sides, how = node.args, called_name(node)
        else:
            continue
        if not any(_is_singleton(side) for side in sides):
            yield f"the checks compare identity (`{how}`)"


def _is_singleton(side: ast.expr) -> bool:
    if isinstance(side, ast.Call):
        return called_name(side) == "type"
    return isinstance(side, ast.Constant) or (isinstance(side, ast.Name) and hasattr(builtins, side.id))


def _results(scene: Scene) -> Iterator[str]:
    held = {
        target.id: called_name(node.value)
        for node in scene.nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and scene.calls_program(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in scene.nodes:
        for used in _used_as_object(node):
            if isinstance(used, ast.Call) and scene.calls_program(used):
                yield f"the checks use what `{called_name(used)}` returns as a live object"
            elif isinstance(used, ast.Name) and used.id in held and isinstance(used.ctx, ast.Load):
                yield f"the checks use what `{held[used.id]}` returns as a live object"


def _used_as_object(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Attribute) and node.attr not in PLAIN_ATTRIBUTES:
        yield node.value
    elif isinstance(node, ast.Call):
        yield node.func
        if isinstance(node.func, ast.Name) and node.func.id in {"next", "anext"}:
            yield from node.args
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from (item.context_expr for item in node.items)
    elif isinstance(node, ast.AsyncFor):
        yield node.iter


FINDERS: tuple[Callable[[Scene], Iterator[str]], ...] = (
    _forbidden,
    _shared_state,
    _module_object,
    _attributes,
    _decorators,
    _identity,
    _results,
    live_arguments,
)
