"""What tests want of pytest that is only there in the program's own process.

pytest itself may run behind the wall, where the program is not: fixtures, parameters, `raises`, `approx` and what the
program prints are the same there. Whatever this does not know to be so needs the program's process.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.syntax import FUNCTIONS, Function, callee_name, parsed_or_none, walk_in_order
from regreen.verify.bindings import bindings_of, dotted
from regreen.verify.mock_uses import injected, mock_names
from regreen.verify.patched_names import owners_of, patched_names, world_patches
from regreen.verify.program_facts import imported_modules, read_program_facts, state_names

_FIXTURES = frozenset(
    (
        "capsys caplog monkeypatch recwarn tmp_path tmp_path_factory record_property record_testsuite_property request"
    ).split()
)
"""Fixtures of pytest's own that are of use behind the wall; what a test does with them is looked at, too."""
_MARKS = frozenset(
    {*"parametrize skip skipif xfail usefixtures".split(), *"slow fast unit integration smoke regression".split()}
)
_EVENT_LOOP = "the tests share an event loop with the program"
_MODULES = {
    "hypothesis": "the tests are property tests (hypothesis)",
    "_pytest": "the tests look into pytest itself",
    "pytest_asyncio": _EVENT_LOOP,
    "anyio": _EVENT_LOOP,
}
_WORLD_CHANGERS = frozenset(
    (
        "aioresponses flexmock freezegun httpretty mockito moto pyfakefs requests_mock respx responses time_machine vcr"
    ).split()
)
"""Modules that change the clock, the network or the files of the process that they are used in."""
_OF_PYTEST = {
    "main": "the tests run pytest themselves",
    "exit": "the tests end pytest themselves",
}
_TRACES = frozenset({"traceback", "getrepr", "tb"})
_OF_REQUEST = frozenset({"param", "addfinalizer"})
_PRINTING = frozenset({"logging", "warnings", "rich", "click", "typer", "colorama", "tqdm", "curses", "pprint"})
"""Modules that print, and may keep a stream for it."""
_STREAMS = frozenset({"stdout", "stderr", "__stdout__", "__stderr__", "buffer", "fileno", "isatty"})


def pytest_needs(tree: ast.Module, program: str, module: str | None) -> Iterator[str]:
    """Every reason why pytest has to run these tests in the program's process, in words.

    `program` is its text, `module` the name under which the tests may import it.
    """
    nodes = list(walk_in_order(tree))
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _of_import(node)
        elif isinstance(node, ast.Attribute):
            yield from _of_attribute(node)
        elif isinstance(node, ast.Name) and node.id == "pytest_plugins":
            yield "the tests bring plugins of pytest"
    yield from _of_fixtures(nodes)
    if any(isinstance(node, ast.arg) and node.arg == "capsys" for node in nodes) and _keeps_streams(program):
        yield "the tests capture what the program prints, and it prints in ways of its own"
    bound = bindings_of(tree.body, module)
    owners = owners_of(nodes, bound, read_program_facts(program), module, one_namespace=False)
    patches = set(patched_names(nodes, owners))
    patches |= set(world_patches(nodes))
    if any(isinstance(n, ast.Name) and n.id == "monkeypatch" and n not in patches for n in nodes):
        yield "the checks replace more than names of the program (monkeypatch)"


def _of_import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    for module in imported_modules(node):
        if module in _MODULES:
            yield _MODULES[module]
        elif module in _WORLD_CHANGERS:
            yield f"the tests change the world around the program ({module})"
    if isinstance(node, ast.ImportFrom) and node.module == "pytest":
        yield from (_OF_PYTEST[alias.name] for alias in node.names if alias.name in _OF_PYTEST)


def _of_attribute(node: ast.Attribute) -> Iterator[str]:
    owner = dotted(node.value)
    if owner == "pytest" and node.attr in _OF_PYTEST:
        yield _OF_PYTEST[node.attr]
    elif owner == "pytest.mark" and node.attr not in _MARKS:
        yield f"the tests are marked `{node.attr}`, which a plugin may understand"
    elif node.attr in _TRACES:
        yield "the checks look at tracebacks"
    elif owner == "request" and node.attr not in _OF_REQUEST:
        yield f"the tests look at `request.{node.attr}`"


def _of_fixtures(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The fixtures that are neither the tests' own nor known to be of use, and tests that only a plugin awaits."""
    fixtures = [node for node in nodes if isinstance(node, FUNCTIONS) and _is_fixture(node)]
    tests = [node for node in nodes if isinstance(node, FUNCTIONS) and node.name.startswith("test")]
    if any(isinstance(node, ast.AsyncFunctionDef) for node in (*fixtures, *tests)):
        yield _EVENT_LOOP
    known = {*_FIXTURES, "self", "cls", *(name for node in fixtures for name in _names_of_fixture(node))}
    owners: dict[ast.AST, ast.ClassDef] = {
        inner: node for node in nodes if isinstance(node, ast.ClassDef) for inner in node.body
    }
    mocks = mock_names(nodes)
    for user in (*fixtures, *tests):
        owner = owners.get(user)
        given = _parametrised(user) | (_parametrised(owner) if owner else set())
        patched = injected(user, mocks) + (injected(owner, mocks) if owner else 0)
        given |= {*[name for name in _parameters(user) if name not in ("self", "cls")][:patched]}
        if unknown := {*_parameters(user)} - known - given:
            yield f"the tests use the fixture `{min(unknown)}`"
    for node in nodes:
        if isinstance(node, ast.Call) and dotted(node.func) == "pytest.mark.usefixtures":
            named = {str(a.value) if isinstance(a, ast.Constant) else ast.unparse(a) for a in node.args}
            if unknown := named - known:
                yield f"the tests use the fixture `{min(unknown)}`"
        elif isinstance(node, ast.Name) and node.id == "pytestmark" and isinstance(node.ctx, ast.Load):
            yield "the tests look at their own marks"


def _is_fixture(node: Function) -> bool:
    return any(_decorator(decorator) == "fixture" for decorator in node.decorator_list)


def _decorator(decorator: ast.expr) -> str:
    return dotted(decorator.func if isinstance(decorator, ast.Call) else decorator).rpartition(".")[2]


def _names_of_fixture(node: Function) -> Iterator[str]:
    yield node.name
    for decorator in node.decorator_list:
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                yield str(keyword.value.value)


def _parameters(node: Function) -> list[str]:
    """The parameters that pytest has to give."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    required = arguments[: len(arguments) - len(node.args.defaults)]
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return [each.arg for each in (*required, *(argument for argument, default in pairs if default is None))]


def _marks(node: Function | ast.ClassDef, name: str) -> Iterator[ast.Call]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and callee_name(decorator) == name:
            yield decorator


def _parametrised(node: Function | ast.ClassDef) -> set[str]:
    """The parameters that are given by `parametrize`."""
    found: set[str] = set()
    for mark in _marks(node, "parametrize"):
        first = mark.args[0] if mark.args else next((k.value for k in mark.keywords if k.arg == "argnames"), None)
        texts = first.elts if isinstance(first, ast.List | ast.Tuple) else [first] if first is not None else []
        for text in texts:
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                found.update(name.strip() for name in text.value.split(","))
    return found


def _keeps_streams(program: str) -> bool:
    """Whether a program may hold a stream that it printed to before, or print by other means than `print`."""
    tree = parsed_or_none(program)
    if tree is None:
        return True
    nodes = list(walk_in_order(tree))
    if any(isinstance(node, ast.Import | ast.ImportFrom) and _PRINTING & {*imported_modules(node)} for node in nodes):
        return True
    bodies = [part for node in nodes if isinstance(node, FUNCTIONS) for part in node.body]
    spared = {id(stream) for part in bodies for node in ast.walk(part) if (stream := _stream_used_at_once(node))}
    return any(_is_stream(node) and id(node) not in spared for node in nodes)


def _stream_used_at_once(node: ast.AST) -> ast.expr | None:
    """The stream that a node prints to, in `print(x, file=sys.stderr)` and `sys.stderr.write(x)`."""
    if isinstance(node, ast.keyword) and node.arg == "file":
        return node.value if isinstance(node.value, ast.Attribute) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("write", "flush"):
        return node.func.value
    return None


def _is_stream(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.ImportFrom) and not _STREAMS.isdisjoint(state_names(node))
