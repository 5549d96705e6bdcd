"""What the search can put back: parts of right programs that are taken out, and whether one change restores them.

    python benchmarks/lost_parts.py [--shelf FOLDER ...] [--programs 60] [--seed 1] [--kinds guard,filter] [--show]

Of the right programs of shelves (without --shelf those of benchmarks/shelves/upkeep and casework) one part of each kind
is taken out: a statement, a guard, a clause of a condition, a filter, an argument, a call around a value, a method, an
operand, a slice, a branch of a conditional expression. What no hidden check notices is left out. The search is given
all hidden checks, and its single changes are gone through in their order, without being run, until one gives the right
program again (blanks, brackets and the messages of exceptions aside), or 30,000 of them or 25 seconds have gone by. So
this asks which families of slips there are at all, and how early they come; not what is found by another way round.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from regreen.config import load_settings
from regreen.propose.search.mutation import Mutation, splice_edits
from regreen.strategies.resources import Resources, open_resources
from regreen.strategies.searching.program_search import ProgramSearch
from regreen.strategies.searching.search_findings import SearchFindings
from regreen.strategies.searching.searched_program import SearchedProgram
from regreen.strategies.session import RepairSession
from regreen.syntax import parsed_or_none
from regreen.tasks.shipped import read_shelf
from regreen.types import Case
from regreen.verify.baseline import Baseline
from regreen.verify.suites import read_suite

SHELVES = Path(__file__).parent / "shelves"
MOST_CHANGES = 30_000
SECONDS = 25.0
BATCH = 256
TRIES = 8
"""Losses that are tried before a program is left out."""
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Continue, ast.Break, ast.Raise, ast.Delete)


@dataclass(frozen=True)
class Loss:
    """A right program without one of its parts."""

    kind: str
    part: str
    """The part, as it stood there."""
    program: str


class Text:
    """A program's text, by nodes: they count columns in bytes."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._bytes = source.encode()
        self._starts = [0]
        for line in self._bytes.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where a node begins and ends, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node."""
        return self._bytes[slice(*self.span(node))].decode()

    def put(self, start: int, end: int, text: str) -> str:
        """The program with other text between two places."""
        return (self._bytes[:start] + text.encode() + self._bytes[end:]).decode()

    def without_lines(self, node: ast.stmt) -> str:
        """The program without the lines of a statement."""
        lines = self.source.splitlines(keepends=True)
        return "".join(lines[: node.lineno - 1] + lines[node.end_lineno or node.lineno :])


def losses(source: str) -> Iterator[Loss]:
    """Every loss of a part of a program; some do not parse."""
    text = Text(source)
    for node in ast.walk(ast.parse(source)):
        yield from _lost_statements(node, text)
        if isinstance(node, ast.expr):
            for kind, kept in _lost_in_expression(node, text):
                yield Loss(kind, text.of(node), text.put(*text.span(node), kept))
        elif isinstance(node, ast.comprehension) and node.ifs:
            start, end = text.span(node.iter)[1], text.span(node.ifs[-1])[1]
            asked = " and ".join(map(text.of, node.ifs))
            yield Loss(
                "filter", f"for {text.of(node.target)} in {text.of(node.iter)} if {asked}", text.put(start, end, "")
            )


def _lost_statements(node: ast.AST, text: Text) -> Iterator[Loss]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if not isinstance(block, list) or len(block) < 2 or isinstance(node, ast.Module | ast.ClassDef):
            continue
        for statement in block:
            is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, SIMPLE) and not is_docstring:
                yield Loss("statement", text.of(statement), text.without_lines(statement))
            elif isinstance(statement, ast.If) and not statement.orelse and len(statement.body) < 3:
                yield Loss("guard", text.of(statement), text.without_lines(statement))


def _lost_in_expression(node: ast.expr, text: Text) -> Iterator[tuple[str, str]]:
    """The kinds of what an expression may lose, each with what is left of it."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            word = " and " if isinstance(node.op, ast.And) else " or "
            yield "clause", word.join(text.of(other) for other in node.values if other is not value)
    elif isinstance(node, ast.IfExp):
        yield from (("branch", text.of(kept)) for kept in (node.body, node.orelse))
    elif isinstance(node, ast.BinOp) and not isinstance(node.right, ast.BinOp):
        yield "operand", text.of(node.left)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield "slice", text.of(node.value)
    elif isinstance(node, ast.Call):
        yield from _lost_in_call(node, text)


def _lost_in_call(node: ast.Call, text: Text) -> Iterator[tuple[str, str]]:
    given = [text.of(argument) for argument in node.args]
    given += [f"{keyword.arg or '**'}{'=' if keyword.arg else ''}{text.of(keyword.value)}" for keyword in node.keywords]
    if isinstance(node.func, ast.Name) and len(given) == 1 and not node.func.id[0].isupper():
        yield "call", given[0]
    if isinstance(node.func, ast.Attribute) and not node.args and text.of(node.func.value) not in ("self", "cls"):
        yield "method", text.of(node.func.value)
    for at in range(max(len(node.args) - 1, 0), len(given) if len(given) > 1 else 0):
        yield "argument", f"{text.of(node.func)}({', '.join(given[:at] + given[at + 1 :])})"


def as_compared(source: str) -> str:
    """A program without what the comparison leaves aside."""
    bare = re.sub(r"raise (\w+)\(.*\)( from \w+)?$", r"raise \1", source, flags=re.MULTILINE)
    bare = re.sub(r" < 1\b", " <= 0", re.sub(r" >= 1\b", " > 0", bare))
    return re.sub(r"[\s()]", "", bare.replace('"', "'"))


def place_of_repair(resources: Resources, case: Case, loss: Loss) -> tuple[int, Mutation | None] | None:
    """How many changes were gone through, and the one that restores the program; None where no check notices."""
    session = RepairSession(resources, replace(case.task, source=loss.program, suite=case.hidden))
    baseline = session.examine()
    if not baseline.red or not baseline.green:
        return None
    wanted, since, count = as_compared(case.reference), time.monotonic(), 0
    for mutation in single_changes(session, baseline, loss.program):
        count += 1
        if as_compared(splice_edits(loss.program, mutation.edits)) == wanted:
            return count, mutation
        if count >= MOST_CHANGES or time.monotonic() - since > SECONDS:
            break
    return count, None


def single_changes(session: RepairSession, baseline: Baseline, program: str) -> Iterator[Mutation]:
    """The changes that the search would try first, in their order; nothing where it could not begin."""
    suite, findings = baseline.suite, SearchFindings()
    search = ProgramSearch(
        session, SearchedProgram(program), suite, baseline, session.budget, session.deadline, findings
    )
    search.run(0)
    while search.mutations is not None and (batch := search.mutations.next_batch(BATCH)):
        yield from batch


def drawn(shelves: Sequence[Path], kinds: Sequence[str], seed: int) -> list[tuple[Case, Loss]]:
    """One loss of each kind in each right program, in any order."""
    rng = random.Random(seed)
    found: list[tuple[Case, Loss]] = []
    for shelf in shelves:
        for case in read_shelf(shelf, shelf.name, read_suite):
            by_kind: dict[str, list[Loss]] = {}
            for loss in losses(case.reference):
                by_kind.setdefault(loss.kind, []).append(loss)
            found += [(case, rng.choice(by_kind[kind])) for kind in sorted(by_kind) if not kinds or kind in kinds]
    rng.shuffle(found)
    return found


def with_loss(resources: Resources, case: Case, seed: int) -> Case | None:
    """A case whose program is the reference without one of its parts, as a visible check notices; None where none
    does."""
    rng = random.Random(f"{case.task.id}{seed}")
    by_kind: dict[str, list[Loss]] = {}
    for loss in losses(case.reference) if case.reference else ():
        if parsed_or_none(loss.program) is not None:
            by_kind.setdefault(loss.kind, []).append(loss)
    for _ in range(TRIES if by_kind else 0):
        loss = rng.choice(by_kind[rng.choice(sorted(by_kind))])
        visible = resources.judge.judge(loss.program, case.task.suite, resources.limits)
        if not visible.passed and not resources.judge.judge(loss.program, case.hidden, resources.limits).passed:
            return replace(case, task=replace(case.task, source=loss.program))
    return None


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shelf", type=Path, nargs="+", default=[SHELVES / "upkeep", SHELVES / "casework"])
    parser.add_argument("--programs", type=int, default=60, help="how many programs with a loss are looked at")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="", help="kinds of parts, with commas between them; all without it")
    parser.add_argument("--show", action="store_true", help="print each part, and the family that restores it")
    options = parser.parse_args()
    ranks: dict[str, list[int | None]] = {}
    with open_resources(load_settings({})) as resources:
        for case, loss in drawn(options.shelf, [kind for kind in options.kinds.split(",") if kind], options.seed):
            try:
                ast.parse(loss.program)
            except SyntaxError:
                continue
            if (found := place_of_repair(resources, case, loss)) is None:
                continue
            count, mutation = found
            ranks.setdefault(loss.kind, []).append(count if mutation else None)
            if options.show:
                told = f"{count} {mutation.template}" if mutation else "-"
                print(f"{case.task.id} {loss.kind}: {' '.join(loss.part.split())[:100]} | {told}", flush=True)
            if sum(map(len, ranks.values())) >= options.programs:
                break
    for kind, some in sorted(ranks.items()):
        restored = [rank for rank in some if rank is not None]
        middle = f"{median(restored):.0f}" if restored else "-"
        print(f"{kind:<12}{len(restored):>4} of {len(some):<4} restored by one change; median place {middle}")
    every = [rank for some in ranks.values() for rank in some]
    print(f"{'all':<12}{sum(rank is not None for rank in every):>4} of {len(every)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
