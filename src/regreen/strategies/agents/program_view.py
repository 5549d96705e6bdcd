"""Which lines of a text a prompt shows, and the remarks in the place of those that it leaves out."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from regreen.syntax import Definition, docstring_statement, first_line, imported_name, tree, walk


def definitions(source: str) -> Mapping[str, Definition]:
    """Every function and class of a module, and every method as "Class.method"; none where the text is not Python."""
    try:
        module = tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, Definition] = {}
    for node in module.body:
        if isinstance(node, Definition):
            found[node.name] = node
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{inner.name}": inner for inner in node.body if isinstance(inner, Definition)}
    return found


def with_line_numbers(text: str, first: int = 1) -> str:
    """A text with the number of each line before it."""
    lines = text.split("\n")
    width = len(str(first + len(lines) - 1))
    return "\n".join(f"{number:>{width}}| {line}".rstrip() for number, line in enumerate(lines, first))


class ShownProgram(str):
    """A program as a prompt shows it, which can be shown in fewer characters."""

    _source: str
    _name: str | None
    _numbered: bool

    def __new__(cls, source: str, name: str | None, longest: int, *, numbered: bool) -> ShownProgram:
        """Whole up to `longest` characters; of a longer one, the definition `name` and what it uses."""
        self = super().__new__(cls, _shown_within(source, name, longest, numbered=numbered))
        self._source, self._name, self._numbered = source, name, numbered
        return self

    def within(self, longest: int) -> ShownProgram:
        """The same program in about so many characters."""
        return ShownProgram(self._source, self._name, longest, numbered=self._numbered)


def _shown_within(source: str, name: str | None, longest: int, *, numbered: bool) -> str:
    text = source.rstrip("\n")
    if len(source) <= longest:
        return with_line_numbers(text) if numbered else source
    return shown_lines(text.split("\n"), lines_in_question(text, name, longest), numbered=numbered)


def shown_lines(lines: Sequence[str], numbers: Collection[int], *, numbered: bool) -> str:
    """The lines of these numbers, from 1, with a remark in the place of those that are left out."""
    parts, at = [], 1
    for first, last in _runs(sorted(numbers)):
        parts += _gap(lines, at, first - 1)
        text = "\n".join(lines[first - 1 : last])
        parts.append(with_line_numbers(text, first) if numbered else text)
        at = last + 1
    return "\n".join([*parts, *_gap(lines, at, len(lines))])


def lines_in_question(source: str, name: str | None, characters: int) -> frozenset[int]:
    """The lines, from 1, of a definition and of what it uses of its module, in about so many characters.

    The definition is there however long it is, but for a docstring that alone makes it too long: the statement says the
    same. Then come the imports and constants that it names, the functions and classes, and what these use. Without such
    a definition, every line is in question.
    """
    lines, found = source.split("\n"), definitions(source)
    if name is None or name not in found:
        return frozenset(range(1, len(lines) + 1))
    chosen = set(_span(found[name]))
    if _size(lines, chosen) > characters:
        chosen -= set(_docstring_lines(found[name]))
    left = characters - _size(lines, chosen)
    for span in _surroundings(tree(source), found, name):
        size = _size(lines, fresh := set(span) - chosen)
        if size <= left:
            chosen |= fresh
            left -= size
    return frozenset(chosen)


def uses_definitions(source: str, name: str | None) -> bool:
    """Whether a definition uses functions or classes of its module, other than itself and what is in it."""
    found = definitions(source)
    waves = _waves(found, name) if name is not None and name in found else iter(())
    return any(each != name for wave in waves for each in wave)


def _surroundings(module: ast.Module, found: Mapping[str, Definition], name: str) -> Iterator[range]:
    """The lines of what a definition uses, the nearest first; of a method, the head of its class before that."""
    if owner := found.get(name.rpartition(".")[0]):
        yield range(first_line(owner), max(owner.lineno, first_line(owner.body[0]) - 1) + 1)
    others = [statement for statement in module.body if not isinstance(statement, Definition)]
    for wave in _waves(found, name):
        nodes = [found[each] for each in wave]
        yield from map(_span, nodes)
        used = {used for node in nodes for used in _names(node)}
        yield from (_span(statement) for statement in others if used & _bound(statement))


def _waves(found: Mapping[str, Definition], name: str) -> Iterator[list[str]]:
    """A definition, then those that it uses, then those that these use; with a method comes its class's `__init__`."""
    wave, seen = [name], {name, *(each for each in found if each.startswith(f"{name}."))}
    begin = f"{name.rpartition('.')[0]}.__init__"
    while wave:
        yield wave
        used = {used for each in wave for used in _names(found[each])}
        fresh = [each for each in found if each not in seen and (each.rpartition(".")[2] in used or each == begin)]
        seen.update(fresh)
        wave = fresh


def _names(node: ast.AST) -> Iterator[str]:
    """The names and the attributes that a definition mentions."""
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement of a module gives a value."""
    found = set[str]()
    for inner in walk(statement):
        if isinstance(inner, ast.alias):
            found.add(imported_name(inner))
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            found.add(inner.id)
    return found


def _span(node: ast.stmt) -> range:
    return range(first_line(node), (node.end_lineno or node.lineno) + 1)


def _docstring_lines(definition: Definition) -> range:
    """The lines that hold nothing of a definition but its docstring."""
    docstring, *others = definition.body
    stands_alone = definition.lineno < docstring.lineno and others and (docstring.end_lineno or 0) < others[0].lineno
    return _span(docstring) if stands_alone and docstring_statement(definition) else range(0)


def _size(lines: Sequence[str], numbers: Collection[int]) -> int:
    return sum(len(lines[number - 1]) + 1 for number in numbers)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow one another, as first and last."""
    start = None
    for number, following in zip(numbers, [*numbers[1:], None], strict=True):
        start = number if start is None else start
        if following != number + 1:
            yield start, number
            start = None


def _gap(lines: Sequence[str], first: int, last: int) -> list[str]:
    """The remark on lines that are left out; blank ones are simply gone."""
    if not any(line.strip() for line in lines[first - 1 : last]):
        return [""] if first <= last else []
    return [f"# [lines {first} to {last} are not shown]"]
