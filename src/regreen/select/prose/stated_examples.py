"""Examples that prose gives: `f(3) -> 9`, `f([]) == 0`, those that look like a prompt, and `"boxes" for "box"`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from regreen.select.inputs.scenarios import Scenario
from regreen.syntax import DEFINITIONS, FUNCTIONS, UNPARSABLE, Function, callee_name, parsed_or_none, walk

_ARROW = re.compile(
    r"\s*(?:->|=>|==|=(?!=)|➞|→|⇒|⟹|(?:returns|gives|yields|is|should (?:be|give|return)|must be)\b)\s*"
)
_NAME = re.compile(r"\b([A-Za-z_]\w*)\(")
_ERROR = re.compile(r"(?:raises\s+)?([A-Z]\w*(?:Error|Exception))\b")
_LONGEST = 300
"""Characters of a call in an example."""
_MOST_EXAMPLES = 16
_FOR = re.compile(r"(?<=[\w\"')\]}`]) for (?=[\"'\d\[({`-])")
_BECOMES = re.compile(r"(?<=[\w\"')\]}`]) (?:becomes|gives|->|=>|→) (?=[\"'\d\[({`-])")
_NEXT = re.compile(r";\s|[,.]?\s+(?:and\s+)?(?=[A-Za-z_]\w*\()|\.\s")
"""Where the next example or sentence begins."""
_TEXT_OR_MORE = (str, bytes, list, tuple, dict, set)


@dataclass(frozen=True)
class DocumentedExample:
    """What prose says that the program answers."""

    scenario: Scenario
    answer: str
    """As programs are observed to answer: a value's `repr`, or "raises NAME"."""
    quote: str
    """The words that say so."""
    is_certain: bool = True
    """Whether it is written as an example; what a sentence says may have been misread."""


def documented_examples(program: str, statement: str, names: Set[str]) -> list[DocumentedExample]:
    """The examples in the docstrings of a program and in its statement, each call once; `names` are the program's."""
    module = parsed_or_none(program)
    texts = [statement]
    for node in walk(module) if module else ():
        if isinstance(node, (*DEFINITIONS, ast.Module)):
            texts.append(ast.get_docstring(node) or "")
    found: dict[str, DocumentedExample] = {}
    for text in texts:
        for example in _examples(text, names):
            asked = _of_an_object(example, module) if module else example
            if asked is not None:
                found.setdefault(asked.scenario.words, asked)
    for function in (node for node in module.body if isinstance(node, FUNCTIONS)) if module else ():
        for example in _pairs_said(function):
            found.setdefault(example.scenario.words, example)
    return list(found.values())[:_MOST_EXAMPLES]


def _examples(text: str, names: Set[str]) -> Iterator[DocumentedExample]:
    lines = text.splitlines()
    for line, following in pairwise([*lines, ""]):
        for start in (found.start() for found in _NAME.finditer(line) if found[1] in names):
            call, rest = _call(line[start:])
            arrow = _ARROW.match(rest)
            is_prompt = line[:start].strip() == ">>>" and not rest.strip()
            if call is None or not (arrow or is_prompt):
                continue
            answer = _answer(following if is_prompt or arrow is None else rest[arrow.end() :])
            if answer is not None:
                quote = f"{line.strip()} {following.strip()}" if is_prompt else line.strip()
                yield DocumentedExample(Scenario((), call), answer, quote)


def _of_an_object(example: DocumentedExample, module: ast.Module) -> DocumentedExample | None:
    """The example, where it calls a method by its name alone asked of a new object; None where none can be made."""
    call = example.scenario.observed
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return example
    name = call.func.id
    if any(isinstance(node, DEFINITIONS) and node.name == name for node in module.body):
        return example
    owners = [node for node in module.body if isinstance(node, ast.ClassDef) and name in _functions_of(node)]
    if not owners:
        return example
    if len(owners) > 1 or not _is_made_of_nothing(owners[0]):
        return None
    made = ast.Call(ast.Name(owners[0].name, ast.Load()), [], [])
    asked = ast.Call(ast.Attribute(made, name, ast.Load()), call.args, call.keywords)
    return replace(example, scenario=Scenario((), ast.fix_missing_locations(asked)))


def _functions_of(owner: ast.ClassDef) -> dict[str, Function]:
    return {node.name: node for node in owner.body if isinstance(node, FUNCTIONS)}


def _is_made_of_nothing(owner: ast.ClassDef) -> bool:
    """Whether an object of a class can be made without arguments, as far as its own text tells."""
    begin = _functions_of(owner).get("__init__")
    if begin is None:
        return not owner.bases and not owner.decorator_list
    given = begin.args
    needed = len(given.posonlyargs) + len(given.args) - len(given.defaults) - 1
    return needed <= 0 and None not in given.kw_defaults


def _pairs_said(function: Function) -> Iterator[DocumentedExample]:
    """What the docstring of a function of one argument says it gives for which: `(1, 10) for "1.10"`."""
    given = function.args
    needed = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    if needed != 1 or any(default is None for default in given.kw_defaults):
        return
    for line in (ast.get_docstring(function) or "").splitlines():
        for word, is_turned in ((_FOR, True), (_BECOMES, False)):
            for found in word.finditer(line):
                sides = (_literal_before(line[: found.start()]), _literal_after(line[found.end() :]))
                answer, argument = sides if is_turned else sides[::-1]
                # Two plain numbers may be anything: a price, a page.
                if (
                    answer
                    and argument
                    and any(isinstance(ast.literal_eval(side), _TEXT_OR_MORE) for side in sides if side)
                ):
                    call = ast.parse(f"{function.name}({argument})", mode="eval").body
                    yield DocumentedExample(Scenario((), call), answer, line.strip(), is_certain=False)


def _literal_before(text: str) -> str | None:
    """The longest literal that a text ends with, as its `repr`."""
    starts = (n for n in range(max(len(text) - _LONGEST, 0), len(text)) if n == 0 or text[n - 1] in " `(:,")
    return next((found for n in starts if (found := _literal(text[n:].strip("`"))) is not None), None)


def _literal_after(text: str) -> str | None:
    """The longest literal that a text begins with, as its `repr`."""
    ends = (n for n in range(min(len(text), _LONGEST), 0, -1) if n == len(text) or text[n] in " `.,;:)")
    return next((found for n in ends if (found := _literal(text[:n].strip("`"))) is not None), None)


def _literal(text: str) -> str | None:
    """The `repr` of a literal; a tuple stands in brackets, or else its commas are those of a sentence.

    None also where that is none again, as of `1e999`.
    """
    try:
        value = ast.literal_eval(text)
        ast.literal_eval(repr(value))
    except (*UNPARSABLE, TypeError):
        return None
    return None if isinstance(value, tuple) and not text.endswith(")") else repr(value)


def _call(text: str) -> tuple[ast.expr | None, str]:
    """The call with literal arguments that a text begins with, and what follows it."""
    for end in (n + 1 for n, letter in enumerate(text[:_LONGEST]) if letter == ")"):
        try:
            node = ast.parse(text[:end], mode="eval").body
        except UNPARSABLE:
            continue
        is_call = isinstance(node, ast.Call) and bool(callee_name(node))
        return (node, text[end:]) if is_call and _has_literals(node) else (None, "")
    return None, ""


def _has_literals(node: ast.AST) -> bool:
    """Whether nothing but the callee is a name: all that is handed over is written out."""
    return sum(isinstance(inner, ast.Name) for inner in walk(node)) == 1


def _answer(text: str) -> str | None:
    """The answer that a text begins with: a literal up to its end or to a remark, or the name of an exception."""
    if error := _ERROR.match(text.strip()):
        return f"raises {error[1]}"
    plain = text.partition("#")[0].strip()
    # A sentence ends with a dot, a number hardly ever.
    ended = plain.rstrip(".,;")
    for written in (ended, text.strip(), plain, plain.split("  ")[0], plain.partition(" (")[0], _NEXT.split(plain)[0]):
        try:
            return repr(ast.literal_eval(written))
        except (*UNPARSABLE, TypeError):
            continue
    return None
