"""How many programs with slips of syntax the search repairs, half of them with an ordinary bug behind the slip.

    python benchmarks/syntax.py [--candidates 10000] [--seconds 60] [--only RULE] [--tasks 100] [-v]

Each program of `bundled` is broken by one of the general rules below, at a place that a fixed seed chooses: every
second one with its bug left in, the others in their repaired form. The search sees what `regreen fix` would see.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from regreen.sandbox.pool import open_pool
from regreen.strategies.resources import Resources
from regreen.strategies.search import Search
from regreen.tasks.shipped import load_bundled
from regreen.types import Budget, Case, Limits, Stop, Task
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

Broken = Iterator[str]
"""Texts that a rule makes of a program, each broken in one place; some may still parse."""


def _replaced(text: str, pattern: str, new: str) -> Broken:
    for found in re.finditer(pattern, text, re.MULTILINE):
        yield text[: found.start()] + found.expand(new) + text[found.end() :]


def _no_colon(text: str) -> Broken:
    """The colon of a statement's head is lost."""
    return _replaced(text, r":[ ]*$", "")


def _no_closing_bracket(text: str) -> Broken:
    return _replaced(text, r"[)\]}]", "")


def _no_opening_bracket(text: str) -> Broken:
    return _replaced(text, r"[(\[{]", "")


def _no_quote(text: str) -> Broken:
    return _replaced(text, r"(?<!\")[\"'](?!\")", "")


def _no_indent(text: str) -> Broken:
    """The first line of a block stands where the block's head does."""
    return _replaced(text, r"(?<=:\n)    (?=[ ]*\S)", "")


def _deep_indent(text: str) -> Broken:
    return _replaced(text, r"^(    +)(?=\S)", r"\1  ")


def _assignment_for_equality(text: str) -> Broken:
    return _replaced(text, "==", "=")


def _no_comma(text: str) -> Broken:
    return _replaced(text, r",(?= )", "")


def _misspelt_keyword(text: str) -> Broken:
    return _replaced(text, r"\b(ret)(urn)\b|\b(wh)(ile)\b|\b(el)(if)\b|\b(els)(e)\b|\b(impo)(rt)\b", r"\1\3\5\7\9x")


def _cut_line(text: str) -> Broken:
    """A line ends in the middle of its statement."""
    for found in re.finditer(r"^ +\S.{10,}$", text, re.MULTILINE):
        half = found.start() + (len(found.group()) - len(found.group().lstrip()) + len(found.group())) // 2
        yield text[:half] + text[found.end() :]


def _cut_end(text: str) -> Broken:
    """The whole text ends in the middle of its last statement."""
    lines = text.rstrip().split("\n")
    last = lines[-1]
    for part in (2, 3, 4):
        at = len(last) - max(1, len(last.strip()) // part)
        yield "\n".join([*lines[:-1], last[:at]])


def _two_slips(text: str) -> Broken:
    """A colon and a bracket, in different lines."""
    for once in _no_colon(text):
        yield from _no_closing_bracket(once)


RULES: dict[str, Callable[[str], Broken]] = {
    "no colon": _no_colon,
    "no closing bracket": _no_closing_bracket,
    "no opening bracket": _no_opening_bracket,
    "no quote": _no_quote,
    "no indent": _no_indent,
    "deep indent": _deep_indent,
    "= for ==": _assignment_for_equality,
    "no comma": _no_comma,
    "misspelt keyword": _misspelt_keyword,
    "cut line": _cut_line,
    "cut end": _cut_end,
    "two slips": _two_slips,
}


def broken(text: str, rule: str, rng: Random) -> str | None:
    """The text broken by a rule at some place; None where the rule finds none."""
    texts = [new for new in RULES[rule](text) if not _parses(new)]
    return rng.choice(texts) if texts else None


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def tasks(cases: Iterator[Case]) -> Iterator[tuple[str, bool, Task]]:
    """Rule, whether a bug is behind the slip, and the task."""
    names = list(RULES)
    for number, case in enumerate(cases):
        buggy = number % 2 == 0
        source = case.task.source if buggy else case.reference
        for turn in range(len(names)):
            rule = names[(number // 2 + turn) % len(names)]
            text = broken(source or "", rule, Random(number))
            if text is not None:
                yield rule, buggy, Task(case.task.id, text, case.task.entry_point, case.hidden, case.task.statement)
                break


def main() -> int:
    """Repair all of them and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", type=int, default=10_000, help="candidates a program")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds a program")
    parser.add_argument("--tasks", type=int, default=100, help="programs at most")
    parser.add_argument("--only", choices=RULES, help="one rule alone")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each program")
    options = parser.parse_args()
    fixed, seen = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    started = time.monotonic()
    with open_pool() as pool:
        budget = Budget(candidates=options.candidates, seconds=options.seconds)
        search = Search(Resources(pool, SandboxJudge(pool), Limits(), budget))
        chosen = [t for t in tasks(iter(load_bundled(read_suite))) if options.only in (None, t[0])][: options.tasks]
        for rule, buggy, task in chosen:
            repair = search.repair(task)
            seen[rule, buggy] += 1
            fixed[rule, buggy] += repair.stop is Stop.FIXED
            if options.verbose:
                kind = "slip and bug" if buggy else "slip"
                print(f"{task.id:<32}{rule:<20}{kind:<14}{repair.stop:<12}{repair.cost.candidates:>7}", flush=True)
    print(f"{'':<22}{'slip alone':>14}{'slip and bug':>16}")
    for rule in [name for name in RULES if seen[name, False] + seen[name, True]]:
        cells = [f"{fixed[rule, buggy]} of {seen[rule, buggy]}" for buggy in (False, True)]
        print(f"{rule:<22}{cells[0]:>14}{cells[1]:>16}")
    print(f"{sum(fixed.values())} of {sum(seen.values())} repaired in {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
