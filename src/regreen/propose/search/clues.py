"""Clues to the bug in the checks, the prose and the failures, gathered once before the search begins."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from regreen.propose.search.constants import MAX_LITERALS, MAX_STRING_CHARACTERS
from regreen.propose.search.raising_places import RaisedException, raised_exceptions
from regreen.propose.search.signatures import ImportedSignatures
from regreen.propose.search.symptoms import NOT_RAISED, failure_symptoms
from regreen.propose.search.text_differences import differing_texts
from regreen.syntax import is_written_number, parse
from regreen.types import CheckResult
from regreen.worked_examples import without_examples

_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:(?=(?:st|nd|rd|th)\b)|(?![\w.]*\w))")
"""As it stands in prose, or as an ordinal: "every 400th"."""
_OBJECT: Final = re.compile(r"<(?:\w+\.)*(\w+) object(?: at 0x)?")
"""An object as Python writes it that has no words of its own."""
_QUOTED: Final = re.compile(
    r"'([^'\n]{0,60})'|\"([^\"\n]{0,60})\"|`([^`\n]{1,60})`".replace("60", str(MAX_STRING_CHARACTERS))
)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_EXCEPTION: Final = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Exit)\b")
_RAISED_AT: Final = re.compile(r"\(line (\d+)\)")
_NUMERALS: Final = {
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "twice": "2",
    "half": "2",
    "percent": "100",
    "hundred": "100",
    "thousand": "1000",
}
HINTS: Final = {
    "strict": ("strictly", "less than", "greater than", "more than", "fewer than", "exclusive", "below", "above"),
    "inclusive": ("at least", "at most", "inclusive", "or equal", "no more than", "no less than", "up to", "both ends"),
    "descending": ("descending", "decreasing", "largest first", "reverse", "highest first", "non-increasing"),
    "ascending": ("ascending", "increasing", "smallest first", "lowest first"),
    "absolute": ("absolute", "magnitude", "distance", "difference between"),
    "unique": ("unique", "distinct", "duplicates", "no repeats", "deduplicat"),
    "case": (
        "case-insensitive",
        "case insensitive",
        "ignoring case",
        "lowercase",
        "uppercase",
        "lower case",
        "upper case",
    ),
    "empty": ("empty", "if there is no", "if there are no", "otherwise none", "or none"),
    "round": ("round", "decimal places", "nearest", "floor", "ceil", "integer part"),
    "copy": ("in place", "not modify", "copy", "unchanged", "new list", "without changing"),
    "strip": ("whitespace", "trim", "strip", "leading", "trailing"),
}


@dataclass(frozen=True, slots=True)
class Clues:
    """Clues to the bug; all may be empty."""

    entry_point: str | None = None
    """Name of the function or class that the checks call; "A.m" for a method."""
    prose: str = ""
    """The statement and the docstrings, without the examples in them."""
    numbers: tuple[str, ...] = ()
    """Numbers in the statement and the docstrings, as written; those of examples are in `inputs` and `outputs`."""
    strings: tuple[str, ...] = ()
    """Quoted strings in the statement and the docstrings, those of examples last."""
    words: frozenset[str] = frozenset()
    """Words in the statement and the docstrings, in lower case."""
    inputs: tuple[str, ...] = ()
    """Number literals in the inputs of the checks, as source text."""
    outputs: tuple[str, ...] = ()
    """Number literals in the expected values of the checks, as source text."""
    input_strings: tuple[str, ...] = ()
    """Strings in the inputs of the checks."""
    output_strings: tuple[str, ...] = ()
    """Strings in the expected values of the checks."""
    keywords: frozenset[str] = frozenset()
    """Names in the inputs of the checks: functions, methods, attributes, keyword arguments."""
    exceptions: tuple[str, ...] = ()
    """Exception classes named in the checks, the statement or the docstrings, after those of `not_raised`."""
    not_raised: tuple[str, ...] = ()
    """Exception classes that failing checks waited for in vain."""
    hints: frozenset[str] = frozenset()
    """Requirements that the prose stresses, e.g. "inclusive"."""
    symptoms: frozenset[str] = frozenset()
    """Ways in which actual values differ from expected ones, e.g. "off_by_one"."""
    raised_lines: frozenset[int] = frozenset()
    """Lines of the program, from 1, at which failing checks raised."""
    raised: tuple[RaisedException, ...] = ()
    """The exceptions that lines of the program raised in failing checks."""
    details: str = ""
    """The messages of the failing checks."""
    objects: tuple[str, ...] = ()
    """The classes of objects that failing checks got where they wanted something else."""
    differing_texts: tuple[tuple[str, str], ...] = ()
    """Pieces of texts that failing checks got, each with what they wanted in its place."""
    imported: ImportedSignatures = field(default_factory=ImportedSignatures)
    """What is known of the functions that the program imports from modules beside it."""


def _numbers(prose: str) -> list[str]:
    """The numbers of a text as Python writes them: `7` of "agent 007"."""
    return [re.sub(r"^(-?)0+(?=\d)", r"\1", number) for number in _NUMBER.findall(prose)]


def gather_clues(
    source: str,
    *,
    entry_point: str | None = None,
    statement: str = "",
    checks_text: str = "",
    failures: Sequence[CheckResult] = (),
    imported: ImportedSignatures | None = None,
) -> Clues:
    """The clues in a program, its statement, its checks and its failures; a part that does not parse gives none."""
    prose = "\n".join((statement, *_docstrings(source)))
    inputs, outputs, keywords = _literals(checks_text)
    said = without_examples(prose)
    words = frozenset(word.lower() for word in _WORD.findall(prose))
    details = "\n".join(failure.detail for failure in failures)
    not_raised = _first("".join(found) for found in NOT_RAISED.findall(details))
    own = {name for name in _own_exceptions(source) if re.search(rf"\b{name}\b", checks_text + prose)}
    return Clues(
        entry_point=entry_point,
        prose=said,
        numbers=_first([*_numbers(said), *(n for word, n in _NUMERALS.items() if word in words)]),
        strings=_first("".join(found) for text in (said, prose) for found in _QUOTED.findall(text)),
        words=words,
        inputs=_first(repr(v) for v in inputs if is_written_number(v)),
        outputs=_first(repr(v) for v in outputs if is_written_number(v)),
        input_strings=_first(v for v in inputs if isinstance(v, str) and len(v) <= MAX_STRING_CHARACTERS),
        output_strings=_first(v for v in outputs if isinstance(v, str) and len(v) <= MAX_STRING_CHARACTERS),
        keywords=keywords,
        exceptions=_first((*not_raised, *_EXCEPTION.findall(checks_text + "\n" + prose), *sorted(own))),
        not_raised=not_raised,
        hints=frozenset(hint for hint, phrases in HINTS.items() if any(p in prose.lower() for p in phrases)),
        symptoms=failure_symptoms(failures),
        raised_lines=frozenset(int(line) for line in _RAISED_AT.findall(details)),
        raised=raised_exceptions(failures),
        details=details,
        objects=_first(name for failure in failures for name in _OBJECT.findall(failure.actual or "")),
        differing_texts=differing_texts(failures),
        imported=imported or ImportedSignatures(),
    )


def _first(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))[:MAX_LITERALS]


def _own_exceptions(source: str) -> Iterator[str]:
    """The exception classes of a program, whatever they are called."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    known: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
            if any(base in known or _EXCEPTION.fullmatch(base) or base == "Exception" for base in bases):
                known.add(node.name)
                yield node.name


def _docstrings(source: str) -> Iterator[str]:
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError):
        yield from re.findall(r'"""(.*?)"""', source, re.DOTALL)
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            yield ast.get_docstring(node) or ""


def _literals(checks_text: str) -> tuple[list[object], list[object], frozenset[str]]:
    """Literal inputs of the checks, literal expected values, and names in the inputs."""
    try:
        tree = parse(checks_text)
    except (SyntaxError, ValueError, RecursionError):
        return [], [], frozenset()
    expected = [part for node in ast.walk(tree) for part in _expectations(node)]
    outputs = [n for part in expected for n in ast.walk(part)]
    wanted = set(outputs)
    inputs = [n for n in ast.walk(tree) if n not in wanted]
    names = {n.attr for n in inputs if isinstance(n, ast.Attribute)}
    names |= {n.id for n in inputs if isinstance(n, ast.Name)}
    names |= {n.arg for n in inputs if isinstance(n, ast.keyword) and n.arg}
    return list(_values(inputs)), list(_values(outputs)), frozenset(names)


def _expectations(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare):
        yield from node.test.comparators
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith("assert"):
        yield from node.args[1:2]


def _values(nodes: Iterable[ast.AST]) -> Iterator[object]:
    for node in nodes:
        if isinstance(node, ast.Constant):
            yield node.value
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = getattr(node.operand, "value", None)
            if isinstance(number, int | float):
                yield -number
