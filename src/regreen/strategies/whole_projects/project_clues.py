"""What a model is shown of a project, within so many characters: suspicious functions, then what is around them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from regreen.errors import TaskError
from regreen.localise.project_suspects import MODULE_LEVEL
from regreen.propose.prompts import shortened
from regreen.strategies.agents.program_view import definitions, shown_lines
from regreen.strategies.whole_projects.project_baseline import suite_of
from regreen.strategies.whole_projects.project_session import ProjectSession
from regreen.syntax import DEFINITIONS, Definition, callee_name, first_line, parsed_or_none, walk
from regreen.types import Check, CheckResult, Outcome, Verdict
from regreen.verify.check_failures import check_failure_of
from regreen.verify.raised_errors import RaisedError

_MOST_SUSPECTS = 8
"""Suspicious functions whose surroundings are shown."""
_MOST_READ = 60
"""Modules in which callers and classes are looked for: those that red tests enter."""
_SHOWN_TESTS, _SHOWN_FAILURES, _SHOWN_FRAMES = 6, 8, 8


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file as a prompt shows it."""

    path: str
    text: str
    """All of it, or the lines in question with a remark for those between them."""
    is_whole: bool


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines of a file, from 1, `last` included."""

    path: str
    first: int
    last: int


def code_in_view(
    session: ProjectSession, texts: Mapping[str, str], characters: int, *, numbered: bool = False
) -> tuple[ShownFile, ...]:
    """The code that matters most, in the project with the changes `texts`, in about so many characters.

    In this order, as long as there is room: the suspicious functions; imports and constants of their modules; functions
    that call them, or that they call; classes that they name; the rest of their modules.
    """
    code = _ProjectCode(session, texts)
    chosen: dict[str, set[int]] = {}
    left = characters
    for lines in code.in_order():
        fresh = set(range(lines.first, lines.last + 1)) - chosen.get(lines.path, set())
        size = sum(len(code.lines[lines.path][number - 1]) + 1 for number in fresh)
        if fresh and (size <= left or not chosen):
            chosen.setdefault(lines.path, set()).update(fresh)
            left -= size
    return tuple(
        ShownFile(
            path, shown_lines(code.lines[path], numbers, numbered=numbered), len(numbers) == len(code.lines[path])
        )
        for path, numbers in chosen.items()
    )


class _ProjectCode:
    """The modules that red tests enter, as trees, and the way through what is worth showing of them."""

    def __init__(self, session: ProjectSession, texts: Mapping[str, str]) -> None:
        suspects = session.suspects
        entered = dict.fromkeys([*(each.path for each in suspects), *texts])
        self.trees: dict[str, ast.Module | None] = {}
        self.lines: dict[str, list[str]] = {}
        for path in list(entered)[:_MOST_READ]:
            try:
                text = session.text(path, texts)
            except TaskError:
                continue
            self.lines[path] = text.removesuffix("\n").split("\n")
            self.trees[path] = parsed_or_none(text) if path.endswith(".py") else None
        self.suspects = [each for each in suspects if each.path in self.lines][:_MOST_SUSPECTS]
        self._definitions = {path: definitions("\n".join(lines)) for path, lines in self.lines.items()}

    def in_order(self) -> Iterator[_Lines]:
        """Lines by their worth, the most telling first; some come more than once."""
        named = [(each.path, each.name.partition(".<locals>")[0]) for each in self.suspects]
        functions = [(path, name) for path, name in named if name in self._definitions[path]]
        for path, name in functions:
            yield from self._definition(path, name)
        paths = list(dict.fromkeys(path for path, _ in named))
        for path in paths:
            yield from self._own_statements(path)
        yield from self._related(functions)
        for path in dict.fromkeys([*paths, *(path for path, name in named if name == MODULE_LEVEL)]):
            yield _Lines(path, 1, len(self.lines[path]))

    def _definition(self, path: str, name: str) -> Iterator[_Lines]:
        """A function or a class; of a method, the head of its class, too."""
        node = self._definitions[path][name]
        owner = self._definitions[path].get(name.rpartition(".")[0])
        if owner is not None:
            yield _Lines(path, first_line(owner), max(owner.lineno, owner.body[0].lineno - 1))
        yield _Lines(path, first_line(node), node.end_lineno or node.lineno)

    def _own_statements(self, path: str) -> Iterator[_Lines]:
        """What a module does itself: imports, constants, tables."""
        tree = self.trees[path]
        for node in tree.body if tree is not None else ():
            if not isinstance(node, DEFINITIONS):
                yield _Lines(path, node.lineno, node.end_lineno or node.lineno)

    def _related(self, functions: Sequence[tuple[str, str]]) -> Iterator[_Lines]:
        """Functions that call the suspicious ones, then what these call, then the classes that they name."""
        bare = {name.rpartition(".")[2] for _, name in functions}
        called, named = set[str](), set[str]()
        for path, name in functions:
            nodes = walk(self._definitions[path][name])
            called |= _called(nodes)
            named |= {node.id for node in nodes if isinstance(node, ast.Name)}
        kinds: list[list[tuple[str, str]]] = [[], [], []]
        for path, found in self._definitions.items():
            for name, node in found.items():
                is_class = isinstance(node, ast.ClassDef)
                if not is_class and bare & _called(walk(node)):
                    kinds[0].append((path, name))
                if not is_class and name.rpartition(".")[2] in called:
                    kinds[1].append((path, name))
                if is_class and name in named:
                    kinds[2].append((path, name))
        for path, name in (each for kind in kinds for each in kind):
            yield from self._definition(path, name)


def _called(nodes: Iterable[ast.AST]) -> set[str]:
    return {callee_name(node) for node in nodes if isinstance(node, ast.Call)}


def shown_tests(session: ProjectSession, characters: int) -> str:
    """The text of the first red tests, with the path of each file before it, and of what they take from their files.

    That is fixtures and helpers of the file of tests, and fixtures of every `conftest.py` above it.
    """
    found: dict[str, dict[str, None]] = {}
    for test in session.baseline.red[:_SHOWN_TESTS]:
        path, _, name = test.partition("::")
        text = _file_text(session, path)
        node = definitions(text).get(name.partition("[")[0].replace("::", "."))
        if node is None:
            found.setdefault(path, {})[text] = None
            continue
        wanted = _names_in(node)
        for other in [*reversed(session.whole.conftests_above(path)), path]:
            used = _functions_named(_file_text(session, other), wanted)
            if used or other == path:
                found.setdefault(other, {}).update(dict.fromkeys(used))
        found[path][_text_of(text, node)] = None
    parts = (f"# {path}\n" + "\n\n\n".join(texts) for path, texts in found.items())
    return shortened("\n\n".join(parts), characters)


def _file_text(session: ProjectSession, path: str) -> str:
    return session.whole.project.files.get(path, b"").decode(errors="replace").replace("\r\n", "\n")


def _text_of(text: str, node: Definition) -> str:
    return "\n".join(text.split("\n")[first_line(node) - 1 : node.end_lineno])


def _names_in(node: ast.AST) -> set[str]:
    """The names that a test uses: its parameters are fixtures."""
    nodes = walk(node)
    used = {each.id for each in nodes if isinstance(each, ast.Name)}
    return used | {each.arg for each in nodes if isinstance(each, ast.arg)}


def _functions_named(text: str, names: set[str]) -> list[str]:
    """The functions and classes of a file by these names, and those that they use in turn."""
    own = {name: node for name, node in definitions(text).items() if "." not in name}
    found: dict[str, str] = {}
    left = sorted(names & own.keys())
    while left:
        name = left.pop(0)
        found[name] = _text_of(text, own[name])
        left += sorted((_names_in(own[name]) & own.keys()) - found.keys() - set(left))
    return list(found.values())


def failures_text(
    session: ProjectSession, verdict: Verdict, errors: Mapping[str, Sequence[RaisedError]], characters: int
) -> str:
    """How many tests pass of those that have to, and what the first that fail say, with the frames of their errors."""
    failed = [(test, result) for test, result in verdict.results.items() if result.outcome is not Outcome.PASSED]
    total = len(verdict.results)
    if total and not failed:
        return f"All {total} tests pass." + (f" {verdict.detail}" if verdict.detail else "")
    lines = [f"{total - len(failed)} of {total} tests that have to pass do."]
    lines += [verdict.detail] if verdict.detail else []
    for test, result in failed[:_SHOWN_FAILURES]:
        broken = " (it passed before the change)" if test in session.baseline.green else ""
        lines.append(f"{test}{broken}: {_failure(session, test, result)}")
        lines += [f"    {frame}" for frame in _own_frames(session, errors.get(test, ()))]
    lines += [f"... and {len(failed) - _SHOWN_FAILURES} more fail."] if len(failed) > _SHOWN_FAILURES else []
    return shortened("\n".join(lines), characters)


def _failure(session: ProjectSession, test: str, result: CheckResult) -> str:
    failure = check_failure_of(suite_of(session.whole.project, [test]), Check(test, test), result)
    quote = ": ".join(filter(None, (failure.place, failure.code)))
    return failure.message + (f" ({quote})" if quote else "")


def _own_frames(session: ProjectSession, errors: Sequence[RaisedError]) -> list[str]:
    """The project's own frames of an error, the innermost last."""
    frames = [frame for error in errors[:1] for frame in error.frames if frame.file in session.whole.project.files]
    return [f"{frame.file}:{frame.line} in {frame.function}" for frame in frames[-_SHOWN_FRAMES:]]


def suspects_text(session: ProjectSession) -> str:
    """The most suspicious functions, one a line, with the evidence."""
    return "\n".join(
        f"{each.path}:{each.line} {each.name}: {each.reason}" for each in session.suspects[:_MOST_SUSPECTS]
    )
