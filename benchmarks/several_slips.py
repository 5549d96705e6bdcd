"""How many programs with several slips each the search repairs, where it sees every check.

    python benchmarks/several_slips.py --slips 2 [--data FILE] [--every 5] [--seconds 45] [-v]

The slips are the plain ones of people who type and think too fast: another operator, a number one off, another
variable, a misspelt one, `+ 1` lost, a statement lost. They know nothing of the templates of the search. The programs
are the right ones of `bundled` and, with --data, of the even-numbered tasks of the published HumanEvalFix JSONL. Each
slip changes which checks fail, unless all of them do. The same seed makes the same programs.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from choice import cases_of

from regreen.config import load_settings
from regreen.strategies.resources import Resources, open_resources
from regreen.strategies.search import Search
from regreen.types import Case, Stop, SuiteKind

SWAPS = {
    **{"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",)},
    **{"+": ("-", "*"), "-": ("+",), "*": ("+",), "//": ("/", "%"), "/": ("//",), "%": ("//",), "**": ("*",)},
    **{"+=": ("-=", "="), "-=": ("+=",), "and": ("or",), "or": ("and",), "not": ("",), "elif": ("if",)},
    **{"min": ("max",), "max": ("min",), "sum": ("len",), "len": ("sum",), "sorted": ("list",), "set": ("list",)},
    **{"True": ("False",), "False": ("True",), "break": ("continue",), "continue": ("break", "pass")},
    **{"append": ("extend", "insert"), "lower": ("upper",), "upper": ("lower",), "if": ("while",)},
}
WEIGHTS = {"another operator": 6, "another variable": 3, "one off": 3, "a lost one": 3, "a lost line": 2, "misspelt": 1}
"""How often each kind of slip is made, beside the others."""
TRIES = 40
LOST_LINES = 2
"""Lines of a statement that is lost, at most."""


class Slip(NamedTuple):
    """A piece of text and what stands in its place."""

    kind: str
    start: int
    end: int
    text: str


class Broken(NamedTuple):
    """A program with its slips."""

    source: str
    slips: tuple[str, ...]
    """In words."""


def slips_of(source: str) -> Iterator[Slip]:
    """Every slip that a program allows; not all of them are Python."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    yield from _lost_lines(tree, starts)
    variables = _variables(tree)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for before, token, after in zip([tokens[0], *tokens], tokens, tokens[1:], strict=False):
        start, end = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
        if token.string != "if" or token.line.strip().startswith("if"):
            yield from (Slip("another operator", start, end, text) for text in SWAPS.get(token.string, ()))
        if token.string in variables and before.string not in ("def", "for", "."):
            yield from (Slip("another variable", start, end, name) for name in sorted(variables - {token.string}))
            yield Slip("misspelt", start, end, token.string + "s")
        if token.type == tokenize.NUMBER and token.string.isdigit():
            yield from (Slip("one off", start, end, str(int(token.string) + by)) for by in (1, -1))
        if token.string in ("+", "-") and after.string == "1":
            yield Slip("a lost one", start, starts[after.end[0] - 1] + after.end[1], "")


def _lost_lines(tree: ast.Module, starts: list[int]) -> Iterator[Slip]:
    blocks = (getattr(node, field, None) for node in ast.walk(tree) for field in ("body", "orelse"))
    for block in blocks:
        for statement in block if isinstance(block, list) and len(block) > 1 else ():
            assert statement.end_lineno is not None
            is_short = statement.end_lineno - statement.lineno < LOST_LINES
            if is_short and isinstance(statement, ast.Assign | ast.AugAssign | ast.Return | ast.If | ast.Expr):
                yield Slip("a lost line", starts[statement.lineno - 1], starts[statement.end_lineno], "")


def _variables(tree: ast.Module) -> set[str]:
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg) and n.arg not in ("self", "cls")}


def broken(resources: Resources, case: Case, count: int, seed: int) -> Broken | None:
    """The reference with so many slips; None where they cannot be made."""
    if case.hidden.kind is not SuiteKind.SCRIPT or not case.reference:
        return None
    rng = random.Random(f"{case.task.id} {count} {seed}")
    source, red, words = case.reference, frozenset[str](), []
    every = frozenset(check.id for check in case.hidden.checks)
    for _ in range(TRIES):
        if len(words) == count:
            return Broken(source, tuple(words))
        by_kind: dict[str, list[Slip]] = {}
        for slip in slips_of(source):
            by_kind.setdefault(slip.kind, []).append(slip)
        kinds = sorted(by_kind)
        slip = rng.choice(by_kind[rng.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]])
        changed = source[: slip.start] + slip.text + source[slip.end :]
        try:
            ast.parse(changed)
        except SyntaxError:
            continue
        now = every - resources.judge.judge(changed, case.hidden, resources.limits).green
        if now and (now != red or now == every):
            line = source.count("\n", 0, slip.start) + 1
            words.append(f"`{source[slip.start : slip.end].strip()}` became `{slip.text}` in line {line}")
            source, red = changed, now
    return None


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the published HumanEvalFix JSONL; `bundled` alone without it")
    parser.add_argument("--slips", type=int, default=2, help="in each program")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth program only")
    parser.add_argument("--seconds", type=float, default=45, help="of one search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each program")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_file():
        print(f"{options.data} is not there; get HumanEvalFix's Python JSONL, or leave --data out.", file=sys.stderr)
        return 2
    cases = [*cases_of(None, None, "all"), *(cases_of(options.data, None, "even") if options.data else ())]
    made = fixed = 0
    with open_resources(load_settings()) as opened:
        resources = replace(opened, budget=replace(opened.budget, seconds=options.seconds))
        for case in cases[:: options.every]:
            program = broken(resources, case, options.slips, options.seed)
            if program is None:
                continue
            repair = Search(resources).repair(replace(case.task, source=program.source, suite=case.hidden))
            made, fixed = made + 1, fixed + (repair.stop is Stop.FIXED)
            if options.verbose:
                print(case.task.id, repair.stop, repair.cost.candidates, *program.slips, sep="; ", flush=True)
    print(f"{fixed} of {made} programs with {options.slips} slips each repaired")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
