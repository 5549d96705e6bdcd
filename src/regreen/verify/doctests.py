"""The examples in a program's docstrings, turned into a suite."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regreen.errors import TaskError
from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.types import Check, Step, Suite, SuiteKind
from regreen.verify.bindings import bindings_of
from regreen.verify.flatten import ScriptStatement
from regreen.verify.program_facts import DEFINITION_LINE, read_program_facts
from regreen.verify.python_text import normalise_line_ends, shorten_code
from regreen.verify.script_steps import TaintedNames
from regreen.verify.surface import surface_of_statements

if TYPE_CHECKING:
    import doctest

_DOCSTRING = re.compile(r'[rR]?("""|\'\'\')(.*?)\1', re.DOTALL)
_ORIGIN = "<docstrings>"


@dataclass(frozen=True, slots=True)
class _Docstring:
    owner: str
    text: str
    line: int


def read_doctests(program: str, *, module: str, entry_point: str | None) -> Suite | None:
    """The doctest examples of a program as a suite; None when there are none.

    As in `doctest`, an example that uses the program is a check even when it shows no output: it must print nothing
    and raise nothing; each docstring has names of its own.
    Raises TaskError when an example is malformed.
    """
    facts = read_program_facts(program)
    examples = [(docstring, example) for docstring in _docstrings(program) for example in _examples(docstring)]
    trees = [parsed_or_none(normalise_line_ends(example.source)) for _, example in examples]
    bodies = [[] if tree is None else tree.body for tree in trees]
    body = [statement for statements in bodies for statement in statements]
    touched = TaintedNames([ScriptStatement(node, "", 0) for node in body], bindings_of(body, module))
    steps: list[Step] = []
    checks: list[Check] = []
    counts: dict[str, int] = {}
    for (docstring, example), statements in zip(examples, bodies, strict=True):
        line = docstring.line + example.lineno
        name = None
        if example.want or example.exc_msg or any(touched.runs_program(node) for node in statements):
            counts[docstring.owner] = counts.get(docstring.owner, 0) + 1
            name = f"doc-{docstring.owner}-{counts[docstring.owner]}"
            checks.append(Check(name, shorten_code(_shown(example)), line))
        for node in statements:
            touched.learn(node)
        steps.append(_step(example, name, line, docstring.owner))
    if not checks:
        return None
    surface, isolation, reason = surface_of_statements(facts, body, module, entry_point)
    imports = module if _imports(body, module) else None
    return Suite(
        *(SuiteKind.SCRIPT, program, tuple(checks), tuple(steps), imports, _ORIGIN), isolation, reason, surface=surface
    )


def _step(example: doctest.Example, name: str | None, line: int, owner: str) -> Step:
    flags = sum(flag for flag, is_on in example.options.items() if is_on)
    return Step(example.source, name, line, want=None if name is None else example.want, flags=flags, scope=owner)


def _shown(example: doctest.Example) -> str:
    lines = example.source.rstrip("\n").split("\n")
    prompts = [">>> ", *["... "] * (len(lines) - 1)]
    return "\n".join([*(prompt + line for prompt, line in zip(prompts, lines, strict=True)), example.want]).rstrip("\n")


def _imports(body: Sequence[ast.stmt], module: str) -> bool:
    return any(
        (isinstance(node, ast.ImportFrom) and node.module == module)
        or (isinstance(node, ast.Import) and any(alias.name == module for alias in node.names))
        for node in body
    )


def _examples(docstring: _Docstring) -> list[doctest.Example]:
    if ">>>" not in docstring.text:
        return []
    import doctest  # It brings pdb and unittest: programs without examples need not wait for it.

    try:
        examples = doctest.DocTestParser().get_examples(docstring.text, docstring.owner)
        return [example for example in examples if not example.options.get(doctest.SKIP)]
    except ValueError as error:
        raise TaskError(
            f"The doctest of `{docstring.owner}` (docstring at line {docstring.line}) is malformed: {error}."
        ) from error


def _docstrings(program: str) -> Iterator[_Docstring]:
    """The docstrings of a program; all triple-quoted strings of one with a syntax error."""
    text = normalise_line_ends(program)
    tree = parsed_or_none(text)
    if tree is None:
        yield from _strings_of(text)
        return
    pending: list[tuple[str, ast.AST]] = [("module", tree)]
    while pending:
        owner, node = pending.pop(0)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if (found := ast.get_docstring(node, clean=False)) is not None:
                yield _Docstring(owner, found, first.lineno)
            if not isinstance(node, FUNCTIONS):
                pending.extend(_owned(owner, node))


def _owned(owner: str, node: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.AST]]:
    prefix = "" if isinstance(node, ast.Module) else f"{owner}."
    for inner in node.body:
        if isinstance(inner, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + inner.name, inner


def _strings_of(text: str) -> Iterator[_Docstring]:
    for match in _DOCSTRING.finditer(text):
        before = DEFINITION_LINE.findall(text, 0, match.start())
        value = parsed_or_none(match.group())
        first = value.body[0] if value is not None and value.body else None
        literal = first.value if isinstance(first, ast.Expr) else None
        if isinstance(literal, ast.Constant) and isinstance(literal.value, str):
            owner = before[-1][2] if before else "module"
            yield _Docstring(owner, literal.value, text.count("\n", 0, match.start()) + 1)
