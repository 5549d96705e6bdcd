"""What a reader meets: names with one meaning, no rings of imports, no modules that are only a detour."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
import structure

MOST_SMALL_MODULES = 15


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose files a test writes."""
    folder = tmp_path / "package"
    folder.mkdir()
    return folder


def write(package: Path, **files: str) -> None:
    """Files of a package: "room__module" to its text."""
    for name, text in files.items():
        file = package / f"{name.replace('__', '/')}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


@cache
def our_definitions() -> list[structure.Definition]:
    """What the package that is tested defines."""
    return list(structure.definitions())


@cache
def our_imports() -> dict[str, set[str]]:
    """Who imports whom in the package that is tested."""
    return structure.imports()


def test_every_name_has_one_meaning() -> None:
    """A module, class, public function, constant or alias shares its name with no other, unless a table says why."""
    assert structure.recurring(our_definitions()) == {}


def test_every_name_that_may_recur_does() -> None:
    """The tables of reasons hold nothing that is gone."""
    names = [definition.name for definition in our_definitions()]
    assert [name for name in structure.MAY_RECUR if names.count(name) < 2] == []
    modules = our_imports()
    assert [name for name in structure.MAY_CALL_UP if f"regreen.{name}" not in modules] == []


def test_what_templates_keep_has_one_meaning_by_name() -> None:
    """Two templates that keep something under one name for a function would be handed each other's."""
    kept: dict[str, set[str]] = defaultdict(set)
    for file in sorted((structure.PACKAGE / "propose" / "search" / "templates").rglob("*.py")):
        for node in ast.walk(structure.parsed(file)):
            is_kept = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("cached", "cached_of_program")
            if is_kept and isinstance(name := node.args[0], ast.Constant):
                kept[name.value].add(f"{file.stem}: {ast.unparse(node.args[1])}")
    assert [sorted(ways) for ways in kept.values() if len(ways) > 1] == []


def test_no_modules_import_one_another() -> None:
    """Whatever a module needs can be read before it, imports for types and late ones included."""
    assert structure.circles(our_imports()) == []


def test_no_import_climbs() -> None:
    """No room imports one above it, not even late or for types."""
    assert structure.climbing_imports(our_imports()) == []


def test_small_modules_with_one_importer_are_few() -> None:
    """A file of a few lines that one other needs is a detour, unless the seam is worth its name."""
    assert len(structure.small_modules(our_imports())) <= MOST_SMALL_MODULES


def test_a_name_with_two_meanings_is_found(package: Path) -> None:
    """Modules, classes (private ones too), public functions and constants are compared each with their own kind."""
    text = "class _Row: ...\ndef read(): ...\ndef _help(): ...\nLIMIT = 1\n_LIMIT = 2\n"
    write(package, a__rows=text, b__rows=text, c="Row = read = 1\n")
    assert structure.recurring(structure.definitions(package)) == {
        (structure.MODULE, "rows"): ["a/rows.py", "b/rows.py"],
        (structure.CLASS, "_Row"): ["a/rows.py", "b/rows.py"],
        (structure.FUNCTION, "read"): ["a/rows.py", "b/rows.py"],
        (structure.VALUE, "LIMIT"): ["a/rows.py", "b/rows.py"],
    }


def test_commands_and_strategies_bear_the_names_that_users_type(package: Path) -> None:
    """`cli/judge.py` beside `verify/judge.py` is no second meaning; two others are."""
    write(package, cli__judge="", verify__judge="", strategies__search="", sandbox__search="", propose__search="")
    assert list(structure.recurring(structure.definitions(package))) == [(structure.MODULE, "search")]


def test_rings_are_found_whatever_their_imports_are_for(package: Path) -> None:
    """Late imports, those for types and relative ones close a ring as others do."""
    late = "def f():\n    from package.b import x\n"
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import c\n"
    write(package, a=late, b=typed, c="import package.a\n", d="import package.a\n")
    assert structure.circles(structure.imports(package)) == [["package.a", "package.b", "package.c"]]


def test_a_small_module_with_one_importer_is_found(package: Path) -> None:
    """Large ones, and those that two modules need, are not."""
    users = "from package.small import x\nfrom package.large import y\nfrom package import twice\n"
    write(package, user=users, other="import package.twice\n", small="x = 1\n", large="y = 1\n" * 40, twice="")
    assert structure.small_modules(structure.imports(package), package) == ["package.small"]
