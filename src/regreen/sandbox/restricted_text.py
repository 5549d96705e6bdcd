"""Whether `--sandbox restricted` can run a program, told from its text, and what that sandbox does not promise."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from regreen.errors import SandboxUnavailable
from regreen.extras import optional_module

NO_WALL = (
    "--sandbox restricted is a guard against accidents, not against attacks: RestrictedPython's rules and limits of a "
    "process, and no wall"
)
"""Said with every result."""
_MOST_TOLD = 3


def need_restricted_python() -> None:
    """Raises SandboxUnavailable, with the remedy, where RestrictedPython is not installed."""
    try:
        optional_module("RestrictedPython")
    except ImportError as error:
        raise SandboxUnavailable(
            "--sandbox restricted needs the package RestrictedPython.",
            remedy="Install it: pip install 'regreen[restricted]'.",
        ) from error


def what_is_refused(source: str, companions: Mapping[str, str], *, same_grammar: bool = True) -> str:
    """What of a program, or of the modules beside it (relative path -> text), is not run; empty where all is.

    `same_grammar`: whether the programs' Python has the grammar of ours. If so, a text that does not parse here does
    not there, and is left to its verdict.
    """
    beside = frozenset(map(_module_name, companions))
    for path, text in {"": source, **companions}.items():
        found = _refused(text, beside, same_grammar)
        if found:
            shown = "; ".join(found[:_MOST_TOLD]) + ("; ..." if len(found) > _MOST_TOLD else "")
            return f"{path}: {shown}" if path else shown
    return ""


@lru_cache(maxsize=512)
def _refused(text: str, companions: frozenset[str], same_grammar: bool) -> tuple[str, ...]:
    # Imported late: the policy is a class of the extra's.
    from regreen.sandbox.restricted_policy import AccidentPolicy

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return () if same_grammar and isinstance(error, SyntaxError) else (f"text that does not parse here ({error})",)
    policy = AccidentPolicy(tree, companions)
    try:
        policy.visit(tree)
    except RecursionError:
        return ("text that is nested too deep to be looked at",)
    return tuple(dict.fromkeys(policy.errors))


def _module_name(path: str) -> str:
    pure = PurePosixPath(path)
    return ".".join(pure.parent.parts if pure.name == "__init__.py" else pure.with_suffix("").parts)
