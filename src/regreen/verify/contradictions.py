"""Tests that no program could pass together: two that expect different answers of one call, or one that denies itself.

It is looked for where a search has found nothing: a program that remembers its calls may well answer one call in two
ways, so what is said here is a reason to look at the test, and no verdict.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.types import AsideKind, TestsAside

_REMEDY = "Decide which is meant, and correct the other."


@dataclass(frozen=True, slots=True)
class Claim:
    """What one assertion of a test says: that a call of constants gives a constant."""

    test: str
    """The test's id, without its parameters."""
    line: int
    call: str
    """In Python's own spelling."""
    origins: frozenset[str]
    """Where the names in it are imported from."""
    answer: str


def contradicting_tests(
    files: Mapping[str, bytes], red: Collection[str], green: Collection[str]
) -> tuple[TestsAside, ...]:
    """The red tests that contradict a green one, another red one, or themselves."""
    paths = sorted({test.partition("::")[0] for test in (*red, *green)} & files.keys())
    claims = [claim for path in paths for claim in _claims(path, files[path].decode(errors="replace"))]
    by_call: dict[tuple[str, frozenset[str]], list[Claim]] = {}
    for claim in claims:
        by_call.setdefault((claim.call, claim.origins), []).append(claim)
    found: dict[str, str] = {}
    for alike in by_call.values():
        for claim in alike:
            other = next((each for each in alike if each.answer != claim.answer), None)
            if claim.test in red and claim.test not in found and (other is not None or _denies(claim)):
                found[claim.test] = _reason(claim, other, green)
    return tuple(TestsAside(AsideKind.CONTRADICTION, (test,), reason, _REMEDY) for test, reason in found.items())


def _denies(claim: Claim) -> bool:
    """Whether both sides are constants, and differ."""
    try:
        return bool(ast.literal_eval(claim.call) != ast.literal_eval(claim.answer))
    except (ValueError, SyntaxError, TypeError):
        return False


def _reason(claim: Claim, other: Claim | None, green: Collection[str]) -> str:
    said = f"line {claim.line} expects {claim.answer} of {claim.call}"
    if other is None:
        return f"{said}, whatever the program does"
    whose = "it also" if other.test == claim.test else other.test
    passes = ", which passes," if other.test in green else ""
    return f"{said}, and {whose}{passes} expects {other.answer} of it (line {other.line})"


def _claims(path: str, text: str) -> Iterator[Claim]:
    """The claims of every plain test function of a file: no method, and nothing that fixtures or parameters decide."""
    tree = parsed_or_none(text)
    if tree is None:
        return
    imported = _imported(tree)
    for function in tree.body:
        arguments = function.args if isinstance(function, FUNCTIONS) else None
        if arguments is None or arguments.args or function.decorator_list:  # type: ignore[attr-defined]
            continue
        for statement in function.body:  # type: ignore[attr-defined]
            claim = _claim(statement, imported)
            if claim is not None:
                yield Claim(f"{path}::{function.name}", statement.lineno, *claim)  # type: ignore[attr-defined]


def _imported(tree: ast.Module) -> dict[str, str]:
    """Name -> where it comes from, of all that the file imports at its top."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            origin = f"{'.' * node.level}{node.module or ''}"
            found.update({alias.asname or alias.name: f"{origin}.{alias.name}" for alias in node.names})
        elif isinstance(node, ast.Import):
            found.update({alias.asname or alias.name: alias.name for alias in node.names})
    return found


def _claim(statement: ast.stmt, imported: Mapping[str, str]) -> tuple[str, frozenset[str], str] | None:
    match statement:
        case ast.Assert(ast.Compare(left, [ast.Eq()], [right])):
            pass
        case _:
            return None
    names = {node.id for node in ast.walk(left) if isinstance(node, ast.Name)}
    if not names <= imported.keys() or any(isinstance(node, ast.Lambda | ast.NamedExpr) for node in ast.walk(left)):
        return None
    try:
        answer = repr(ast.literal_eval(right))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return ast.unparse(left), frozenset(imported[name] for name in names), answer
