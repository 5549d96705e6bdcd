"""Reads a model's reply: raw text in, a whole program or a named reason out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from regreen.propose.edits.apply import apply_edits
from regreen.propose.edits.line_edit import EditRefusal, holds_edits, read_edits
from regreen.propose.edits.loose_json import begins_with_json, json_values
from regreen.propose.reply.blocks import MAX_JSON_DEPTH, Block, answer_of, code_in_json, fenced_blocks, unwrapped
from regreen.propose.reply.code_equality import same_code
from regreen.propose.reply.completeness import truncation
from regreen.propose.reply.fit import function_from_body
from regreen.propose.reply.layout import Layout
from regreen.propose.reply.merge import merge_definitions
from regreen.propose.reply.name_analysis import defined_names
from regreen.propose.reply.normaliser import normalise_code
from regreen.propose.reply.parsing import BudgetedParser, ParsedCode
from regreen.propose.reply.replacements import (
    LineReplacement,
    apply_replacements,
    diff_hunks_in,
    holds_search_blocks,
    new_side,
    search_blocks_in,
)
from regreen.propose.reply.reply_result import MAX_CHARACTERS, ReplyFault, ReplyFaultKind, ReplyProgram, SyntaxProblem
from regreen.propose.reply.signature import lost_signature
from regreen.propose.reply.symbol_index import index_symbols
from regreen.propose.reply.unparsable import UnparsableProgram
from regreen.syntax import DEFINITIONS
from regreen.text_cache import cached_by_text
from regreen.types import Task

_MAX_BLOCKS: Final = 40
"""Blocks of a reply that are read; the last ones count."""
_MOST_PROGRAMS: Final = 5
"""Programs that are taken from one reply."""
_REMEMBERED: Final = 500_000
"""Characters of the programs whose layouts are kept."""
_REFUSES: Final = re.compile(
    r"\b(?:I'm sorry|I am sorry|I apologi[sz]e|I can(?:no|')t|I can not|I'm unable|I am unable|I won't|as an AI)\b",
    re.IGNORECASE,
)
_LEAST_TELLING: Final = (
    ReplyFaultKind.UNCHANGED,
    ReplyFaultKind.NO_FUNCTION,
    ReplyFaultKind.REFUSED,
    ReplyFaultKind.NO_CODE,
)
"""Faults that say less than any other, the least telling last."""


def read_reply(text: str, task: Task, *, base: str | None = None) -> ReplyProgram | ReplyFault:
    """The whole program that a model's reply describes, or why there is none.

    `base` is the program that the model was shown, the task's own when None: what the reply does not give is taken
    from there, and a reply that says the same as it is a fault. Never raises, whatever the text.
    """
    found = read_programs(text, task, base=base, most=1)
    return found if isinstance(found, ReplyFault) else found[0]


def read_code(text: str, source: str) -> ReplyProgram | ReplyFault:
    """The same for the text of one module, of which no function is in question more than others."""
    found = _programs_in(text, source, None, 1)
    return found if isinstance(found, ReplyFault) else found[0]


def read_programs(
    text: str, task: Task, *, base: str | None = None, most: int = _MOST_PROGRAMS
) -> tuple[ReplyProgram, ...] | ReplyFault:
    """The whole programs that the reply's blocks of code describe, at most so many, or why there is none.

    The first is that of `read_reply`; then come those of the blocks before it, the last one first.
    """
    return _programs_in(text, task.source if base is None else base, task.entry_point, most)


def _programs_in(text: str, source: str, entry_point: str | None, most: int) -> tuple[ReplyProgram, ...] | ReplyFault:
    if max(len(text), len(source)) > MAX_CHARACTERS:
        which = "reply" if len(text) > MAX_CHARACTERS else "program"
        return ReplyFault(ReplyFaultKind.TOO_LONG, f"The {which} has more than {MAX_CHARACTERS} characters.")
    if not text.strip():
        return ReplyFault(ReplyFaultKind.EMPTY, "The reply is empty.")
    try:
        return _read(text, _ReplyReader(source, entry_point, BudgetedParser(len(text) + len(source)), most))
    except RecursionError:
        return ReplyFault(ReplyFaultKind.SYNTAX, "The code is nested too deeply.")


def _read(text: str, reader: _ReplyReader) -> tuple[ReplyProgram, ...] | ReplyFault:
    """The programs of the answer, or of the thoughts where the answer has no code."""
    answer, thoughts = answer_of(text)
    found = reader.read(answer)
    if (
        isinstance(found, ReplyFault)
        and found.kind in (ReplyFaultKind.NO_CODE, ReplyFaultKind.NO_FUNCTION)
        and thoughts.strip()
    ):
        thought = reader.read(thoughts)
        if not isinstance(thought, ReplyFault):
            note = ["the code was taken from the thoughts: the answer has none"]
            return tuple(_noted(program, note) for program in thought)
    return found


@dataclass(frozen=True, slots=True)
class _CodeBlock:
    """One block of the reply as code, and notes on how it was read."""

    block: Block
    code: ParsedCode
    notes: tuple[str, ...]


@cached_by_text(_REMEMBERED)
def _layout(source: str) -> Layout | None:
    """The layout of a program, remembered for further replies to it; None where it does not parse."""
    code = BudgetedParser(len(source)).code(source) if "\r" not in source else None
    return Layout(code) if isinstance(code, ParsedCode) else None


class _ReplyReader:
    """Reads one reply to one program."""

    def __init__(self, source: str, entry: str | None, parser: BudgetedParser, most: int) -> None:
        self._source = source
        self._most = most
        self._entry = entry
        self._parser = parser
        self._base = _layout(source)
        self._unparsable = UnparsableProgram(source)
        self._names = defined_names(self._base.tree) if self._base else set(self._unparsable.names)

    def read(self, answer: str, depth: int = 0) -> tuple[ReplyProgram, ...] | ReplyFault:
        """The programs of the first reading that gives any; else the most telling fault."""
        faults: list[ReplyFault] = []
        for reading in self._readings(answer, depth):
            programs: list[ReplyProgram] = []
            for found in reading:
                if isinstance(found, ReplyFault):
                    faults.append(found)
                    continue
                programs.append(found)
                if len(programs) == self._most:
                    break
            if programs:
                return tuple(programs)
        return next((f for f in faults if f.kind not in _LEAST_TELLING), None) or min(
            faults, key=lambda fault: _LEAST_TELLING.index(fault.kind), default=_no_code_fault(answer)
        )

    def _readings(self, answer: str, depth: int) -> Iterator[Iterable[ReplyProgram | ReplyFault]]:
        """The ways to read an answer; what one of them finds are programs that stand beside one another."""
        blocks = fenced_blocks(answer)[-_MAX_BLOCKS:]
        plain = [block for block in blocks if not (holds_search_blocks(block.text) or diff_hunks_in(block))]
        whole = Block(unwrapped(answer), closed=False)
        yield from self._in_json([*plain, Block(answer)], depth)
        if replacements := search_blocks_in(answer):
            yield [self._by_replacements(replacements)]
        if hunks := [replacement for block in blocks or [whole] for replacement in diff_hunks_in(block)]:
            yield [self._by_replacements(hunks)]
        yield from self._by_definitions(plain)
        if not (hunks or holds_search_blocks(answer)):
            yield from self._by_definitions([whole])

    def _in_json(self, blocks: Sequence[Block], depth: int) -> Iterator[Sequence[ReplyProgram | ReplyFault]]:
        """Read code or edits in JSON, block by block."""
        for block in reversed(blocks):
            whole = begins_with_json(block.text) or block.tag == "json"
            values = (
                list(json_values(block.text)) if depth < MAX_JSON_DEPTH and (whole or '"edits"' in block.text) else []
            )
            if any(map(holds_edits, values)):
                yield [self._by_edits(block)]
            elif whole and values and (found := code_in_json(values[0])):
                inner = self.read(found, depth + 1)
                yield [inner] if isinstance(inner, ReplyFault) else inner

    def _by_edits(self, block: Block) -> ReplyProgram | ReplyFault:
        edits = read_edits(block.text)
        made = edits if isinstance(edits, EditRefusal) else apply_edits(self._source, edits)
        if isinstance(made, EditRefusal):
            return ReplyFault(ReplyFaultKind.MISFIT, str(made))
        return self._changed_program(made.source, made.notes, block.number)

    def _by_replacements(self, replacements: Sequence[LineReplacement]) -> ReplyProgram | ReplyFault:
        """Read changes of lines; where they do not fit, the whole functions in them."""
        made = apply_replacements(self._source, replacements)
        if not isinstance(made, str):
            return self._changed_program(made[0], made[1], 0)
        if all(self._is_whole(side) for replacement in replacements for side in (replacement.old, replacement.new)):
            for found in chain.from_iterable(self._by_definitions([Block(new_side(replacements))])):
                if isinstance(found, ReplyProgram):
                    return _noted(found, ["the changes do not fit; the whole functions in them were taken"])
        return ReplyFault(ReplyFaultKind.MISFIT, made)

    def _is_whole(self, lines: Sequence[str]) -> bool:
        """Whether one side of a change is made of whole definitions, and so does not depend on the other."""
        tree = self._parser.tree("\n".join(lines))
        kinds = (*DEFINITIONS, ast.Import, ast.ImportFrom)
        return isinstance(tree, ast.Module) and bool(tree.body) and all(isinstance(node, kinds) for node in tree.body)

    def _changed_program(self, source: str, notes: Iterable[str], number: int) -> ReplyProgram | ReplyFault:
        """The program after changes of lines, if it parses, differs, and can be called as before."""
        tree = self._parser.tree(source)
        if isinstance(tree, SyntaxProblem):
            return ReplyFault(ReplyFaultKind.SYNTAX, f"The changed program does not parse. {tree}", tree.line)
        if same_code(source, self._source):
            return ReplyFault(ReplyFaultKind.UNCHANGED, "The code is the same as before.")
        after = Layout(ParsedCode(source, tree))
        before = self._base.every_function if self._base else {}
        if problem := lost_signature(before, after.every_function, self._entry):
            return ReplyFault(ReplyFaultKind.SIGNATURE, problem)
        return ReplyProgram(source, tuple(notes), number, self._changed_names(after))

    def _changed_names(self, after: Layout) -> tuple[str, ...]:
        base = self._base
        if base is None:
            return ()
        both = {name: node for name, node in after.every_function.items() if name in base.every_function}
        return tuple(n for n, node in both.items() if after.text(node) != base.text(base.every_function[n]))

    def _by_definitions(self, blocks: Sequence[Block]) -> Iterator[Iterable[ReplyProgram | ReplyFault]]:
        """Read blocks of code: the last one that defines the entry point comes first."""
        code_blocks: list[_CodeBlock] = []
        problems: list[tuple[Block, SyntaxProblem]] = []
        for block in blocks:
            found, notes = normalise_code(block.text, self._wanted(block.text), self._parser)
            if isinstance(found, SyntaxProblem):
                problems.append((block, found))
            else:
                code_blocks.append(_CodeBlock(block, found, notes))
                problems.extend((block, s) for name, s in found.broken.items() if name in self._wanted(block.text))
        useful = [code_block for code_block in code_blocks if self._names & defined_names(code_block.code.tree)]
        best = [code_block for code_block in useful if self._entry in defined_names(code_block.code.tree)] or useful
        yield (self._merged(code_block, code_blocks) for code_block in reversed(best))
        for bare_body in self._by_bare_body(blocks):
            yield [bare_body]
        yield [_syntax_fault(block, problem) for block, problem in reversed(problems) if self._defines(block.text)]
        if not best and (code_blocks or problems) and any(code_block.code.tree.body for code_block in code_blocks):
            yield [self._no_function(code_blocks)]

    def _merged(self, code_block: _CodeBlock, code_blocks: Sequence[_CodeBlock]) -> ReplyProgram | ReplyFault:
        """The program with what one block defines, and what it uses from the other blocks."""
        if not code_block.block.closed and (problem := truncation(code_block.code, self._base)):
            return ReplyFault(ReplyFaultKind.CUT, problem)
        if self._base is None:
            found = self._unparsable.with_functions(Layout(code_block.code), self._entry, self._parser)
        else:
            others = [(Layout(o.code), o.code.broken) for o in code_blocks if o is not code_block]
            index = index_symbols([*others, (Layout(code_block.code), code_block.code.broken)])
            found = merge_definitions(self._base, index, self._entry, self._parser)
        if isinstance(found, ReplyFault):
            return found
        unclosed = ["the fence was never closed"] if code_block.block.number and not code_block.block.closed else []
        return _noted(replace(found, block=code_block.block.number), [*code_block.notes, *unclosed])

    def _by_bare_body(self, blocks: Sequence[Block]) -> Iterator[ReplyProgram | ReplyFault]:
        """Read blocks that hold the body of the function alone."""
        place = self._base.functions.get(self._entry or "") if self._base else None
        if self._base is None or place is None:
            return
        for block in reversed(blocks):
            if self._defines(block.text):
                continue
            found = function_from_body(block.text, self._base, place, self._parser)
            if isinstance(found, str):
                yield ReplyFault(ReplyFaultKind.NO_FUNCTION, found + " Give the whole function.")
            elif found is not None:
                merged = merge_definitions(self._base, index_symbols([(Layout(found), {})]), self._entry, self._parser)
                note = [f"the reply holds the body of `{place.name}` alone"]
                yield merged if isinstance(merged, ReplyFault) else _noted(replace(merged, block=block.number), note)

    def _wanted(self, text: str) -> frozenset[str]:
        """Names of which one has to be defined for a block to count as read."""
        if self._entry and self._defines(text):
            return frozenset({self._entry})
        return frozenset(self._names)

    def _defines(self, text: str) -> bool:
        """Whether the text seems to define the function, in valid Python or not."""
        names = [self._entry] if self._entry else sorted(self._names)
        found = re.findall(r"\b(?:def|class)[ \t\u00a0]+(\w+)", text)
        return not {name.rpartition(".")[2] for name in names}.isdisjoint(found)

    def _no_function(self, code_blocks: Sequence[_CodeBlock]) -> ReplyFault:
        wanted = f"`{self._entry}`" if self._entry else "any function or class of the program"
        found = sorted(
            {name for code_block in code_blocks for name in defined_names(code_block.code.tree) if "." not in name}
        )
        instead = f" It defines {', '.join(f'`{name}`' for name in found[:5])}." if found else ""
        return ReplyFault(
            ReplyFaultKind.NO_FUNCTION, f"The reply does not define {wanted}.{instead} Give the whole function."
        )


def _syntax_fault(block: Block, problem: SyntaxProblem) -> ReplyFault:
    """The fault of code that does not parse: cut off where the reply ends in it, invalid otherwise."""
    lines = block.text.rstrip().count("\n") + 1
    open_end = any(word in problem.message for word in ("never closed", "unterminated", "expected an indented", "EOF"))
    if not block.closed and (open_end or problem.line >= lines):
        return ReplyFault(ReplyFaultKind.CUT, f"The reply ends in the midst of the code. {problem}", problem.line)
    return ReplyFault(ReplyFaultKind.SYNTAX, f"The code is not valid Python. {problem}", problem.line)


def _no_code_fault(answer: str) -> ReplyFault:
    if _REFUSES.search(answer[:400]):
        return ReplyFault(ReplyFaultKind.REFUSED, "The reply declines and holds no code.")
    return ReplyFault(
        ReplyFaultKind.NO_CODE, "There is no code in the reply. Give the whole function in one fenced block."
    )


def _noted(taken: ReplyProgram, notes: Sequence[str]) -> ReplyProgram:
    return replace(taken, notes=(*notes, *taken.notes))
