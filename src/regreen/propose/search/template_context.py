"""What a template knows about its node's surroundings, and the only way to make its mutations edits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from regreen.propose.search.clues import Clues
from regreen.propose.search.expressions import ATOM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.scope import PYTHON_BUILTINS, Scope
from regreen.syntax import DEFINITIONS, Function
from regreen.types import Edit

_T = TypeVar("_T")
_LONG_QUOTES = ('"""', "'''")
Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While


class TemplateContext:
    """One function, or lambda in it, of the program under repair: its text, its scope and the clues to the bug."""

    def __init__(self, program: ParsedProgram, scope: Scope, clues: Clues) -> None:
        self.program = program
        self.scope = scope
        self.clues = clues
        self._cache: dict[str, Any] = {}

    def cached(self, key: str, compute: Callable[[], _T]) -> _T:
        """The value of `compute`, computed once for this function."""
        if key not in self._cache:
            self._cache[key] = compute()
        found: _T = self._cache[key]
        return found

    def cached_of_program(self, key: str, compute: Callable[[], _T]) -> _T:
        """The value of `compute`, computed once for the whole program: it must not depend on the function."""
        if key not in self.program.kept:
            self.program.kept[key] = compute()
        found: _T = self.program.kept[key]
        return found

    def expression(self, node: ast.expr) -> Expression:
        """The node's text and binding level."""
        return self.program.expression(node)

    def text(self, node: ast.AST) -> str:
        """The node's text, without brackets around it."""
        return self.program.text(node)

    def outer(self, node: ast.expr) -> tuple[int, int]:
        """The span of a node with the brackets around it."""
        return self.program.outer(node)

    def kind(self, node: ast.AST | None) -> str:
        """The kind of value that an expression seems to give; empty where nothing tells."""
        return self.scope.kind(node)

    def parent(self, node: ast.AST) -> ast.AST:
        """The node around this one."""
        return self.program.parents[node]

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around this one within its function or class, the innermost first."""
        node = self.parent(node)
        while not isinstance(node, (*DEFINITIONS, ast.Module)):
            yield node
            node = self.parent(node)

    def loops_around(self, node: ast.AST) -> Iterator[Loop]:
        """The loops around a node within its function, the innermost first."""
        return (part for part in self.around(node) if isinstance(part, ast.For | ast.AsyncFor | ast.While))

    def own_call(self, function: Function) -> str:
        """How a function is called from within itself: `self.walk` for a method, `walk` otherwise."""
        return f"{self.scope.receiver}.{function.name}" if self.scope.receiver else function.name

    def is_called(self, node: ast.AST) -> bool:
        """Whether a node is what a call calls: `f` in `f(x)`."""
        parent = self.parent(node)
        return isinstance(parent, ast.Call) and parent.func is node

    def is_read(self, node: ast.expr) -> bool:
        """Whether an expression is read as a value: not called, not bound, no receiver such as `self`."""
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or self.is_called(node):
            return False
        return not (isinstance(node, ast.Name) and (node.id == self.scope.receiver or node.id in PYTHON_BUILTINS))

    def is_condition(self, node: ast.expr) -> bool:
        """Whether an expression is asked for its truth, or is a part of what is: by `if`, `while`, `and`, `or`."""
        around = self.parent(node)
        if isinstance(around, ast.comprehension):
            return node in around.ifs
        is_test = isinstance(around, ast.If | ast.While | ast.IfExp) and around.test is node
        return is_test or isinstance(around, ast.BoolOp)

    def edit(self, node: ast.expr, code: Expression) -> Edit:
        """The edit that puts an expression in the place of a node, with brackets only where precedence needs them."""
        source = self.program.source
        (start, end), needed = self.program.place_for(node, code.level)
        text = code.at(needed)
        if "\n" in text and not text.startswith(("(", "[", "{")) and not self.program.inside_brackets(node):
            text = f"({text})"
        if (text[0].isdigit() and source[end : end + 1] == ".") or self._is_call_brackets(node):
            text = f"({text})"
        if _joins(source[start - 1 : start], text[:1]):
            text = " " + text
        if _joins(text[-1:], source[end : end + 1]):
            text += " "
        return Edit(start, end, text)

    def _is_call_brackets(self, node: ast.expr) -> bool:
        """Whether the node is `x for x in y` in `f(x for x in y)`, whose span takes the call's own brackets."""
        if not isinstance(node, ast.GeneratorExp):
            return False
        parent = self.parent(node)
        return isinstance(parent, ast.Call) and self.program.spans[parent][1] == self.program.spans[node][1]

    def put(self, node: ast.expr, code: Expression | str, weight: float = 1.0) -> WeightedEdits:
        """The mutation that replaces an expression."""
        return WeightedEdits((self.edit(node, Expression(code) if isinstance(code, str) else code),), weight)

    def swap(self, one: ast.expr, two: ast.expr, weight: float = 1.0) -> WeightedEdits:
        """The mutation that swaps two expressions."""
        return WeightedEdits((self.edit(one, self.expression(two)), self.edit(two, self.expression(one))), weight)

    def replace(self, start: int, end: int, text: str, weight: float = 1.0) -> WeightedEdits:
        """The mutation that replaces the text between two offsets."""
        return WeightedEdits((Edit(start, end, text),), weight)

    def wrap(self, node: ast.expr, function: str, weight: float = 1.0) -> WeightedEdits:
        """The mutation that calls `function` on the expression."""
        return self.put(node, Expression(f"{function}({self.expression(node).at(TEST)})", ATOM), weight)

    def member_of(self, module: str, name: str, *, by_itself: bool = False) -> tuple[str, tuple[Edit, ...]]:
        """How the program writes a member of a module, and the edit that imports it where nothing does.

        That is `import module`, or `from module import name` where the name stands `by_itself`, unless the program
        means something else by what that would bind: several modules have a `quote`, and a parameter may be called
        `html`.
        """
        imported = self.cached_of_program("imported members", self._imported_members)
        if (module, name) in imported:
            return imported[module, name], ()
        if own := self.name_of_module(module):
            return f"{own}.{name}", ()
        at = self.program.place_of_imports
        if (by_itself or self._means_another(module.partition(".")[0])) and name not in self.scope.globals:
            return name, (Edit(at, at, f"from {module} import {name}\n"),)
        return f"{module}.{name}", (Edit(at, at, f"import {module}\n"),)

    def _means_another(self, package: str) -> bool:
        """Whether the program means something else by the name that importing a package would bind."""
        imports = (part for part in self.program.nodes if isinstance(part, ast.Import))
        bound = {alias.asname or alias.name.partition(".")[0] for part in imports for alias in part.names}
        return package in self.scope.visible and package not in bound

    def _imported_members(self) -> dict[tuple[str, str], str]:
        """By module and name: what the program calls what it imports of modules."""
        parts = (part for part in self.program.nodes if isinstance(part, ast.ImportFrom))
        return {(part.module or "", alias.name): alias.asname or alias.name for part in parts for alias in part.names}

    def name_of_module(self, module: str) -> str:
        """The name by which the program knows a module that it imports as a whole; empty where it does not."""
        imports = (part for part in self.program.nodes if isinstance(part, ast.Import))
        names = (alias.asname or alias.name for part in imports for alias in part.names if alias.name == module)
        return self.cached_of_program(f"name of {module}", lambda: next(names, ""))

    def other_attribute(self, node: ast.Attribute, name: str, weight: float = 1.0) -> WeightedEdits:
        """The mutation that reads another attribute of the same object."""
        end = self.program.spans[node][1]
        return self.replace(end - len(node.attr), end, name, weight)

    def with_keyword(self, node: ast.Call, text: str, weight: float = 1.0) -> Iterable[WeightedEdits]:
        """The mutation that gives a call `text`, as `axis=0`; none where it has that keyword, `**options` or a comma
        behind its last argument."""
        end = self.program.spans[node][1] - 1
        given = {keyword.arg for keyword in node.keywords}
        lone_generator = len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)
        if None in given or lone_generator or self.program.source[:end].rstrip().endswith(","):
            return ()
        if text.partition("=")[0] in given:
            return ()
        return (self.replace(end, end, f", {text}" if node.args or given else text, weight),)

    def new_name(self, *names: str) -> str:
        """The first of the names that the function does not know; with an underscore where it knows them all."""
        return next(name for name in (*names, *(f"{name}_" for name in names), "_") if name not in self.scope.visible)

    def before(self, statement: ast.stmt, lines: Iterable[str], weight: float = 1.0) -> Iterable[WeightedEdits]:
        """The mutation that inserts lines before a statement; none where it shares its lines with another."""
        if not self.program.alone(statement):
            return ()
        at = self.program.lines(statement)[0]
        indent = self.program.indent(statement)
        return (WeightedEdits((Edit(at, at, self._block(indent, lines)),), weight),)

    def after(self, statement: ast.stmt, lines: Iterable[str], weight: float = 1.0) -> Iterable[WeightedEdits]:
        """The mutation that inserts lines after a statement; none where it shares its lines with another."""
        if not self.program.alone(statement):
            return ()
        at = self.program.lines(statement)[1]
        text = self._block(self.program.indent(statement), lines)
        if not self.program.source[:at].endswith("\n"):
            text = "\n" + text[:-1]
        return (WeightedEdits((Edit(at, at, text),), weight),)

    def restate(self, statement: ast.stmt, lines: Iterable[str], weight: float = 1.0) -> Iterable[WeightedEdits]:
        """The mutation that replaces a statement by lines; none where it shares its lines with another."""
        if not self.program.alone(statement):
            return ()
        start, end = self.program.first(statement), self.program.spans[statement][1]
        text = self._block(self.program.indent(statement), lines).strip()
        return (WeightedEdits((Edit(start, end, text),), weight),)

    def below(self, heads: Sequence[str], steps: Sequence[ast.stmt], weight: float = 1.0) -> Iterable[WeightedEdits]:
        """The mutation that puts steps in a row below heads, as `if x:`, each below the one before; none where a step
        has a text of several lines."""
        start, end = self.program.lines(steps[0])[0], self.program.lines(steps[-1])[1]
        text = self.program.source[start:end]
        if not all(self.program.alone(step) for step in steps) or any(quotes in text for quotes in _LONG_QUOTES):
            return ()
        unit, indent = self.program.unit, self.program.indent(steps[0])
        above = "".join(f"{indent}{unit * depth}{head}\n" for depth, head in enumerate(heads))
        lines = text.splitlines(keepends=True)
        deeper = "".join(unit * len(heads) + line if line.strip() else line for line in lines)
        return (self.replace(start, end, above + deeper, weight),)

    def delete(self, statement: ast.stmt, weight: float = 1.0) -> WeightedEdits:
        """The mutation that deletes a statement, or replaces it by `pass` where the block would be empty."""
        start, end = self.program.first(statement), self.program.spans[statement][1]
        if len(self.program.block(statement)) == 1 or not self.program.alone(statement):
            return WeightedEdits((Edit(start, end, "pass"),), weight)
        start, end = self.program.lines(statement)
        return WeightedEdits((Edit(start, end, ""),), weight)

    def _block(self, indent: str, lines: Iterable[str]) -> str:
        """The text of lines at a depth; each leading tab of a line is one more step."""
        unit = self.program.unit
        bare = ((line.lstrip("\t"), line) for line in lines)
        return "".join(f"{indent}{unit * (len(line) - len(text))}{text}\n" if text else "\n" for text, line in bare)


def _joins(left: str, right: str) -> bool:
    """Whether two characters would become one word side by side."""
    return bool(left) and bool(right) and (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
