"""Finds the end of a reply, in the same place whoever wrote it: a stop text, the code block that answers, or a loop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from regreen.models.contract import Finish, Reply, Request

_FENCES = ("```", "~~~")
_DEFINITION_STARTS = ("def ", "async def ", "class ")
_DATA_STARTS = ("{", "[")
THOUGHT_BEGINS = "<think>"
THOUGHT_ENDS = "</think>"
LOOP_CHARACTERS = 600
"""A text has to repeat itself over so many characters ..."""
_LOOP_TIMES = 5
"""... and so many times ..."""
_LONGEST_LOOP = 3_000
"""... within so many characters, to be a loop."""
_LOOK_EVERY = 200
"""Characters between two looks for a loop."""
_TELLING = 16
"""Characters at the end of a text that are looked for in what comes before, where a loop is to be found."""
_MOST_PROSE = 4_000
"""Characters that may come before the code of a reply that is being generated; more where the prompt is longer."""
_BETWEEN_ANSWERS = 400
"""Characters between two blocks that answer: a model that corrects itself does so at once."""
_ITEM_NUMBER = re.compile(r"^[ \t]*\d+[.)](?=\s)", re.MULTILINE)
_ANY_NUMBER = re.compile(r"\d+")


class CodeBlockWatcher:
    """Finds the end of the last fenced block that answers, in a reply that arrives in pieces.

    A block answers when it holds a definition or JSON. Quotations of the prompt and blocks inside `<think>` are passed
    over. Further ones count up to `answers` in all, where each begins soon behind the one before; a reply that says one
    again is over.
    """

    def __init__(self, prompt: str, *, thinking: bool = False, answers: int = 1) -> None:
        self._prompt = prompt
        self._thinking = thinking
        self._answers = answers
        self._given: list[str] = []
        self._answered_at = 0
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
            if self._is_over_with(line):
                return self._answered_at
        return None

    def _is_over_with(self, line: str) -> bool:
        block = self._block_closed_by(line)
        if block is not None and _is_answer(block):
            said = _squeezed("\n".join(block))
            if said in self._given:
                return True
            if said not in _squeezed(self._prompt):
                self._given.append(said)
                self._answered_at = self._read - 1
        if len(self._given) >= self._answers:
            return True
        return bool(self._given) and not self._fence and self._read - self._answered_at > _BETWEEN_ANSWERS

    def _block_closed_by(self, line: str) -> list[str] | None:
        """The lines of the block that this line closes; None where it closes none."""
        if not self._fence:
            self._thinking = _still_thinking(line, self._thinking)
            self._fence = "" if self._thinking else opening_fence(line)
            return None
        if not _closes(line, self._fence):
            self._block.append(line)
            return None
        block, self._block, self._fence = self._block, [], ""
        return block


class ReplyEnd(StrEnum):
    """What ended a reply before the model did."""

    STOP = "stop"
    """A stop text."""
    CODE = "code"
    """The end of the code block that answers, the last one where there are several."""
    LOOP = "loop"
    """It repeated itself."""
    PROSE = "prose"
    """It had said a lot without a line of code."""


RAMBLING = (ReplyEnd.LOOP, ReplyEnd.PROSE)
"""Ends of replies that would not have come to one soon."""


class StopDetector:
    """The growing text of a reply, cut where it ends."""

    def __init__(
        self,
        stops: Sequence[str] = (),
        code: CodeBlockWatcher | None = None,
        *,
        most_prose: int | None = None,
        is_data: bool = False,
    ) -> None:
        """`most_prose`: the characters after which a reply without code ends, thoughts left out; None for no limit.

        `is_data`: the reply is JSON. Small models that are held to a form fill its lists without end.
        """
        self.text = ""
        self.found: ReplyEnd | None = None
        """What has ended the reply; None while it goes on."""
        self._stops = tuple(stop for stop in stops if stop)
        self._longest = max(map(len, self._stops), default=0)
        self._code = code
        self._next_look = LOOP_CHARACTERS
        self._most_prose = most_prose
        self._is_data = is_data

    def feed(self, piece: str) -> bool:
        """Add a piece; True if it ends the reply, whose text is then cut there."""
        while piece:
            # Looked for loops at the same lengths, however the text is cut into pieces: the same thing ends it first.
            room = self._next_look - len(self.text)
            if self._add(piece[:room]):
                return True
            piece = piece[room:]
        return False

    def _add(self, piece: str) -> bool:
        before = len(self.text)
        self.text += piece
        found = (self.text.find(stop, max(0, before - self._longest + 1)) for stop in self._stops)
        ends = [(place, ReplyEnd.STOP) for place in found if place >= 0]
        end_of_code = self._code.feed(piece) if self._code else None
        if end_of_code is not None:
            ends.append((end_of_code, ReplyEnd.CODE))
        if not ends and len(self.text) >= self._next_look:
            ends += self._rambles()
        if ends:
            place, self.found = min(ends)
            self.text = self.text[:place]
        return bool(ends)

    def _rambles(self) -> list[tuple[int, ReplyEnd]]:
        self._next_look += _LOOK_EVERY
        place = loop_begins(self.text, is_data=self._is_data)
        if place is not None:
            return [(place, ReplyEnd.LOOP)]
        if self._most_prose is not None and _prose(self.text) > self._most_prose:
            return [(len(self.text), ReplyEnd.PROSE)]
        return []


def loop_begins(text: str, *, is_data: bool = False) -> int | None:
    """Where the second of the equal pieces begins with which a text ends; None where it does not repeat itself.

    The number of an item in a list is no difference; in data, no number is: the same edit of one line after the other.
    Few repetitions may be meant, such as the rows of a table.
    """
    plain = (_ANY_NUMBER if is_data else _ITEM_NUMBER).sub(lambda found: "#" * len(found[0]), text[-_LONGEST_LOOP:])
    end = plain[-_TELLING:]
    at = plain.rfind(end, 0, -1)
    while at >= 0:
        period = len(plain) - len(end) - at
        length = max(LOOP_CHARACTERS, _LOOP_TIMES * period)
        if length > len(plain):
            return None
        if plain[-length:-period] == plain[period - length :]:
            return len(text) - _periodic(plain, period) + period
        at = plain.rfind(end, 0, at + len(end) - 1)
    return None


def _prose(text: str) -> int:
    """How many characters of a reply are words to the reader; 0 where there is code, or a thought without an end."""
    said = text.rpartition(THOUGHT_ENDS)[2]
    return 0 if THOUGHT_BEGINS in said or any(mark in said for mark in (*_FENCES, *_DEFINITION_STARTS)) else len(said)


def _periodic(text: str, period: int) -> int:
    """How many characters at the end of a text repeat with this period."""
    at = len(text) - 1
    while at >= period and text[at] == text[at - period]:
        at -= 1
    return len(text) - at - 1 + period


def quotable_prompt(request: Request) -> str | None:
    """The text whose code blocks a reply may quote; None where blocks do not end a reply, since tools are offered."""
    return None if request.tools else "\n".join(message.content for message in request.messages)


def prose_limit(request: Request) -> int:
    """The characters after which a reply without code need not be waited for: it may be as long as the prompt."""
    return max(_MOST_PROSE, sum(len(message.content) for message in request.messages))


def detector_for(request: Request, *, most_prose: int | None = None) -> StopDetector:
    """Finds the end of the reply to a request."""
    quotable = quotable_prompt(request)
    code = None if quotable is None else CodeBlockWatcher(quotable, answers=request.answers)
    return StopDetector(request.stop, code, most_prose=most_prose, is_data=request.json_schema is not None)


def ended(reply: Reply, request: Request) -> Reply:
    """The reply up to its end, which `extra` then names: all that follows is no part of it.

    A service that streams has been stopped there; another one's reply is cut, so that the same text counts.
    """
    detector = detector_for(request)
    if not detector.feed(reply.text) or detector.found is None:
        return reply
    finish = (
        Finish.LENGTH if detector.found is ReplyEnd.LOOP else Finish.TOOL_CALLS if reply.tool_calls else Finish.STOP
    )
    return replace(reply, text=detector.text, finish=finish, extra={**reply.extra, "ended": detector.found.value})


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
