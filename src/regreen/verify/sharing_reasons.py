"""Reasons why checks must share a process with the program: uses of it that need live objects."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator

from regreen.syntax import callee_name, walk_in_order
from regreen.verify.bindings import dotted
from regreen.verify.mock_uses import mocks_are_served
from regreen.verify.program_facts import LOOP_STATE, imported_modules, names_bound_by, state_names
from regreen.verify.program_uses import ProgramUses
from regreen.verify.shared_world_needs import SERVED_OF_OS

_MODULES = {
    "inspect": "read the program's source (inspect)",
    "dis": "read the program's bytecode (dis)",
    "ctypes": "reach into the interpreter (ctypes)",
    "gc": "look at the garbage collector (gc)",
    "weakref": "hold weak references",
    "importlib": "load modules by themselves (importlib)",
    "test": "change their process by the helpers of Python's own tests (test.support)",
    "mock": "replace parts of the program (mock)",
    "threading": "use threads",
    "concurrent": "use threads or processes",
    "multiprocessing": "use processes",
    "subprocess": "use processes",
    "signal": "use signals",
    "contextvars": "look at context variables",
    "traceback": "look at tracebacks",
    "locale": "look at the locale of the process",
    "builtins": "reach into the built-in names",
    "sqlite3": "share files with the program",
    "zipfile": "share files with the program",
    "tarfile": "share files with the program",
    "shelve": "share files with the program",
    "dbm": "share files with the program",
    "fileinput": "share files with the program",
    "linecache": "share files with the program",
    "tracemalloc": "measure the program's memory",
    "resource": "measure the program's process",
}
_ATTRIBUTES = {
    "modules": "use `sys.modules`",
    "redirect_stdout": "capture what the program prints",
    "redirect_stderr": "capture what the program prints",
    "setrecursionlimit": "set the recursion limit",
    "settrace": "trace the program",
    "setprofile": "trace the program",
    "_getframe": "look at frames",
    "__traceback__": "look at tracebacks",
    "getsizeof": "measure objects",
    "getrefcount": "measure objects",
}
_NAMES = {
    "id": "compare identity",
    "getsizeof": "measure objects",
    "getrefcount": "measure objects",
    "eval": "run text as code",
    "exec": "run text as code",
    "globals": "look names up while they run",
    "vars": "look names up while they run",
    "locals": "look names up while they run",
    "__import__": "load modules by themselves",
    "redirect_stdout": "capture what the program prints",
    "redirect_stderr": "capture what the program prints",
}
_PLAIN_OS = frozenset(
    {
        "sep",
        "linesep",
        "pathsep",
        "name",
        "fspath",
        "path",
        "join",
        "basename",
        "dirname",
        "split",
        "splitext",
        "normpath",
    }
)
"""What of `os` and `os.path` says the same in every process."""
_RANDOM_STATE = frozenset({"seed", "getstate", "setstate"})
_DECIMAL_STATE = frozenset({"getcontext", "setcontext", "localcontext", "DefaultContext"})
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_CATCHING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress"})
_STREAMS = frozenset({"stdout", "stderr", "stdin", "argv"})


def sharing_reasons(uses: ProgramUses) -> Iterator[str]:
    """Every reason why the checks must run in the program's process, in words."""
    for finder in _FINDERS:
        yield from finder(uses)


def _forbidden(uses: ProgramUses) -> Iterator[str]:
    for node in uses.nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for module in _modules(node):
                if module in _MODULES and not _is_served(uses, node, module):
                    yield f"the checks {_MODULES[module]}"
        elif isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES and not uses.program_name(node):
            yield f"the checks {_ATTRIBUTES[node.attr]}"
        elif isinstance(node, ast.Attribute) and node.attr in _STREAMS and not isinstance(node.ctx, ast.Load):
            yield f"the checks replace `sys.{node.attr}`"
        elif isinstance(node, ast.Name) and node.id in _NAMES and not _is_own(uses, node):
            yield f"the checks {_NAMES[node.id]} (`{node.id}`)"


def _is_served(uses: ProgramUses, node: ast.Import | ast.ImportFrom, module: str) -> bool:
    """Whether all that the checks do with a module is known to be the same from another process."""
    if module == "builtins":
        named = [node for node in uses.nodes if isinstance(node, ast.Name) and node.id == module]
        return isinstance(node, ast.Import) and all(node in uses.patches for node in named)
    if module != "mock":
        return False
    is_librarys = "mock" not in imported_modules(node)
    return is_librarys and "unittest" not in uses.program.modules and mocks_are_served(uses.nodes, uses.patches)


def _is_own(uses: ProgramUses, node: ast.Name) -> bool:
    return bool(uses.program_name(node)) or node.id in uses.bound.own | uses.bound.assigned


def _modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    found = set(imported_modules(node))
    names = {alias.name for alias in node.names}
    if found & {"unittest"} and (names & {"mock", "unittest.mock"} or getattr(node, "module", "") == "unittest.mock"):
        found.add("mock")
    return found


def _shared_state(uses: ProgramUses) -> Iterator[str]:
    named = {name for node in uses.nodes for name in state_names(node)}
    seeded = (named | uses.program.state) & _RANDOM_STATE
    if seeded and {"random", "numpy"} & uses.program.modules and {"random", "numpy"} & _imported(uses):
        yield "the checks and the program share the state of random numbers"
    contexts = (named | uses.program.state) & _DECIMAL_STATE
    if contexts and "decimal" in uses.program.modules and "decimal" in _imported(uses):
        yield "the checks and the program share the decimal context"
    loops = uses.program.state & LOOP_STATE
    if loops and (uses.program.coroutines or "asyncio" in _imported(uses)):
        yield f"the program depends on one event loop (`{min(loops)}`)"
    ours = {name for name in _imported(uses) & uses.program.modules if name not in sys.stdlib_module_names}
    if ours:
        yield f"the checks and the program share the module `{min(ours)}`"


def _imported(uses: ProgramUses) -> set[str]:
    """The top-level names of the modules that the checks import, or get by names that the program imports."""
    imports = [node for node in uses.nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    through = {node.id for node in uses.nodes if isinstance(node, ast.Name)} & uses.program.imports.keys()
    return {name for node in imports for name in imported_modules(node)} | through


def _process(uses: ProgramUses) -> Iterator[str]:
    """Uses of `os` that depend on the process, or on its files."""
    modules = {name for node in uses.nodes if isinstance(node, ast.Import) for name in _os_names(node)}
    for node in uses.nodes:
        if isinstance(node, ast.ImportFrom) and node.module in ("os", "os.path"):
            found = {alias.name for alias in node.names} - _PLAIN_OS - SERVED_OF_OS
        elif isinstance(node, ast.Attribute) and dotted(node.value).removesuffix(".path") in modules:
            found = {node.attr} - _PLAIN_OS - SERVED_OF_OS
        else:
            continue
        if found:
            yield f"the checks use their process or its files (`os`: `{min(found)}`)"


def _os_names(node: ast.Import) -> Iterator[str]:
    for alias in node.names:
        if alias.name in ("os", "os.path"):
            yield alias.asname or "os"


def _rebound(uses: ProgramUses) -> Iterator[str]:
    """Names of the program that checks in its namespace define anew: its functions then see the new ones."""
    if not uses.one_namespace:
        return
    for statement in uses.body:
        for name, text in names_bound_by(statement):
            imported = uses.bound.aliases.get(name) == name or (text and uses.program.imports.get(name) == text)
            if name in uses.program.names and not imported:
                yield f"the checks define `{name}` anew"


def _module_object(uses: ProgramUses) -> Iterator[str]:
    for node in uses.nodes:
        if not isinstance(node, (ast.Name, ast.Attribute)) or dotted(node) not in uses.bound.modules:
            continue
        if node in uses.patches:
            continue
        user = uses.parents.get(node)
        if not isinstance(user, ast.Attribute):
            yield f"the checks use the module `{dotted(node)}` itself"
        elif not isinstance(user.ctx, ast.Load):
            yield f"the checks change `{dotted(user)}`"
        elif user.attr.startswith("__"):
            yield f"the checks look at `{dotted(user)}`"


def _changed_modules(uses: ProgramUses) -> Iterator[str]:
    """What checks set in modules that the program imports, too."""
    aliases = [alias for node in uses.nodes if isinstance(node, ast.Import) for alias in node.names]
    shared = {a.asname or a.name for a in aliases if a.name.partition(".")[0] in uses.program.modules}
    for node in uses.nodes:
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and dotted(node.value) in shared:
            yield f"the checks change `{dotted(node)}`"


def _awaited_failure(uses: ProgramUses) -> Iterator[str]:
    """Imports of the program that may fail for a reason of the program's own, and the checks go on."""
    for node in uses.nodes:
        if isinstance(node, ast.Try | ast.TryStar):
            is_guard = not all({*map(dotted, _caught(handler))} <= _IMPORT_ERRORS for handler in node.handlers)
        else:
            is_guard = isinstance(node, ast.With) and bool({*map(_manager, node.items)} & _CATCHING)
        if is_guard and any(_imports(inner, uses.module) for inner in walk_in_order(*node.body)):  # type: ignore[attr-defined]
            yield "the checks await that the program cannot be imported"


def _caught(handler: ast.ExceptHandler) -> list[ast.expr]:
    kinds = handler.type
    return kinds.elts if isinstance(kinds, ast.Tuple) else [kinds or ast.Name("BaseException")]


def _manager(item: ast.withitem) -> str:
    call = item.context_expr
    return callee_name(call) if isinstance(call, ast.Call) else ""


def _imports(node: ast.AST, module: str | None) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name == module for alias in node.names)
    return isinstance(node, ast.ImportFrom) and node.module == module and module is not None


def _identity(uses: ProgramUses) -> Iterator[str]:
    for node in uses.nodes:
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            if len(node.ops) == 1:
                continue
            sides, how = sides_of(node), "is"
        else:
            continue
        if not any(is_singleton(side) for side in sides):
            yield f"the checks compare identity (`{how}`)"


def sides_of(node: ast.Compare) -> list[ast.expr]:
    """The operands of a comparison."""
    return [node.left, *node.comparators]


def is_singleton(side: ast.expr) -> bool:
    """Whether an operand looks like one of the values of which there is one in every process."""
    if isinstance(side, ast.Call):
        return callee_name(side) == "type"
    return isinstance(side, ast.Constant) or (isinstance(side, ast.Name) and hasattr(builtins, side.id))


_FINDERS: tuple[Callable[[ProgramUses], Iterator[str]], ...] = (
    _forbidden,
    _shared_state,
    _process,
    _rebound,
    _module_object,
    _changed_modules,
    _awaited_failure,
    _identity,
)
