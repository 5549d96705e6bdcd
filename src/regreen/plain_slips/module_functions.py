"""Functions of modules that are out of reach: never imported, sought in a module that has none of that name, or called
as methods of what they are meant to take."""

from __future__ import annotations

import ast
import bisect
import collections
import copy
import functools
import heapq
import itertools
import json
import math
import operator
import random
import re
import statistics
import string
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, names_stored
from regreen.standard_names import MEMBERS, MODULES
from regreen.syntax import DEFINITIONS, FUNCTIONS, is_attribute_of, is_string_statement
from regreen.types import Edit


def lost_imports(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`heapq.heappop(heap)` without `import heapq`, and `heappush` where only `heappop` is imported from there."""
    # A class may read the name of a method in its own body.
    own = {node.name for node in program.nodes if isinstance(node, DEFINITIONS)}
    for name in sorted(program.unbound - own):
        reads = [node for node in program.nodes if isinstance(node, ast.Name) and node.id == name]
        if name in MODULES and all(isinstance(program.parents[read], ast.Attribute) for read in reads):
            yield PlainSlip("lost_import", (new_line(program, f"import {name}"),))
        elif (beside := _imported_from(program, MEMBERS.get(name))) is not None:
            end = program.span(beside)[1]
            yield PlainSlip("lost_import", (Edit(end, end, f", {name}"),))


def new_line(program: LocatedProgram, line: str) -> Edit:
    """A first line of the program, behind its docstring and what it imports from the future."""
    body = [stmt for stmt in program.module.body if not is_string_statement(stmt)]
    first = next((stmt for stmt in body if not _is_from_future(stmt)), body[-1])
    decorators = getattr(first, "decorator_list", [])
    at = program.line_start(decorators[0] if decorators else first)
    return Edit(at, at, f"{line}\n" if isinstance(first, ast.Import | ast.ImportFrom) else f"{line}\n\n")


def _is_from_future(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__"


def _imported_from(program: LocatedProgram, module: str | None) -> ast.ImportFrom | None:
    """The statement of one line that imports names from a module, without brackets."""
    for stmt in program.module.body if module else ():
        is_meant = isinstance(stmt, ast.ImportFrom) and stmt.module == module and not stmt.level
        if is_meant and "(" not in program.text(stmt) and stmt.names[0].name != "*":  # type: ignore[attr-defined]
            return stmt  # type: ignore[return-value]
    return None


def functions_as_methods(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`heap.heappush(item)` for `heapq.heappush(heap, item)`, where something of `heapq` is imported."""
    imported = _ways_to_call(program)
    own = {node.name for node in program.nodes if isinstance(node, FUNCTIONS)}
    modules = {name.partition(".")[0] for name in imported.values()}
    for node in program.nodes:
        function = node.func if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or not isinstance(function, ast.Attribute) or function.attr in own:
            continue
        name, owner = function.attr, program.text(function.value)
        beside = _imported_from(program, MEMBERS[name]) if name in _OF_LISTS.difference(imported) else None
        if (name in imported or beside) and owner not in modules and not isinstance(function.value, ast.Call):
            start, end = program.span(node)
            opened = program.source.index("(", program.span(function)[1]) + 1
            comma = ", " if node.args or node.keywords else ""
            called = f"{imported.get(name, name)}({owner}{comma}"
            at = program.span(beside)[1] if beside else 0
            more = (Edit(at, at, f", {name}"),) if beside else ()
            yield PlainSlip("function_as_method", (*more, Edit(start, end, called + program.source[opened:end])))


def _ways_to_call(program: LocatedProgram) -> dict[str, str]:
    """How the functions that no object has as methods are called in a program, by name; those that are imported."""
    found: dict[str, str] = {}
    for stmt in program.module.body:
        if isinstance(stmt, ast.Import):
            names = {alias.name: alias.asname or alias.name for alias in stmt.names}
            found |= {name: f"{names[MEMBERS[name]]}.{name}" for name in _OF_LISTS if MEMBERS[name] in names}
        elif isinstance(stmt, ast.ImportFrom):
            names = {alias.name: alias.asname or alias.name for alias in stmt.names}
            found |= {name: names[name] for name in _OF_LISTS if name in names and MEMBERS[name] == stmt.module}
    return found


_OF_LISTS: Final = frozenset("heappush heappop heapify heapreplace heappushpop bisect_left bisect_right insort".split())
"""Functions whose first argument is the list that they work on; no list has such methods."""


def flags_for_counts(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`re.sub(pattern, new, text, re.IGNORECASE)`, whose fourth argument is how many to replace."""
    for node in program.nodes:
        function = node.func if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or not is_attribute_of(function, "re"):
            continue
        place = _PLACES_OF_COUNTS.get(function.attr)
        given = node.args[place] if place is not None and len(node.args) == place + 1 else None
        parts = [given.left, given.right] if isinstance(given, ast.BinOp) else [given]
        if given is not None and all(is_attribute_of(part, "re") and part.attr.isupper() for part in parts):
            start = program.span(given)[0]
            yield PlainSlip("flags_for_count", (Edit(start, start, "flags="),))


_PLACES_OF_COUNTS: Final = {"sub": 3, "subn": 3, "split": 2}
"""By function of `re`: the place of the argument that counts."""


def unknown_members(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`heapq.pop(heap)` and `math.square_root(x)`-like names that a module of Python's own does not have."""
    if any(word in program.source for word in _OF_VERSIONS):
        return
    named = {
        alias.asname or alias.name: alias.name
        for stmt in program.module.body
        if isinstance(stmt, ast.Import)
        for alias in stmt.names
        if alias.name in _KNOWN_WHOLLY
    }
    set_names = names_stored(program.module) if named else set()
    for node in program.nodes if named else ():
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        module = named.get(node.value.id)
        if module is None or node.value.id in set_names or node.attr in _KNOWN_WHOLLY[module]:
            continue
        if (meant := _member_meant(module, node.attr)) is not None:
            end = program.span(node)[1]
            yield PlainSlip("unknown_member", (Edit(end - len(node.attr), end, meant),))


_KNOWN_WHOLLY: Final = {
    module.__name__: frozenset(dir(module))
    for module in (
        *(bisect, collections, copy, functools, heapq, itertools, json),
        *(math, operator, random, re, statistics, string),
    )
}
"""What some modules of Python itself have."""
_OF_VERSIONS: Final = ("hasattr(", "AttributeError", "ImportError", "version_info")
_LIKE_MEMBER: Final = 0.75
_PREFIXES: Final = {"heapq": "heap", "bisect": "bisect_"}
_OTHER_WORDS: Final = {
    ("math", "power"): "pow",
    ("math", "square_root"): "sqrt",
    ("math", "ceiling"): "ceil",
    ("random", "randInt"): "randint",
    ("collections", "dequeue"): "deque",
    ("collections", "HashMap"): "defaultdict",
    ("re", "replace"): "sub",
    ("json", "parse"): "loads",
    ("json", "stringify"): "dumps",
    ("copy", "clone"): "copy",
    ("copy", "deep_copy"): "deepcopy",
}
"""What a member of a module is called in other languages, and what it is called here."""


def _member_meant(module: str, name: str) -> str | None:
    """The one member of a module that a name may stand for; None where there is none, or several."""
    if (module, name) in _OTHER_WORDS:
        return _OTHER_WORDS[module, name]
    if (prefixed := _PREFIXES.get(module, "") + name) in _KNOWN_WHOLLY[module]:
        return prefixed
    public = sorted(member for member in _KNOWN_WHOLLY[module] if not member.startswith("_"))
    by_case = [member for member in public if member.lower() == name.lower()]
    close = by_case or get_close_matches(name, public, n=2, cutoff=_LIKE_MEMBER)
    return close[0] if len(close) == 1 else None


def misplaced_imports(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`from collections import heapq`, and `from math import defaultdict`: it is elsewhere."""
    if any(word in program.source for word in _OF_VERSIONS):
        return
    for stmt in program.module.body:
        if not isinstance(stmt, ast.ImportFrom) or stmt.level or stmt.module not in _KNOWN_WHOLLY:
            continue
        lines: dict[str, list[str]] = {}
        for alias in stmt.names:
            text = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
            if alias.name in _KNOWN_WHOLLY[stmt.module] or alias.name == "*":
                lines.setdefault(f"from {stmt.module} import ", []).append(text)
            elif alias.name in MODULES and not alias.asname:
                lines[f"import {alias.name}"] = [""]
            elif alias.name in MEMBERS:
                lines.setdefault(f"from {MEMBERS[alias.name]} import ", []).append(text)
            else:
                break
        else:
            if lines.keys() != {f"from {stmt.module} import "}:
                written = "\n".join(start + ", ".join(names) for start, names in lines.items())
                yield PlainSlip("misplaced_import", program.put(stmt, written))


MODULE_FUNCTIONS: Final = (lost_imports, functions_as_methods, flags_for_counts, unknown_members, misplaced_imports)
