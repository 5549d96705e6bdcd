"""Reads a model's reply: raw text in, a whole program or a named reason out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from regreen.propose.edits.apply import apply_edits
from regreen.propose.edits.forms import Refusal, holds_edits, read_edits
from regreen.propose.edits.loose_json import begins_with_json, json_values, read_json
from regreen.propose.reply.blocks import Block, answer_of, fenced_blocks, unwrapped
from regreen.propose.reply.bodies import as_function
from regreen.propose.reply.cut import seems_cut
from regreen.propose.reply.dressings import undress
from regreen.propose.reply.layout import Layout
from regreen.propose.reply.names import defined_names
from regreen.propose.reply.nouns import LONGEST, Fault, FaultKind, Stumble, Taken
from regreen.propose.reply.parsing import Code, Parser
from regreen.propose.reply.patches import Swap, apply_swaps, diff_in, holds_searches, new_side, searches_in
from regreen.propose.reply.rough import RoughProgram
from regreen.propose.reply.same import same_code
from regreen.propose.reply.signature import signature_problem
from regreen.propose.reply.stock import stock_of
from regreen.propose.reply.weave import weave
from regreen.remember import by_text
from regreen.syntax import DEFINITIONS
from regreen.types import Task

_MOST_BLOCKS: Final = 40
"""Blocks that are read, counted from the end."""
_REMEMBERED: Final = 500_000
"""Characters of the programs whose layouts are kept."""
_DEEPEST: Final = 2
"""How often a reply may be wrapped in JSON."""
_CODE_KEYS: Final = (
    *("code", "solution", "program", "fixed_code", "corrected_code", "new_code", "source", "function", "python"),
    *("implementation", "fix", "fixed", "answer", "completion", "content", "output", "result", "arguments", "response"),
)
_REFUSES: Final = re.compile(
    r"\b(?:I'm sorry|I am sorry|I apologi[sz]e|I can(?:no|')t|I can not|I'm unable|I am unable|I won't|as an AI)\b",
    re.IGNORECASE,
)
_WEAK: Final = (FaultKind.UNCHANGED, FaultKind.NO_FUNCTION, FaultKind.REFUSED, FaultKind.NO_CODE)
"""Faults that tell less than one of another block does, weakest last."""


def read_reply(text: str, task: Task, *, base: str | None = None) -> Taken | Fault:
    """The whole program that a model's reply stands for, or why there is none.

    `base` is the program that the model was shown, the task's own when None: what the reply does not give is taken
    from there, and a reply that says the same as it is a fault. Never raises, whatever the text.
    """
    source = task.source if base is None else base
    if max(len(text), len(source)) > LONGEST:
        which = "reply" if len(text) > LONGEST else "program"
        return Fault(FaultKind.TOO_LONG, f"The {which} has more than {LONGEST} characters.")
    if not text.strip():
        return Fault(FaultKind.EMPTY, "The reply is empty.")
    try:
        return _read(text, source, task.entry_point)
    except RecursionError:
        return Fault(FaultKind.SYNTAX, "The code is nested too deeply.")


def _read(text: str, source: str, entry: str | None) -> Taken | Fault:
    """The answer, or the thoughts where the answer has no code."""
    answer, thoughts = answer_of(text)
    reading = _Reading(source, entry, Parser(len(text) + len(source)))
    found = reading.read(answer)
    if isinstance(found, Fault) and found.kind in (FaultKind.NO_CODE, FaultKind.NO_FUNCTION) and thoughts.strip():
        thought = reading.read(thoughts)
        if isinstance(thought, Taken):
            return _noted(thought, ["the code was taken from the thoughts: the answer has none"])
    return found


@dataclass(frozen=True, slots=True)
class _Offer:
    """One block of the reply as code, and how it was read."""

    block: Block
    code: Code
    notes: tuple[str, ...]


@by_text(_REMEMBERED)
def _layout(source: str) -> Layout | None:
    """The layout of a program, which reply after reply is read against; None for what does not parse."""
    code = Parser(len(source)).code(source) if "\r" not in source else None
    return Layout(code) if isinstance(code, Code) else None


class _Reading:
    """One reply against one program."""

    def __init__(self, source: str, entry: str | None, parser: Parser) -> None:
        self._source = source
        self._entry = entry
        self._parser = parser
        self._base = _layout(source)
        self._rough = RoughProgram(source)
        self._names = defined_names(self._base.tree) if self._base else set(self._rough.names)

    def read(self, answer: str, depth: int = 0) -> Taken | Fault:
        """The first of the readings that gives a program; else the fault that tells most."""
        faults: list[Fault] = []
        for found in self._readings(answer, depth):
            if isinstance(found, Taken):
                return found
            faults.append(found)
        return next((f for f in faults if f.kind not in _WEAK), None) or min(
            faults, key=lambda fault: _WEAK.index(fault.kind), default=_no_code(answer)
        )

    def _readings(self, answer: str, depth: int) -> Iterator[Taken | Fault]:
        blocks = fenced_blocks(answer)[-_MOST_BLOCKS:]
        plain = [block for block in blocks if not (holds_searches(block.text) or diff_in(block))]
        whole = Block(unwrapped(answer), closed=False)
        yield from self._wrapped([*plain, Block(answer)], depth)
        if swaps := searches_in(answer):
            yield self._swapped(swaps)
        if hunks := [swap for block in blocks or [whole] for swap in diff_in(block)]:
            yield self._swapped(hunks)
        yield from self._coded(plain)
        if not (hunks or holds_searches(answer)):
            yield from self._coded([whole])

    def _wrapped(self, blocks: Sequence[Block], depth: int) -> Iterator[Taken | Fault]:
        """Code or edits within JSON."""
        for block in reversed(blocks):
            whole = begins_with_json(block.text) or block.tag == "json"
            values = list(json_values(block.text)) if depth < _DEEPEST and (whole or '"edits"' in block.text) else []
            if any(map(holds_edits, values)):
                yield self._edited(block)
            elif whole and values and (found := _code_in(values[0])):
                yield self.read(found, depth + 1)

    def _edited(self, block: Block) -> Taken | Fault:
        edits = read_edits(block.text)
        made = edits if isinstance(edits, Refusal) else apply_edits(self._source, edits)
        if isinstance(made, Refusal):
            return Fault(FaultKind.MISFIT, str(made))
        return self._patched(made.source, made.notes, block.number)

    def _swapped(self, swaps: Sequence[Swap]) -> Taken | Fault:
        """Changes of lines; where they do not fit, the whole functions that they put in."""
        made = apply_swaps(self._source, swaps)
        if not isinstance(made, str):
            return self._patched(made[0], made[1], 0)
        if all(self._is_whole(side) for swap in swaps for side in (swap.old, swap.new)):
            for found in self._coded([Block(new_side(swaps))]):
                if isinstance(found, Taken):
                    return _noted(found, ["the changes do not fit; the whole functions in them were taken"])
        return Fault(FaultKind.MISFIT, made)

    def _is_whole(self, lines: Sequence[str]) -> bool:
        """Whether one side of a change is made of whole definitions, so that nothing of it hangs on the other."""
        tree = self._parser.tree("\n".join(lines))
        kinds = (*DEFINITIONS, ast.Import, ast.ImportFrom)
        return isinstance(tree, ast.Module) and bool(tree.body) and all(isinstance(node, kinds) for node in tree.body)

    def _patched(self, source: str, notes: Iterable[str], number: int) -> Taken | Fault:
        """A program that was made by changing lines, checked."""
        tree = self._parser.tree(source)
        if isinstance(tree, Stumble):
            return Fault(FaultKind.SYNTAX, f"The changed program does not parse. {tree}", tree.line)
        if same_code(source, self._source):
            return Fault(FaultKind.UNCHANGED, "The code is the same as before.")
        after = Layout(Code(source, tree))
        if problem := self._changed_signature(after):
            return Fault(FaultKind.SIGNATURE, problem)
        return Taken(source, tuple(notes), number, self._changed_names(after))

    def _changed_signature(self, after: Layout) -> str | None:
        """Why callers of a function, of the one in question where it has a name, cannot call it any more."""
        before = self._base.every_function if self._base else {}
        asked = [name for name in before if name.rpartition(".")[2] == self._entry] or list(before)
        for name in asked:
            if name not in after.every_function:
                return f"`{name}` is gone. Keep it."
            if problem := signature_problem(before[name], after.every_function[name], is_method="." in name):
                return problem[0].upper() + problem[1:]
        return None

    def _changed_names(self, after: Layout) -> tuple[str, ...]:
        base = self._base
        if base is None:
            return ()
        both = {name: node for name, node in after.every_function.items() if name in base.every_function}
        return tuple(n for n, node in both.items() if after.text(node) != base.text(base.every_function[n]))

    def _coded(self, blocks: Sequence[Block]) -> Iterator[Taken | Fault]:
        """Blocks of code: the last one that defines what is asked for comes first."""
        offers: list[_Offer] = []
        stumbles: list[tuple[Block, Stumble]] = []
        for block in blocks:
            found, notes = undress(block.text, self._wanted(block.text), self._parser)
            if isinstance(found, Stumble):
                stumbles.append((block, found))
            else:
                offers.append(_Offer(block, found, notes))
                stumbles.extend((block, s) for name, s in found.broken.items() if name in self._wanted(block.text))
        useful = [offer for offer in offers if self._names & defined_names(offer.code.tree)]
        best = [offer for offer in useful if self._entry in defined_names(offer.code.tree)] or useful
        for offer in reversed(best):
            yield self._woven(offer, offers)
        yield from self._bodies(blocks)
        for block, stumble in reversed(stumbles):
            if self._defines(block.text):
                yield _broken(block, stumble)
        if not best and (offers or stumbles) and any(offer.code.tree.body for offer in offers):
            yield self._no_function(offers)

    def _woven(self, offer: _Offer, offers: Sequence[_Offer]) -> Taken | Fault:
        """The program with what one block defines, and what the other blocks add to it."""
        if not offer.block.closed and (problem := seems_cut(offer.code, self._base)):
            return Fault(FaultKind.CUT, problem)
        if self._base is None:
            found = self._rough.with_functions(Layout(offer.code), self._entry, self._parser)
        else:
            others = [(Layout(o.code), o.code.broken) for o in offers if o is not offer]
            stock = stock_of([*others, (Layout(offer.code), offer.code.broken)])
            found = weave(self._base, stock, self._entry, self._parser)
        if isinstance(found, Fault):
            return found
        unclosed = ["the fence was never closed"] if offer.block.number and not offer.block.closed else []
        return _noted(replace(found, block=offer.block.number), [*offer.notes, *unclosed])

    def _bodies(self, blocks: Sequence[Block]) -> Iterator[Taken | Fault]:
        """Blocks that hold the inside of the function alone."""
        place = self._base.functions.get(self._entry or "") if self._base else None
        if self._base is None or place is None:
            return
        for block in reversed(blocks):
            if self._defines(block.text):
                continue
            found = as_function(block.text, self._base, place, self._parser)
            if isinstance(found, str):
                yield Fault(FaultKind.NO_FUNCTION, found + " Give the whole function.")
            elif found is not None:
                woven = weave(self._base, stock_of([(Layout(found), {})]), self._entry, self._parser)
                note = [f"the reply holds the body of `{place.name}` alone"]
                yield woven if isinstance(woven, Fault) else _noted(replace(woven, block=block.number), note)

    def _wanted(self, text: str) -> frozenset[str]:
        """Names by which a block is known to have been read well."""
        if self._entry and self._defines(text):
            return frozenset({self._entry})
        return frozenset(self._names)

    def _defines(self, text: str) -> bool:
        """Whether the text seems to define the function, be it well or badly."""
        names = [self._entry] if self._entry else sorted(self._names)
        found = re.findall(r"\b(?:def|class)[ \t\u00a0]+(\w+)", text)
        return not {name.rpartition(".")[2] for name in names}.isdisjoint(found)

    def _no_function(self, offers: Sequence[_Offer]) -> Fault:
        wanted = f"`{self._entry}`" if self._entry else "any function or class of the program"
        found = sorted({name for offer in offers for name in defined_names(offer.code.tree) if "." not in name})
        instead = f" It defines {', '.join(f'`{name}`' for name in found[:5])}." if found else ""
        return Fault(FaultKind.NO_FUNCTION, f"The reply does not define {wanted}.{instead} Give the whole function.")


def _broken(block: Block, stumble: Stumble) -> Fault:
    """Code that does not parse: cut off where the reply ends in it, wrong otherwise."""
    lines = block.text.rstrip().count("\n") + 1
    open_end = any(word in stumble.message for word in ("never closed", "unterminated", "expected an indented", "EOF"))
    if not block.closed and (open_end or stumble.line >= lines):
        return Fault(FaultKind.CUT, f"The reply ends in the midst of the code. {stumble}", stumble.line)
    return Fault(FaultKind.SYNTAX, f"The code is not valid Python. {stumble}", stumble.line)


def _no_code(answer: str) -> Fault:
    if _REFUSES.search(answer[:400]):
        return Fault(FaultKind.REFUSED, "The reply declines and holds no code.")
    return Fault(FaultKind.NO_CODE, "There is no code in the reply. Give the whole function in one fenced block.")


def _code_in(data: Any, depth: int = 0) -> str | None:
    """The text of the code in a JSON value, by the names under which it is given."""
    if isinstance(data, list) and data and all(isinstance(line, str) for line in data):
        return "\n".join(data)
    if isinstance(data, str):
        nested = read_json(data) if begins_with_json(data) else None
        return _code_in(nested, depth + 1) if nested is not None and depth < _DEEPEST else data
    if isinstance(data, dict) and depth <= _DEEPEST:
        for key in _CODE_KEYS:
            if data.get(key) and (found := _code_in(data[key], depth + 1)):
                return found
    return None


def _noted(taken: Taken, notes: Sequence[str]) -> Taken:
    return replace(taken, notes=(*notes, *taken.notes))
