"""The names, literals and expressions in reach of a function."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from regreen.propose.search.constants import MAX_CONDITION_CHARACTERS, MAX_EXPRESSION_CHARACTERS, MAX_STRING_CHARACTERS
from regreen.propose.search.expressions import Expression
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.value_kinds import ValueKinds, parameters_of
from regreen.syntax import FUNCTIONS, Function, imported_name, is_written_number, names_within

_OWN: Final = (*FUNCTIONS, ast.ClassDef)
PYTHON_BUILTINS: Final = frozenset(dir(builtins))


class Scope:
    """What is in reach of one function, or of the module's top level."""

    def __init__(self, program: ParsedProgram, function: Function | None, within: ast.Lambda | None = None) -> None:
        self.program = program
        self.function = function
        self.within = within
        """The lambda around the node, whose parameters are in reach too."""
        self._root: ast.AST = function or program.tree
        around = self.enclosing[0].known if self.enclosing else program.module_kinds if function else None
        self.known: ValueKinds = ValueKinds(function, self.nodes, around, program.attribute_kinds)
        self.kinds = self.known.names
        self.items = self.known.items
        """The kind of what iterating over a name gives."""

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The nodes of the function, nested ones included; of the module, what is outside functions and classes."""
        if self.function is not None:
            return tuple(self.program.below(self.function))
        inside = {n for s in self.program.nodes if isinstance(s, _OWN) for n in (s, *self.program.below(s))}
        return tuple(n for n in self.program.nodes if n not in inside)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The function's parameters, in order."""
        return () if self.function is None else tuple(a.arg for a in parameters_of(self.function))

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that the function binds."""
        stored = (n.id for n in self.nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
        inner = (n.name for n in self.nodes if isinstance(n, (*FUNCTIONS, ast.ClassDef)))
        caught = (n.name for n in self.nodes if isinstance(n, ast.ExceptHandler) and n.name)
        imported = (imported_name(a) for a in self.nodes if isinstance(a, ast.alias))
        lambdas = (n.arg for n in self.nodes if isinstance(n, ast.arg))
        return frozenset((*stored, *inner, *caught, *imported, *lambdas))

    @cached_property
    def bound_together(self) -> tuple[tuple[str, ...], ...]:
        """The names that each assignment, loop or comprehension unpacks into, in order of the program."""
        targets = (
            target
            for node in self.nodes
            if isinstance(node, ast.Assign | ast.For | ast.comprehension)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        )
        return tuple(
            tuple(n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            for target in targets
            if isinstance(target, ast.Tuple)
        )

    @cached_property
    def locals(self) -> tuple[str, ...]:
        """Parameters, names bound here, and names bound in the functions around, nearest first; `_` left out."""
        found = dict.fromkeys((*self._of_lambda, *self.parameters))
        for node in self.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id)
        for outer in self.enclosing:
            found.update(dict.fromkeys((*outer.parameters, *sorted(outer.assigned))))
        return tuple(name for name in found if name != "_")

    @cached_property
    def _of_lambda(self) -> tuple[str, ...]:
        return () if self.within is None else tuple(a.arg for a in self.within.args.args)

    @cached_property
    def enclosing(self) -> tuple[Scope, ...]:
        """The scopes of the functions around this one."""
        if self.function is None:
            return ()
        outer = self.program.function(self.program.parents[self.function])
        if outer is None:
            return ()
        around = Scope(self.program, outer)
        return (around, *around.enclosing)

    @cached_property
    def globals(self) -> tuple[str, ...]:
        """Names bound at the top of the module: functions, classes, variables, imports."""
        return tuple(dict.fromkeys(_module_names(self.program.tree)))

    @cached_property
    def unused(self) -> frozenset[str]:
        """Parameters and variables of the function that nothing reads."""
        read = {n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        stored = {n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        texts = " ".join(self.program.text(n) for n in self.nodes if isinstance(n, ast.JoinedStr))
        inner = set(self._of_lambda) - names_within(self.within or ast.Pass())
        idle = {n for n in {*self.parameters, *stored} - read if n not in texts}
        return frozenset((idle | inner) - {"_", "self", "cls"})

    @cached_property
    def visible(self) -> frozenset[str]:
        """Every name that is bound here: local, global or built in."""
        return frozenset(
            (*self.locals, *self.assigned, *self.globals, *PYTHON_BUILTINS, "__file__", "__name__", "__class__")
        )

    @cached_property
    def receiver(self) -> str:
        """`self` in a method; empty elsewhere."""
        function = self.function
        if function is None or not isinstance(self.program.parents[function], ast.ClassDef):
            return self.enclosing[0].receiver if self.enclosing else ""
        decorators = {self.program.text(d) for d in function.decorator_list}
        return "" if "staticmethod" in decorators or not self.parameters else self.parameters[0]

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """Attributes that the methods of this class set or read on their receiver, and class variables."""
        owner = self.program.class_of(self._root) if self.function is not None else None
        if owner is None or not self.receiver:
            return ()
        found: dict[str, None] = {}
        for node in ast.walk(owner):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.receiver:
                found.setdefault(node.attr)
        hinted = (s.target for s in owner.body if isinstance(s, ast.AnnAssign))
        found.update(dict.fromkeys(target.id for target in hinted if isinstance(target, ast.Name)))
        return tuple(name for name in found if name not in self.methods)

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """Attributes of the receiver that methods of its class update in place, e.g. `self.count`."""
        owner = self.program.class_of(self._root) if self.function is not None else None
        if owner is None or not self.receiver:
            return ()
        updated = (
            n.target for n in ast.walk(owner) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Attribute)
        )
        return tuple(dict.fromkeys(self.program.text(target) for target in updated))

    @cached_property
    def begun_with_none(self) -> frozenset[str]:
        """The variables that are None until the function knows better."""
        assigned = (node for node in self.nodes if isinstance(node, ast.Assign) and _is_none(node.value))
        targets = (target for node in assigned for target in node.targets)
        return frozenset(target.id for target in targets if isinstance(target, ast.Name))

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods of the class around this function."""
        owner = self.program.class_of(self._root) if self.function is not None else None
        return () if owner is None else tuple(s.name for s in owner.body if isinstance(s, FUNCTIONS))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Numbers written in the function, each once."""
        found = (n.value for n in self.nodes if isinstance(n, ast.Constant))
        return tuple(dict.fromkeys(repr(v) for v in found if is_written_number(v)))

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """Short strings written in the function, each once."""
        found = (n.value for n in self.nodes if isinstance(n, ast.Constant) and not self._is_docstring(n))
        return tuple(dict.fromkeys(v for v in found if isinstance(v, str) and len(v) <= MAX_STRING_CHARACTERS))

    def _is_docstring(self, node: ast.AST) -> bool:
        return isinstance(self.program.parents[node], ast.Expr)

    @cached_property
    def expressions(self) -> dict[str, tuple[Expression, str]]:
        """Short expressions of the function by their text, with their kind."""
        found: dict[str, tuple[Expression, str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.BinOp | ast.Subscript | ast.Call | ast.Attribute | ast.UnaryOp):
                if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                    continue
                code = self.program.expression(node)
                if len(code.text) <= MAX_EXPRESSION_CHARACTERS and "\n" not in code.text:
                    found.setdefault(code.text, (code, self.kind(node)))
        return found

    @cached_property
    def conditions(self) -> dict[str, Expression]:
        """Short conditions of the function, by their text."""
        found: dict[str, Expression] = {}
        for node in self.nodes:
            if isinstance(node, ast.Compare | ast.BoolOp) or (
                isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
            ):
                code = self.program.expression(node)
                if len(code.text) <= MAX_CONDITION_CHARACTERS and "\n" not in code.text:
                    found.setdefault(code.text, code)
        return found

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Local names that seem to hold one of these kinds."""
        return tuple(name for name in self.locals if self.kinds.get(name, "") in kinds)

    def kind(self, node: ast.AST | None) -> str:
        """What kind of value an expression seems to give; empty where nothing tells."""
        return self.known.kind(node)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _module_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield imported_name(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        else:
            yield from _module_names(node)
