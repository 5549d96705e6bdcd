"""The names of a program that checks use, and whether the checks can run in another process."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from regreen.syntax import parse
from regreen.types import Isolation, Surface
from regreen.verify.bindings import dotted
from regreen.verify.handle_reasons import handle_reasons, live_reasons
from regreen.verify.live_results import live_functions
from regreen.verify.patched_names import imports_module
from regreen.verify.program_facts import ProgramFacts, changed_names, is_plain_expression, read_program_facts
from regreen.verify.program_uses import ProgramUses
from regreen.verify.python_text import normalise_line_ends
from regreen.verify.shared_world_needs import world_needs
from regreen.verify.sharing_reasons import sharing_reasons

_CLASS_MAKERS = frozenset({"namedtuple", "NamedTuple", "Enum", "IntEnum", "NewType", "TypedDict", "TypeVar", "type"})
_AWAITERS = frozenset({"run", "run_until_complete"})


def surface_of(program: str, tests: str, module: str | None) -> tuple[Surface, Isolation, str]:
    """The names of the program that a test text uses, the isolation it allows, and why more than calls is needed.

    `tests` must be valid Python; `module` is the name under which it may import the program.
    """
    return surface_of_statements(read_program_facts(program), parse(normalise_line_ends(tests)).body, module)


def surface_of_statements(
    program: ProgramFacts,
    body: Sequence[ast.stmt],
    module: str | None,
    entry_point: str | None = None,
    *,
    one_namespace: bool = True,
) -> tuple[Surface, Isolation, str]:
    """As `surface_of`, for tests and a program that have been read already.

    With `one_namespace`, the tests see the program's names without importing them.
    """
    reader = _SurfaceReader(program, body, module, one_namespace=one_namespace)
    reader.read()
    if entry_point and entry_point not in program.names and entry_point in reader.unknown:
        reader.functions.setdefault(entry_point)
        reader.used.setdefault(entry_point)
    surface = reader.surface()
    reason = next(iter((*reader.reasons, *reader.live_reasons)), "")
    return surface, Isolation.SHARED if reason and not surface.by_handles else Isolation.SEPARATE, reason


class _SurfaceReader:
    """The uses of the program, gathered in one walk over the tests."""

    def __init__(
        self, program: ProgramFacts, body: Sequence[ast.stmt], module: str | None, *, one_namespace: bool
    ) -> None:
        self.program = program
        self.uses = ProgramUses(program, body, module, one_namespace=one_namespace)
        self.world = world_needs(self.uses)
        self.live = live_functions(program)
        self.mirrored = {name for name, _ in program.simple_exceptions() if program.is_mirrored(name)}
        # Dictionaries as ordered sets: the same tests give the same surface.
        self.functions: dict[str, None] = {}
        self.coroutines: dict[str, None] = {}
        self.constants: dict[str, None] = {}
        self.imports: dict[str, None] = {}
        self.unknown: set[str] = set()
        self.reasons: list[str] = []
        """Why the checks must share a process with the program."""
        self.live_reasons: list[str] = []
        """Why the checks need live objects of the program, or hand some to it."""
        self.handle_reasons: list[str] = []
        """Why no stand-ins can serve these."""
        self.used: dict[str, None] = {}
        self.mirrors: dict[str, None] = {}
        self.changed = {name for node in self.uses.nodes for name in changed_names(node)}

    def surface(self) -> Surface:
        live = () if self.reasons or self.handle_reasons else tuple(self.used)
        if live and self.live_reasons:
            shares = tuple(self.world.parts)
            mirrors = tuple(self.mirrors)
            return Surface(imports=tuple(self.imports), live=live, by_handles=True, shares=shares, mirrors=mirrors)
        return Surface(
            live=live,
            functions=tuple(self.functions),
            coroutines=tuple(self.coroutines),
            constants=tuple(self.constants),
            exceptions=self.program.simple_exceptions(),
            imports=tuple(self.imports),
        )

    def read(self) -> None:
        self._read_patches()
        if self.program.reads_input - {"input" if "builtins.input" in self.mirrors else ""}:
            self.reasons.append("the program reads its standard input")
        for node in self.uses.nodes:
            if name := self.uses.program_name(node):
                self._use(name, node)
        for name in self.uses.bound.aliases.values():
            if name not in self.program.imports:
                self.used.setdefault(name)
            if name not in self.program.names:
                self._import_unknown(name)
            elif not self._is_known(name):
                # Imported and never read: a stand-in of any kind lets the import succeed, as it does in plain Python.
                self.functions.setdefault(name)
        self.reasons.extend(sharing_reasons(self.uses))
        self.reasons.extend(self.world.reasons)
        self.live_reasons.extend(self.world.said)
        self.live_reasons.extend(live_reasons(self.uses))
        self.handle_reasons.extend(handle_reasons(self.uses))

    def _read_patches(self) -> None:
        for name in self.uses.patches.values():
            module = name.rpartition(".")[0]
            if module:
                self.mirrors.setdefault(name)
                # Tests may name the module by way of the program.
                self.imports |= dict.fromkeys(s for s in self.program.imports.values() if imports_module(s, module))
            else:
                self.used.setdefault(name)
            self.live_reasons.append("the checks replace names of the program for a while (monkeypatch, mock)")

    def _is_known(self, name: str) -> bool:
        """Whether the judge's side has the name already."""
        known = (self.functions, self.coroutines, self.constants, dict(self.program.simple_exceptions()))
        return any(name in names for names in known) or self.program.imports.get(name) in self.imports

    def _use(self, name: str, node: ast.AST) -> None:
        parent = self.uses.parents.get(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        program = self.program
        if name not in program.imports:
            self.used.setdefault(name)
        if name in program.functions or (name in program.constants and called):
            self._use_function(name, node)
        elif name in program.classes:
            if name not in self.mirrored:
                self.live_reasons.append(f"the checks use the program's class `{name}`")
        elif name in program.imports:
            self.imports.setdefault(program.imports[name])
        elif name in program.constants:
            self._use_constant(name)
        else:
            self._use_unknown(name, called=called)

    def _use_function(self, name: str, node: ast.AST) -> None:
        if name in self.live:
            (self.reasons if name in self.program.coroutines else self.live_reasons).append(self.live[name])
        value = self.program.constants.get(name)
        if isinstance(value, ast.Call) and _called(value) in _CLASS_MAKERS:
            self.live_reasons.append(f"the checks use the program's class `{name}`")
        if name in self.program.coroutines:
            self.coroutines.setdefault(name)
            if not self._is_awaited(node):
                self.reasons.append(f"the coroutine of `{name}` is used otherwise than by `await` or `asyncio.run`")
        else:
            self.functions.setdefault(name)

    def _is_awaited(self, node: ast.AST) -> bool:
        call = self.uses.parents.get(node)
        if not (isinstance(call, ast.Call) and call.func is node):
            return False
        user = self.uses.parents.get(call)
        return isinstance(user, ast.Await) or (
            isinstance(user, ast.Call) and call in user.args and _called(user) in _AWAITERS
        )

    def _use_constant(self, name: str) -> None:
        self.constants.setdefault(name)
        if name in self.program.changed or name in self.changed:
            self.reasons.append(f"`{name}` changes while the program runs")
        elif not is_plain_expression(self.program.constants[name]):
            self.live_reasons.append(f"`{name}` is more than plain data")

    def _import_unknown(self, name: str) -> None:
        """Have the import of a name fail where the program lacks it, as it does in plain Python."""
        if self.program.star_imports:
            self._use_unknown(name, called=True)
        elif not self._is_known(name):
            self.constants.setdefault(name)

    def _use_unknown(self, name: str, *, called: bool) -> None:
        self.unknown.add(name)
        if self.program.star_imports:
            for statement in self.program.star_imports:
                self.imports.setdefault(statement)
        elif self.uses.bound.star:
            return
        elif name.isupper() and not called:
            self.constants.setdefault(name)
        elif name[:1].isupper():
            self.live_reasons.append(f"the checks use `{name}`, which looks like a class")
        elif called:
            self.functions.setdefault(name)


def _called(call: ast.Call) -> str:
    return dotted(call.func).rpartition(".")[2]
