"""What checks touch of a program, and whether they can be kept in another process than the program's."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from regreen.syntax import parse
from regreen.types import Isolation, Surface
from regreen.verify.bindings import bindings_of, dotted, stored_names
from regreen.verify.hazards import hazards
from regreen.verify.live import live_functions
from regreen.verify.program import Program, changed_names, is_plain, read_program
from regreen.verify.scene import Scene
from regreen.verify.syntax import children, normalised, walk

IMPLICIT = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "_json_view"}
CLASS_MAKERS = frozenset({"namedtuple", "NamedTuple", "Enum", "IntEnum", "NewType", "TypedDict", "TypeVar", "type"})
AWAITERS = frozenset({"run", "run_until_complete"})


def surface_of(program: str, tests: str, module: str | None) -> tuple[Surface, Isolation, str]:
    """What the test text touches of the program, where it may run, and why it must share a process if it must.

    `tests` must be valid Python; `module` is the name under which it may import the program.
    """
    return surface_of_statements(read_program(program), parse(normalised(tests)).body, module)


def surface_of_statements(
    program: Program, body: Sequence[ast.stmt], module: str | None, entry_point: str | None = None
) -> tuple[Surface, Isolation, str]:
    """As `surface_of`, for tests and a program that have been read already."""
    reader = _Reader(program, body, module)
    reader.read()
    if entry_point and entry_point not in program.names and entry_point in reader.unknown:
        reader.functions.setdefault(entry_point)
    reason = reader.reasons[0] if reader.reasons else ""
    return reader.surface(), Isolation.SHARED if reason else Isolation.SEPARATE, reason


class _Reader:
    """Walks the tests once and notes every use of the program."""

    def __init__(self, program: Program, body: Sequence[ast.stmt], module: str | None) -> None:
        self.program = program
        self.bound = bindings_of(body, module)
        self.live = live_functions(program)
        self.mirrored = {name for name, _ in program.simple_exceptions() if program.is_mirrored(name)}
        # Dictionaries keep the order in which names are met, so that the same tests give the same surface.
        self.functions: dict[str, None] = {}
        self.coroutines: dict[str, None] = {}
        self.constants: dict[str, None] = {}
        self.imports: dict[str, None] = {}
        self.unknown: set[str] = set()
        self.reasons: list[str] = []
        self.nodes = list(walk(*body))
        self.parents = {child: node for node in self.nodes for child in children(node)}
        self.stored: dict[ast.AST, set[str]] = {}
        self.changed = {name for node in self.nodes for name in changed_names(node)}

    def surface(self) -> Surface:
        return Surface(
            functions=tuple(self.functions),
            coroutines=tuple(self.coroutines),
            constants=tuple(self.constants),
            exceptions=self.program.simple_exceptions(),
            imports=tuple(self.imports),
        )

    def read(self) -> None:
        if self.program.reads_input:
            self.reasons.append("the program reads its standard input")
        for node in self.nodes:
            if name := self.program_name(node):
                self._use(name, node)
        for name in self.bound.aliases.values():
            if name not in self.program.names:
                self._use_unknown(name, called=True)
        scene = Scene(self.program, self.nodes, self.parents, self.bound, self.program_name)
        self.reasons.extend(hazards(scene))

    def program_name(self, node: ast.AST) -> str:
        """The program's name that an expression stands for; empty when it stands for none."""
        if isinstance(node, ast.Name):
            is_read = isinstance(node.ctx, ast.Load) and not self._is_local(node)
            return self._resolve(node.id) if is_read else ""
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
            return node.attr if dotted(node.value) in self.bound.modules else ""
        return ""

    def _resolve(self, name: str) -> str:
        if name in self.bound.aliases:
            return self.bound.aliases[name]
        if name in self.bound.own or name in self.bound.modules:
            return ""
        if name in self.program.names:
            return name
        return "" if name in IMPLICIT or name in self.bound.assigned else name

    def _is_local(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Name) or node.id not in self.bound.assigned:
            return False
        above = self.parents.get(node)
        while above is not None:
            if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.id in self._stored(above):
                return True
            above = self.parents.get(above)
        return False

    def _stored(self, scope: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
        if scope not in self.stored:
            self.stored[scope] = stored_names(scope)
        return self.stored[scope]

    def _use(self, name: str, node: ast.AST) -> None:
        parent = self.parents.get(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        program = self.program
        if name in program.functions or (name in program.constants and called):
            self._use_function(name, node)
        elif name in program.classes:
            if name not in self.mirrored:
                self.reasons.append(f"the checks use the program's class `{name}`")
        elif name in program.imports:
            self.imports.setdefault(program.imports[name])
        elif name in program.constants:
            self._use_constant(name)
        else:
            self._use_unknown(name, called=called)

    def _use_function(self, name: str, node: ast.AST) -> None:
        if name in self.live:
            self.reasons.append(self.live[name])
        value = self.program.constants.get(name)
        if isinstance(value, ast.Call) and _called(value) in CLASS_MAKERS:
            self.reasons.append(f"the checks use the program's class `{name}`")
        if name in self.program.coroutines:
            self.coroutines.setdefault(name)
            if not self._is_awaited(node):
                self.reasons.append(f"the coroutine of `{name}` is used otherwise than by `await` or `asyncio.run`")
        else:
            self.functions.setdefault(name)

    def _is_awaited(self, node: ast.AST) -> bool:
        call = self.parents.get(node)
        if not (isinstance(call, ast.Call) and call.func is node):
            return False
        user = self.parents.get(call)
        return isinstance(user, ast.Await) or (
            isinstance(user, ast.Call) and call in user.args and _called(user) in AWAITERS
        )

    def _use_constant(self, name: str) -> None:
        self.constants.setdefault(name)
        if name in self.program.changed or name in self.changed:
            self.reasons.append(f"`{name}` changes while the program runs")
        elif not is_plain(self.program.constants[name]):
            self.reasons.append(f"`{name}` is more than plain data")

    def _use_unknown(self, name: str, *, called: bool) -> None:
        self.unknown.add(name)
        if self.program.star_imports:
            for statement in self.program.star_imports:
                self.imports.setdefault(statement)
        elif self.bound.star:
            return
        elif name.isupper() and not called:
            self.constants.setdefault(name)
        elif name[:1].isupper():
            self.reasons.append(f"the checks use `{name}`, which looks like a class")
        elif called:
            self.functions.setdefault(name)


def _called(call: ast.Call) -> str:
    return dotted(call.func).rpartition(".")[2]
