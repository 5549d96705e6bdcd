"""The top-level definitions of a program, read from its text."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from regreen.syntax import DEFINITIONS, FUNCTIONS, Function, callee_name, imported_name, parsed_or_none, walk_in_order
from regreen.verify.python_text import normalise_line_ends

_PLAIN_CALLS = frozenset(
    {"list", "dict", "set", "frozenset", "tuple", "str", "bytes", "int", "float", "complex", "bool", "range", "len"}
    | {"sum", "min", "max", "sorted", "abs", "round", "ord", "chr", "pow", "divmod", "repr", "hash", "any", "all"}
    | {"Decimal", "Fraction", "date", "time", "datetime", "timedelta", "deque", "Counter", "OrderedDict"}
    | {"defaultdict", "sqrt", "copy", "deepcopy", "join", "split", "format", "fromkeys", "loads"}
)
"""Calls, by the last part of their name, whose result is plain data."""

MUTATORS = frozenset(
    {"append", "appendleft", "add", "update", "clear", "pop", "popleft", "popitem", "remove", "discard", "insert"}
    | {"extend", "setdefault", "sort", "reverse", "subtract"}
)
ITERATORS = frozenset({"iter", "map", "filter", "zip", "reversed", "enumerate", "open"})
LIVE_RETURNS = frozenset(
    {"Iterator", "Generator", "Callable", "Awaitable", "Coroutine", "AsyncIterator", "AsyncGenerator", "IO", "TextIO"}
)
LOOP_STATE = frozenset(
    {
        "create_task",
        "ensure_future",
        "get_running_loop",
        "get_event_loop",
        "new_event_loop",
        "current_task",
        "all_tasks",
    }
    | {"Lock", "Event", "Semaphore", "BoundedSemaphore", "Condition", "Queue", "Barrier", "ContextVar", "Future"}
    | {"run_in_executor", "to_thread", "call_soon", "call_later"}
)
"""Names by which a program ties something to its event loop, or to what runs on it."""
TELLTALE_NAMES = frozenset(
    "__del__ __mro__ __bases__ __subclasses__ __code__ __globals__ __closure__ __annotations__ __defaults__ "
    "__kwdefaults__ __weakref__ _getframe get_type_hints signature getsizeof getrefcount".split()
)
"""Names by which a stand-in could be told from a live object."""
WORLD_STATE = {
    "warnings": frozenset(
        (
            "catch_warnings simplefilter filterwarnings showwarning resetwarnings formatwarning _showwarnmsg "
            "captureWarnings"
        ).split()
    ),
    "log": frozenset(
        (
            "setLevel basicConfig addHandler removeHandler handlers propagate disable disabled addFilter dictConfig "
            "fileConfig captureWarnings setLoggerClass setLogRecordFactory Handler StreamHandler FileHandler "
            "addLevelName lastResort"
        ).split()
    ),
    "files": frozenset("symlink link symlink_to hardlink_to chmod mkfifo umask mknod".split()),
    "environment": frozenset("environb putenv unsetenv".split()),
}
"""Names by which a program does to its own process what the process of its checks is not told, by what it is about."""
_STATE = LOOP_STATE.union(TELLTALE_NAMES, *WORLD_STATE.values()) | {
    "seed",
    "getstate",
    "setstate",
    "getcontext",
    "setcontext",
    "DefaultContext",
}
DEFINITION_LINE = re.compile(r"^(?:(async)[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)


@dataclass(slots=True)
class ProgramFacts:
    """The top-level names of a program, by what they are."""

    functions: dict[str, Function | None] = field(default_factory=dict)
    """Name -> its definition; None for a function known by name only, e.g. in a program that does not parse."""
    coroutines: set[str] = field(default_factory=set)
    classes: dict[str, ast.ClassDef | None] = field(default_factory=dict)
    constants: dict[str, ast.expr | None] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    """Name bound by an import -> a statement that binds it."""
    star_imports: list[str] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    """Module-level variables that the program's functions change while they run."""
    reads_input: set[str] = field(default_factory=set)
    """By what it reads its standard input: "input", "stdin"."""
    modules: set[str] = field(default_factory=set)
    """Top-level names of all modules imported anywhere."""
    state: set[str] = field(default_factory=set)
    """Names that it mentions of what holds state outside of it: random numbers, the decimal context, an event loop."""
    public: set[str] | None = None
    """The names of its `__all__`, if it has one that can be read."""

    def star_names(self) -> set[str]:
        """The names that `from program import *` binds."""
        return {name for name in self.names if not name.startswith("_")} if self.public is None else self.public

    @property
    def names(self) -> set[str]:
        return {*self.functions, *self.classes, *self.constants, *self.imports}

    def simple_exceptions(self) -> tuple[tuple[str, str], ...]:
        """(name, base) of each exception class whose bases end in a builtin exception, bases first."""
        chain: dict[str, str] = {}
        for name, node in self.classes.items():
            base = _only_base(node)
            if base in chain or is_builtin_exception(base):
                chain[name] = base
        return tuple(chain.items())

    def is_mirrored(self, name: str) -> bool:
        """Whether a class is an exception that adds nothing to its base."""
        names = dict(self.simple_exceptions())
        while name in names:
            node = self.classes[name]
            if node is None or not all(_says_nothing(statement) for statement in node.body):
                return False
            name = names[name]
        return is_builtin_exception(name)


def read_program_facts(source: str) -> ProgramFacts:
    """The facts of a program; one with a syntax error is read line by line, with regular expressions."""
    tree = parsed_or_none(text := normalise_line_ends(source))
    return _from_lines(text) if tree is None else _from_tree(tree)


def _from_lines(text: str) -> ProgramFacts:
    program = ProgramFacts()
    for is_async, kind, name in DEFINITION_LINE.findall(text):
        if kind == "class":
            program.classes[name] = None
        else:
            program.functions[name] = None
            program.coroutines.update([name] if is_async else [])
    for match in re.finditer(r"^(?:import|from)[ \t]+.+$", text, re.MULTILINE):
        if (tree := parsed_or_none(match.group())) is not None:
            _note(program, tree.body[0])
    return program


def _from_tree(tree: ast.Module) -> ProgramFacts:
    program = ProgramFacts()
    for statement in top_level(tree.body):
        _note(program, statement)
    for statement in tree.body:
        if not is_main_guard(statement):
            _note_behaviour(program, statement)
    return program


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements in the module's scope, also inside `if`, `try`, `with` and loops, but not in main guards."""
    for statement in body:
        if is_main_guard(statement):
            continue
        yield statement
        if not isinstance(statement, DEFINITIONS):
            for name in ("body", "orelse", "finalbody"):
                yield from top_level(getattr(statement, name, []))
            for handler in getattr(statement, "handlers", []):
                yield from top_level(handler.body)


def is_main_guard(statement: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__":`."""
    test = statement.test if isinstance(statement, ast.If) else None
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and any(
        isinstance(side, ast.Constant) and side.value == "__main__" for side in sides
    )


def _note(program: ProgramFacts, statement: ast.stmt) -> None:
    if isinstance(statement, FUNCTIONS):
        program.functions[statement.name] = statement
        if isinstance(statement, ast.AsyncFunctionDef):
            program.coroutines.add(statement.name)
    elif isinstance(statement, ast.ClassDef):
        program.classes[statement.name] = statement
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        _note_import(program, statement)
    else:
        _note_assignment(program, statement)


def _note_import(program: ProgramFacts, statement: ast.Import | ast.ImportFrom) -> None:
    for alias in statement.names:
        single = (
            ast.Import([alias])
            if isinstance(statement, ast.Import)
            else ast.ImportFrom(statement.module, [alias], statement.level)
        )
        text = ast.unparse(single)
        if alias.name == "*":
            program.star_imports.append(text)
        elif not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            program.imports[imported_name(alias)] = text


def _note_assignment(program: ProgramFacts, statement: ast.stmt) -> None:
    targets: list[ast.expr] = []
    value: ast.expr | None = None
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets, value = [statement.target], statement.value
    elif isinstance(statement, (ast.For, ast.AsyncFor)):
        targets = [statement.target]
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        targets = [item.optional_vars for item in statement.items if item.optional_vars is not None]
    for target in targets:
        for node in walk_in_order(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                is_whole = isinstance(target, ast.Name) and isinstance(statement, (ast.Assign, ast.AnnAssign))
                _note_variable(program, node.id, value if is_whole else None)


def _note_variable(program: ProgramFacts, name: str, value: ast.expr | None) -> None:
    if name == "__all__" and isinstance(value, (ast.List, ast.Tuple)):
        program.public = {n.value for n in value.elts if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    if isinstance(value, ast.Lambda):
        program.functions[name] = None
    elif isinstance(value, ast.Name) and value.id in program.functions:
        program.functions[name] = program.functions[value.id]
        program.coroutines.update({name} if value.id in program.coroutines else ())
    else:
        program.constants[name] = value


def _note_behaviour(program: ProgramFacts, statement: ast.stmt) -> None:
    inside = isinstance(statement, DEFINITIONS)
    for node in walk_in_order(statement):
        program.state.update(name for name in state_names(node) if name in _STATE)
        if isinstance(node, ast.Global):
            program.changed.update(node.names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            program.modules.update(imported_modules(node))
        elif how := _reads_input(node):
            program.reads_input.add(how)
        elif isinstance(node, ast.keyword) and node.arg == "stacklevel":
            program.state.add(node.arg)
        elif inside:
            program.changed.update(changed_names(node))


def state_names(node: ast.AST) -> Iterator[str]:
    """The names that a node mentions: of a variable, an attribute or an import."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.ImportFrom):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, FUNCTIONS):
        yield node.name


def names_bound_by(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The names that a statement binds in its own scope, each with the import that binds it, if one does."""
    for inner in top_level([statement]):
        if isinstance(inner, DEFINITIONS):
            yield inner.name, ""
        elif isinstance(inner, (ast.Import, ast.ImportFrom)):
            found = ProgramFacts()
            _note_import(found, inner)
            yield from found.imports.items()
        else:
            found = ProgramFacts()
            _note_assignment(found, inner)
            yield from ((name, "") for name in found.names)


def imported_modules(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The top-level names of the modules that an import statement names."""
    if isinstance(node, ast.ImportFrom):
        yield (node.module or "").partition(".")[0]
    else:
        yield from (alias.name.partition(".")[0] for alias in node.names)


def _reads_input(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return "input" if node.id == "input" and isinstance(node.ctx, ast.Load) else ""
    return "stdin" if isinstance(node, ast.Attribute) and node.attr == "stdin" else ""


def changed_names(node: ast.AST) -> Iterator[str]:
    """Names whose value this node changes in place: `x[0] = 1`, `x.append(1)`, `x.y = 1`."""
    changed: ast.expr | None = None
    if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        changed = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
        changed = node.func.value
    if isinstance(changed, ast.Name):
        yield changed.id


def is_plain_expression(value: ast.expr | None) -> bool:
    """Whether an expression looks like plain data, which can be copied to another process."""
    if value is None:
        return True
    for node in walk_in_order(value):
        if isinstance(node, (ast.Lambda, ast.GeneratorExp, ast.Await, ast.Yield, ast.YieldFrom)):
            return False
        if isinstance(node, ast.Call) and callee_name(node) not in _PLAIN_CALLS:
            return False
    return True


def _only_base(node: ast.ClassDef | None) -> str:
    if node is None or len(node.bases) != 1 or node.keywords:
        return ""
    base = node.bases[0]
    return base.id if isinstance(base, ast.Name) else ""


def is_builtin_exception(name: str) -> bool:
    """Whether a name is one of Python's own exceptions."""
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _says_nothing(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, ast.Pass) or isinstance(value, ast.Constant)
