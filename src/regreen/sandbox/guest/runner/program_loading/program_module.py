"""Turning a program's text into a live module, inside the sandbox."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any

SEED = 0
"""The seed of a server's random numbers, and so of each child's that is not given another."""
_MOST_TEXTS = 2_000
"""Texts that classes write for their methods, of which what they compile to is kept."""


class LoadsAnew(Exception):
    """A change that has to be loaded anew: it is of what ran while the program was loaded."""


def install_companions(texts: Mapping[str, str], *, rewrite: Callable[[str], str] | None = None) -> None:
    """Make these modules importable, before any installed ones; `texts`: relative path -> text.

    The text of each that is imported is run as `rewrite` gives it.
    """
    if texts:
        # Imported late: few programs have companions, and importlib's own modules are many.
        from regreen.sandbox.guest.runner.program_loading.companion_importer import CompanionImporter

        sys.meta_path.insert(0, CompanionImporter(texts, rewrite))


def seed_random(seed: int) -> None:
    """Seed `random` in this process, if it is loaded: a fork starts with its server's state."""
    if (random := sys.modules.get("random")) is not None:
        random.seed(seed)


def fresh_module(name: str, filename: str) -> ModuleType:
    """An empty module, known to `sys.modules` under its name (and as an attribute of its parent package)."""
    module = ModuleType(name)
    introduce(module, module.__dict__, name, filename)
    return module


def introduce(module: ModuleType, names: dict[str, Any], name: str, filename: str) -> None:
    """Enter a module, whose namespace is `names`, in `sys.modules` under its name: as `fresh_module` does."""
    names["__name__"], names["__file__"] = name, filename
    if "." in name:
        introduce_parents(name)
        parent, _, child = name.rpartition(".")
        setattr(sys.modules[parent], child, module)
    sys.modules[name] = module


def introduce_parents(name: str) -> None:
    """Have an empty package for each that a module is in, by its dotted name, and that was not loaded."""
    parent = name.rpartition(".")[0]
    if parent and parent not in sys.modules:
        fresh_module(parent, parent).__path__ = []


def run_program(source: str, name: str, filename: str) -> ModuleType:
    """Execute a program as a module. Raises whatever the program raises, SyntaxError too."""
    code = compile(source, filename, "exec", dont_inherit=True)
    module = fresh_module(name, filename)
    exec(code, module.__dict__)
    return module


def keep_class_texts() -> None:
    """Have the texts that dataclasses and named tuples write for their methods compiled once in this process.

    A screener makes the same classes for thousands of programs, and most of what a dataclass costs is that. To be
    called again where the modules of both may have been loaded since.
    """
    for module, run in (("dataclasses", exec), ("collections", eval)):
        if module in sys.modules:
            vars(sys.modules[module]).setdefault(run.__name__, _running(run))


def _running(run: Callable[..., Any]) -> Callable[..., Any]:
    def run_kept(text: Any, *namespaces: Any) -> Any:
        return run(_compiled(text, run.__name__) if type(text) is str else text, *namespaces)

    return run_kept


@lru_cache(maxsize=_MOST_TEXTS)
def _compiled(text: str, mode: str) -> CodeType:
    code: CodeType = compile(text, "<string>", mode, dont_inherit=True)
    return code
