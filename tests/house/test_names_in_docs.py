"""The documentation speaks of code that exists, by the names that it has today."""

from __future__ import annotations

import ast
import contextlib
import re
import textwrap
from collections.abc import Iterator
from functools import cache

import pytest
import structure

ROOT = structure.ROOT
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "tests/README.md", ROOT / "benchmarks/README.md"]
    # What has changed may be gone.
    if path.name != "CHANGELOG.md"
)
ABOUT_THE_CODE = ["docs/architecture.md", "docs/glossary.md"]
"""Pages whose every word in code quotes is one of the code's."""
FOLDERS = ("src/", "tests/", "docs/", "benchmarks/", "examples/", "requirements/", ".ci/", ".github/")
OTHERS = {"IndexError", "LangGraph", "ReplySpec", "HumanEvalFix", "SqliteSaver", "StateGraph"}
"""Names in CamelCase that are Python's, a library's, or a placeholder's."""

_QUOTED = re.compile(r"`([^`\n]+)`")
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_CAMEL = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+(?:\.\w+)?(?:\(\))?")
_DOTTED = re.compile(r"regreen(?:\.\w+)+")
_PATH = re.compile(r"[\w./-]+(?:\.py|/)")


def quoted(page: str) -> set[str]:
    """What stands in code quotes in a page, fenced blocks aside."""
    return set(_QUOTED.findall(_FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))))


@cache
def modules() -> frozenset[str]:
    """The dotted name of every module of the package."""
    return frozenset(structure.imports())


@cache
def defined() -> frozenset[str]:
    """Every function, class and assigned name of the package, members as `Class.member` too."""
    return frozenset(
        name for file in structure.PACKAGE.rglob("*.py") for name in _names(structure.parsed(file).body, "")
    )


def _names(body: list[ast.stmt], owner: str) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (statement.name, f"{owner}{statement.name}")
        if isinstance(statement, ast.ClassDef):
            yield from _names(statement.body, f"{statement.name}.")
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for node in (node for target in targets for node in ast.walk(target)):
                if isinstance(node, ast.Name):
                    yield from (node.id, f"{owner}{node.id}")
            if owner and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str):
                # The value of an enumeration's member is what users write.
                yield statement.value.value


def is_known_path(text: str) -> bool:
    """Whether a file or folder of the project ends so: `judge.py`, `verify/judge.py` and `src/regreen/verify/` do."""
    wanted = f"/{text.rstrip('/')}"
    return any(f"/{path}".endswith(wanted) for path in _paths())


@cache
def _paths() -> frozenset[str]:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    top = [path for path in ROOT.iterdir() if path.name != ".git"]
    return frozenset(path.relative_to(ROOT).as_posix() for path in [*files, *top])


@pytest.mark.parametrize("page", PAGES)
def test_classes_that_a_page_names_exist(page: str) -> None:
    """A word in CamelCase is a class of ours, or one of the few that belong to others."""
    named = {text for text in quoted(page) if _CAMEL.fullmatch(text)} - OTHERS
    assert {text for text in named if text.removesuffix("()") not in defined()} == set()


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_a_page_names_exist(page: str) -> None:
    """A dotted name that begins with the package leads to a module, or to what a module defines."""
    named = set(_DOTTED.findall((ROOT / page).read_text(encoding="utf-8")))
    assert {name for name in named if not name.endswith((".toml", ".md")) and not leads_somewhere(name)} == set()


def leads_somewhere(name: str) -> bool:
    """Whether a dotted name is a module, or stands in one for something that the package defines."""
    home, _, last = name.rpartition(".")
    return name in modules() or (home in modules() and last in defined())


def parsed(block: str) -> ast.Module | None:
    """A block as Python; None for a patch, or a row of a table, which is shown as Python for its colours."""
    with contextlib.suppress(SyntaxError):
        return ast.parse(textwrap.dedent(block))
    return None


@pytest.mark.parametrize("page", PAGES)
def test_imports_that_a_page_shows_exist(page: str) -> None:
    """What a reader copies from a Python block can be imported."""
    blocks = _FENCE.findall((ROOT / page).read_text(encoding="utf-8"))
    trees = [tree for _, language, block in blocks if language == "python" and (tree := parsed(block))]
    shown = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named = {f"{node.module}.{alias.name}" for node in shown for alias in node.names}
    assert {name for name in named if name.startswith("regreen.") and not leads_somewhere(name)} == set()


@pytest.mark.parametrize("page", PAGES)
def test_files_that_a_page_names_exist(page: str) -> None:
    """A path into the project's own folders leads somewhere."""
    named = {text for text in quoted(page) if _PATH.fullmatch(text) and text.startswith(FOLDERS)}
    assert {text for text in named if not is_known_path(text)} == set()


@pytest.mark.parametrize("page", ABOUT_THE_CODE)
def test_a_page_about_the_code_uses_its_words_alone(page: str) -> None:
    """Every lower-case name, class and path in code quotes is one that a reader can search for."""
    known = defined() | {name.rpartition(".")[2] for name in modules()}
    unknown = {
        text
        for text in quoted(page)
        if not is_known_path(text)
        and text.removesuffix("()") not in known
        and text not in OTHERS
        and not text.startswith(("regreen ", "python ", "make ", "--", "regreen."))
    }
    assert unknown == set()
