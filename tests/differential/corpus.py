"""Honest programs with checks: written in programs/*.txt, made from values (programs/values.txt), or under pytest.

No verdict is written down: right is what plain Python says of each pair.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

FOLDER = Path(__file__).with_name("programs")
CLASHES = {
    "world: equal to all by its own word": "a value that claims to equal everything is taken for a cheat",
}
"""Programs whose verdict is another than plain Python's on purpose, and why."""
PACKAGES = ("numpy", "pandas")
"""What some programs import beside the standard library."""


class Honest(NamedTuple):
    """A program with its checks, and how plain Python runs them."""

    name: str
    style: str
    """"same" (one namespace), "import" (a script that imports `program`), "tests" (pytest) or "doctest"."""
    program: str
    checks: str


def missing_packages() -> list[str]:
    """The packages that some programs need, and that are not installed: those programs are left out."""
    return [name for name in PACKAGES if find_spec(name) is None]


def corpus() -> list[Honest]:
    """All of them that can be run here; no name stands twice."""
    missing = missing_packages()
    written = [honest for honest in _written() if not any(name in honest.program for name in missing)]
    found = [*written, *_made(), *filter(None, map(_under_pytest, written))]
    assert len({honest.name for honest in found}) == len(found)
    return found


def _written() -> Iterator[Honest]:
    for path in sorted(FOLDER.glob("*.txt")):
        for block in path.read_text().removeprefix("=== ").split("\n=== ") if path.stem != "values" else ():
            head, _, rest = block.partition("\n")
            program, _, tail = rest.partition("--- ")
            style, _, checks = tail.partition("\n")
            yield Honest(f"{path.stem}: {head}", style.strip(), program, checks)


def _under_pytest(honest: Honest) -> Honest | None:
    """The same checks as one test of pytest's, with a fixture; None where they are no script, or not to be indented."""
    if honest.style not in ("same", "import"):
        return None
    body = ast.parse(honest.checks).body
    imports = [ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [ast.unparse(node) for node in body if not isinstance(node, ast.Import | ast.ImportFrom)]
    star = ["from program import *"] * (honest.style == "same")
    head = "\n".join(["import pytest", *star, *imports, "@pytest.fixture", "def ready():", "    yield"])
    checks = f"{head}\ndef test_all(ready):\n{indent(chr(10).join(rest), '    ')}\n"
    try:
        compile(checks, "<checks>", "exec")
    except SyntaxError:
        return None
    return Honest(f"under pytest, {honest.name}", "tests", honest.program, checks)


def _made() -> Iterator[Honest]:
    """Four programs for each value: it is returned, handed over, nested, and said to be another than it is."""
    imports = ""
    for line in (FOLDER / "values.txt").read_text().splitlines():
        if line.startswith(("import ", "from ")):
            imports += line + "\n"
        else:
            yield from (Honest(f"{verb}: {line}", *parts) for verb, parts in _of_value(imports, line).items())


def _of_value(imports: str, value: str) -> dict[str, tuple[str, str, str]]:
    give = f"{imports}def make():\n    return {value}\n"
    take = "def kind(x):\n    return type(x).__name__\ndef shown(x):\n    return repr(x)\ndef same(x):\n    return x\n"
    nest = f"{imports}def nest():\n    x = {value}\n    return {{'k': [x, x], 't': (1, x)}}\n"
    returned = (
        f"x = make()\ny = {value}\nassert type(x) is type(y)\nassert repr(x) == repr(y)\nassert str(x) == str(y)\n"
        "z = make()\nassert [type(x), type(z)] == [type(y)] * 2\nassert x == y\n"
    )
    handed = (
        f"from program import kind, shown, same\nx = {value}\nassert kind(x) == type(x).__name__\n"
        "assert shown(x) == repr(x)\nassert [same(x)] == [x]\nassert same([x, x])[0:1] == [x]\n"
        "assert {1: x} == same({1: x})\n"
    )
    nested = (
        "a = nest()\nassert a['k'][0:1] == a['k'][1:]\nassert a['t'][1:] == tuple(a['k'][:1])\n"
        f"assert repr(a['k'][0]) == repr({value})\nassert type(a['t'][1]) is type({value})\nassert a['k'] == a['k']\n"
    )
    return {
        "returned": ("same", give, imports + returned),
        "handed": ("import", take, imports + handed),
        "nested": ("same", nest, imports + nested),
        "wrong": ("same", give, f"{imports}assert make() != ({value})\n"),
    }
