"""Finds the end of a reply: a stop text, or the code block that answers."""

from __future__ import annotations

from collections.abc import Sequence

_FENCES = ("```", "~~~")
_DEFINITION_STARTS = ("def ", "async def ", "class ")
_DATA_STARTS = ("{", "[")
THOUGHT_BEGINS = "<think>"
THOUGHT_ENDS = "</think>"


class CodeBlockWatcher:
    """Finds the end of the first fenced block that answers, in a reply that arrives in pieces.

    A block answers when it holds a definition or JSON. Quotations of the prompt and blocks inside `<think>` are passed
    over.
    """

    def __init__(self, prompt: str, *, thinking: bool = False) -> None:
        self._prompt = prompt
        self._thinking = thinking
        self._fence = ""
        self._block: list[str] = []
        self._line = ""
        self._read = 0

    def feed(self, piece: str) -> int | None:
        """The length of the reply if this piece ends it; else None."""
        self._line += piece
        while "\n" in self._line:
            line, _, self._line = self._line.partition("\n")
            self._read += len(line) + 1
            if self._answered_by(line):
                return self._read - 1
        return None

    def _answered_by(self, line: str) -> bool:
        if not self._fence:
            self._thinking = _still_thinking(line, self._thinking)
            self._fence = "" if self._thinking else opening_fence(line)
            return False
        if not _closes(line, self._fence):
            self._block.append(line)
            return False
        block, self._block, self._fence = self._block, [], ""
        return _is_answer(block) and _squeezed("\n".join(block)) not in _squeezed(self._prompt)


class StopDetector:
    """The growing text of a reply, cut where it ends."""

    def __init__(self, stops: Sequence[str] = (), code: CodeBlockWatcher | None = None) -> None:
        self.text = ""
        self._stops = tuple(stop for stop in stops if stop)
        self._longest = max(map(len, self._stops), default=0)
        self._code = code

    def feed(self, piece: str) -> bool:
        """Add a piece; True if it ends the reply, whose text is then cut there."""
        before = len(self.text)
        self.text += piece
        found = (self.text.find(stop, max(0, before - self._longest + 1)) for stop in self._stops)
        ends = [place for place in found if place >= 0]
        end_of_code = self._code.feed(piece) if self._code else None
        if end_of_code is not None:
            ends.append(end_of_code)
        if ends:
            self.text = self.text[: min(ends)]
        return bool(ends)


def opening_fence(line: str) -> str:
    """The backticks or tildes that open a block in this line; "" for none."""
    bare = line.strip()
    if not bare.startswith(_FENCES):
        return ""
    label = bare.lstrip(bare[0])
    return "" if "`" in label else bare[: len(bare) - len(label)]


def split_thought(text: str, *, thinking: bool) -> tuple[str, str]:
    """The reasoning and the answer of a reply; `thinking`: the prompt ended within a thought.

    A thought without an end leaves no answer.
    """
    bare = text.lstrip()
    if not thinking and not bare.startswith(THOUGHT_BEGINS):
        return "", text
    thought, _, answer = bare.removeprefix(THOUGHT_BEGINS).partition(THOUGHT_ENDS)
    return thought.strip(), answer.lstrip("\n")


def _still_thinking(line: str, thinking: bool) -> bool:
    begins, ends = line.rfind(THOUGHT_BEGINS), line.rfind(THOUGHT_ENDS)
    return thinking if begins == ends else begins > ends


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def _is_answer(block: Sequence[str]) -> bool:
    if any(line.lstrip().startswith(_DEFINITION_STARTS) for line in block):
        return True
    return next((line.lstrip() for line in block if line.strip()), "").startswith(_DATA_STARTS)


def _squeezed(text: str) -> str:
    return "".join(text.split())
