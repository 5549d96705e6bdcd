"""Counts of the package's own structure: what a newcomer has to look up, and how far a call goes.

    python benchmarks/structure.py            everything
    python benchmarks/structure.py names      names that stand for two things or more
    python benchmarks/structure.py modules    small modules with one importer, circles of imports, imports that climb
    python benchmarks/structure.py calls      the longest chain of calls of one repair and of one record

`names` and `modules` read `src/regreen` as text; `calls` runs the package under `sys.setprofile`.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import io
import sys
import tempfile
import threading
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "regreen"
SMALL_LINES = 40
"""A module of fewer lines with one importer should join it, unless the seam is worth its name."""

MODULE, CLASS, FUNCTION, VALUE = "module", "class", "function", "constant or alias"

MAY_RECUR: Mapping[str, str] = {
    "__main__": "Python's own name for the module that `python -m` starts",
    "__all__": "Python's own name for what a module exports",
    "__getattr__": "Python's own name for what looks up what a module has not loaded",
    "main": "the entry of a program, one in each file that is started as one",
    "TEMPLATES": "the table of a template module; its folder joins them, and templates/__init__ the folders",
    "load": "the loader of a data set; the catalogue calls one of them",
    "AGENT": "what a strategy's module offers of its agent; strategies/__init__ looks for it there",
    "build_graph": "the graph of a strategy's module",
    "draft": "the node of that name, in each graph that has one",
    "repeat": "the node of that name, in each graph that has one",
    "choose": "the node of that name, in each graph that has one",
    "after_iterate": "the way from the node `iterate`, in each graph that has one",
}
"""Names that may stand for several things, and why."""
NAMED_FOR_THEIR_TABLE: Mapping[str, str] = {
    "cli/": "cli/judge.py is the command `judge`, and bears the name of what the command does",
    "strategies/": "strategies/search.py is the strategy `search`; STRATEGIES lists these names",
}
"""Folders in which a module bears the name that users type, whatever else has it, and why."""

MAY_CALL_UP: Mapping[str, str] = {
    "text_cache": "a cache calls the function that it wraps",
    "cli.sample_progress": "what shows progress is called by what makes it",
}
"""Modules that call, or are called by, a room above or below them by their very purpose, and why."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A name and where it is defined."""

    name: str
    kind: str
    path: str
    """Of the module, or of the folder (with "/" at its end), below `src/regreen`."""


@functools.cache
def parsed(file: Path) -> ast.Module:
    """A file's tree, parsed once."""
    return ast.parse(file.read_text(encoding="utf-8"))


def definitions(package: Path = PACKAGE) -> Iterator[Definition]:
    """Every module, every class at module level, and every public function, constant and alias at module level."""
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package).as_posix()
        if file.name != "__init__.py":
            yield Definition(file.stem, MODULE, path)
        elif file.parent != package:
            yield Definition(file.parent.name, MODULE, f"{file.parent.relative_to(package).as_posix()}/")
        for statement in parsed(file).body:
            for name, kind in _defined_by(statement):
                yield Definition(name, kind, path)


def _defined_by(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    if isinstance(statement, ast.ClassDef):
        yield statement.name, CLASS
    elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and _is_public(statement.name):
        yield statement.name, FUNCTION
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        yield from ((name, VALUE) for name in names if _is_public(name))


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name.startswith("__")


def recurring(found: Iterable[Definition]) -> dict[tuple[str, str], list[str]]:
    """Kind and name of what is defined in several places without a reason, with those places."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for definition in found:
        if definition.name not in MAY_RECUR and not _is_named_for_its_table(definition):
            places[definition.kind, definition.name].append(definition.path)
    return {key: paths for key, paths in places.items() if len(paths) > 1}


def _is_named_for_its_table(definition: Definition) -> bool:
    folders = tuple(NAMED_FOR_THEIR_TABLE)
    return definition.kind == MODULE and definition.path.startswith(folders) and not definition.path.endswith("/")


def imports(package: Path = PACKAGE) -> dict[str, set[str]]:
    """Dotted name of every module to those of the package that it imports anywhere, for types or late ones too."""
    files = {_dotted(file, package): file for file in package.rglob("*.py")}
    return {name: set(_imported(file, name, files)) - {name} for name, file in files.items()}


def _dotted(file: Path, package: Path) -> str:
    parts = file.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(file: Path, importer: str, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, importer, file)
            for alias in node.names:
                below = f"{base}.{alias.name}"
                if below in known or base in known:
                    yield below if below in known else base


def _base(node: ast.ImportFrom, importer: str, file: Path) -> str:
    """The module that a `from` names, relative ones made absolute."""
    if not node.level:
        return node.module or ""
    up = node.level - (file.name == "__init__.py")
    parents = importer.split(".")
    return ".".join([*parents[: len(parents) - up], *([node.module] if node.module else [])])


def small_modules(graph: Mapping[str, set[str]], package: Path = PACKAGE) -> list[str]:
    """Modules of fewer than SMALL_LINES lines that one other module imports; a package's face is none."""
    importers: dict[str, set[str]] = defaultdict(set)
    for name, targets in graph.items():
        for target in targets:
            importers[target].add(name)
    files = {_dotted(file, package): file for file in package.rglob("*.py") if file.name != "__init__.py"}
    return sorted(
        name
        for name, file in files.items()
        if len(importers[name]) == 1 and len(file.read_text(encoding="utf-8").splitlines()) < SMALL_LINES
    )


def single_importer_modules(graph: Mapping[str, set[str]]) -> int:
    """How many modules one other module imports."""
    return sum(sum(name in targets for targets in graph.values()) == 1 for name in graph)


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import one another in a ring (strongly connected components, Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in sorted(graph.get(name, ())):
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            at = stack.index(name)
            ring = stack[at:]
            del stack[at:]
            if len(ring) > 1:
                found.append(sorted(ring))

    for name in sorted(graph):
        if name not in index:
            visit(name)
    return found


def layers() -> dict[str, int]:
    """Each room of `regreen` to its height, 0 the lowest: the layers contract of pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {room.strip(): height for height, row in enumerate(reversed(rows)) for room in row.split("|")}


def climbing_imports(graph: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Imports of a room that stands above the importing one; the package's face stands above all."""
    heights = layers()
    top = max(heights.values()) + 1

    def height(name: str) -> int:
        parts = name.split(".")
        return heights[parts[1]] if len(parts) > 1 else top

    return sorted(
        (name, target) for name, targets in graph.items() for target in targets if height(target) > height(name)
    )


@dataclass
class CallTrace:
    """What `sys.setprofile` saw of the package's own functions while a block ran."""

    goal: str
    """The function that the work is done in, as "module:function"."""
    longest: list[str] = field(default_factory=list)
    """The functions of the deepest chain, the outermost first."""
    to_goal: list[str] = field(default_factory=list)
    """The functions of the first chain that ended in the goal."""
    climbs: dict[tuple[str, str], int] = field(default_factory=dict)
    """Calls of a function in a room that stands above the caller's, and how often."""
    functions: set[str] = field(default_factory=set)

    def __enter__(self) -> CallTrace:
        self._heights = layers()
        threading.setprofile(self._seen)
        sys.setprofile(self._seen)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _seen(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or (here := _function(frame)) is None:
            return
        chain = list(_chain(frame))
        self.functions.add(here)
        if len(chain) > len(self.longest):
            self.longest = chain[::-1]
        if here == self.goal and not self.to_goal:
            self.to_goal = chain[::-1]
        if len(chain) > 1 and self._height(here) > self._height(chain[1]) and not _may_call_up(chain[1], here):
            step = (chain[1], here)
            self.climbs[step] = self.climbs.get(step, 0) + 1

    def _height(self, function: str) -> int:
        room = function.partition(":")[0].partition(".")[0]
        return self._heights.get(room, max(self._heights.values()) + 1)


def _may_call_up(*functions: str) -> bool:
    return any(function.partition(":")[0] in MAY_CALL_UP for function in functions)


def _chain(frame: FrameType | None) -> Iterator[str]:
    """The package's functions that led here, the innermost first; a recursion counts once."""
    before = None
    while frame is not None:
        name = _function(frame)
        if name is not None and name != before:
            yield name
            before = name
        frame = frame.f_back


def _function(frame: FrameType) -> str | None:
    """A frame as "module:function"; None for what is not the package's, and for nameless functions and bodies."""
    path, name = frame.f_code.co_filename, frame.f_code.co_name
    if not path.startswith(f"{PACKAGE}/") or name.startswith("<"):
        return None
    module = path[len(f"{PACKAGE}/") :].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"{module}:{frame.f_code.co_qualname}"


def _one_repair() -> None:
    import regreen

    example = ROOT / "examples"
    repair = regreen.repair(
        (example / "invoice.py").read_text(encoding="utf-8"),
        (example / "test_invoice.py").read_text(encoding="utf-8"),
        module="invoice",
    )
    assert repair.fixed


def _one_record() -> None:
    from regreen.__main__ import main

    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["regreen", "eval", "bundled", "--limit", "1", "-o", f"{folder}/run", "--json"]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main()
        assert (Path(folder) / "run" / "results.jsonl").stat().st_size


TRACED: Mapping[str, tuple[Callable[[], None], str]] = {
    "a repair": (_one_repair, "verify.judge:SandboxJudge.judge"),
    "a record": (_one_record, "evaluate.result_log:ResultLog.add"),
}
"""What is traced, and the function in which each does its work: a verdict is given, a line is written."""


def _print_names(*, brief: bool) -> None:
    found = recurring(definitions())
    by_kind: dict[str, list[str]] = defaultdict(list)
    for (kind, name), paths in sorted(found.items()):
        by_kind[kind].append(f"  {name}: {' '.join(paths)}")
    counts = ", ".join(f"{len(by_kind[kind])} of a {kind}" for kind in (MODULE, CLASS, FUNCTION, VALUE))
    print(f"names with two meanings: {len(found)} ({counts})")
    for kind in () if brief else by_kind:
        print(f"{kind}:", *by_kind[kind], sep="\n")


def _print_modules() -> None:
    graph = imports()
    small, rings, climbs = small_modules(graph), circles(graph), climbing_imports(graph)
    print(f"modules: {len(graph)}; with one importer: {single_importer_modules(graph)}")
    print(f"with one importer and fewer than {SMALL_LINES} lines: {len(small)}", *small, sep="\n  ")
    print(f"circles of imports: {len(rings)}", *(" <-> ".join(ring) for ring in rings), sep="\n  ")
    print(f"imports that climb: {len(climbs)}", *(f"{a} -> {b}" for a, b in climbs), sep="\n  ")


def _print_calls() -> None:
    for what, (run, goal) in TRACED.items():
        with CallTrace(goal) as trace:
            run()
        print(f"{what}: {len(trace.functions)} functions")
        for title, chain in ((f"chain to {goal}", trace.to_goal), ("longest chain", trace.longest)):
            modules = {name.partition(":")[0] for name in chain}
            print(f"{what}: {title}: {len(chain)} in {len(modules)} modules", *chain, sep="\n  ")
        print(
            f"{what}: calls that climb: {len(trace.climbs)}",
            *(f"{a} -> {b}" for a, b in sorted(trace.climbs)),
            sep="\n  ",
        )


def main() -> None:
    """Print the counts that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", nargs="?", choices=["names", "modules", "calls"])
    parser.add_argument("--brief", action="store_true", help="names: the counts alone")
    given = parser.parse_args()
    if given.what in (None, "names"):
        _print_names(brief=given.brief)
    if given.what in (None, "modules"):
        _print_modules()
    if given.what in (None, "calls"):
        _print_calls()


if __name__ == "__main__":
    main()
