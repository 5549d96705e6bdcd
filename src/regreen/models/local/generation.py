"""A reply while it is generated: its request, its tokens and their text, and its end."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from regreen.models.contract import Finish
from regreen.models.reply_end import RAMBLING, THOUGHT_ENDS, CodeBlockWatcher, ReplyEnd, StopDetector

_REPLACEMENT_CHARACTER = "\N{REPLACEMENT CHARACTER}"
_TOKENS_A_CHARACTER = 8
"""Most tokens that one character may take: above its four bytes."""

_Decode = Callable[[Sequence[int]], str]


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """The prompt and the settings of one reply."""

    prompt: tuple[int, ...]
    limit: int
    """Most tokens of the reply, from 1."""
    temperature: float = 0.0
    """0 takes the likeliest token every time."""
    seed: int | None = None
    """Seed of the sampling; None for a random one."""
    stops: tuple[str, ...] = ()
    """Texts at which the reply ends; they are not part of it."""
    quotable: str | None = None
    """The prompt's text: the reply ends with the last code block that answers and does not quote it.
    None: code blocks do not end the reply."""
    answers: int = 1
    """The most code blocks that may answer."""
    thinking: bool = False
    """Whether the prompt ends within a thought."""
    most_prose: int | None = None
    """Characters after which a reply without code ends; None for no limit."""


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """The text of a complete reply."""

    text: str
    tokens: int
    finish: str
    thought_tokens: int = 0
    """Tokens before the end of the reasoning."""
    ended: ReplyEnd | None = None
    """What ended the reply before the model did."""


class IncrementalDecoder:
    """Decodes tokens one by one, into whole characters."""

    def __init__(self, decode: _Decode) -> None:
        self._decode = decode
        self._window: list[int] = []
        self._known = 0
        self._before = ""

    def feed(self, token: int) -> str:
        """The text that this token completes; "" within a character."""
        self._window.append(token)
        now = self._decode(self._window)
        waits = len(self._window) - self._known < _TOKENS_A_CHARACTER
        if waits and (now.endswith(_REPLACEMENT_CHARACTER) or len(now) <= len(self._before)):
            return ""
        return self._advance(now)

    def rest(self) -> str:
        """The text of the remaining tokens, complete or not."""
        return self._advance(self._decode(self._window)) if len(self._window) > self._known else ""

    def _advance(self, now: str) -> str:
        # The text of a token may depend on the one before, which is therefore decoded with it.
        piece = now[len(self._before) :]
        self._window = self._window[self._known :]
        self._known = len(self._window)
        self._before = self._decode(self._window)
        return piece


class BatchRow:
    """One request in the batch; only the generating thread changes it."""

    def __init__(
        self,
        order: GenerationRequest,
        decode: _Decode,
        ends: frozenset[int] = frozenset(),
        hidden: frozenset[int] = frozenset(),
    ) -> None:
        self.order = order
        self.tokens: list[int] = []
        self.future: Future[GeneratedText] = Future()
        self._seed = random.SystemRandom().getrandbits(64) if order.seed is None else order.seed
        self.finish: str | None = None
        self.abandoned = False
        """Set by the asking thread when it does not wait for the reply any more."""
        code = None
        if order.quotable is not None:
            code = CodeBlockWatcher(order.quotable, thinking=order.thinking, answers=order.answers)
        self._ending = StopDetector(order.stops, code, most_prose=order.most_prose)
        self._reader = IncrementalDecoder(decode)
        self._ends = ends
        self._hidden = hidden
        self._thought_tokens = 0

    def __len__(self) -> int:
        return len(self.order.prompt) + len(self.tokens)

    @property
    def context(self) -> list[int]:
        """Every token so far, of prompt and reply."""
        return [*self.order.prompt, *self.tokens]

    @property
    def reach(self) -> int:
        """The most tokens that prompt and reply can have."""
        return len(self.order.prompt) + self.order.limit

    @property
    def draw(self) -> float:
        """A number in [0, 1) that draws the next token; it depends on the seed and the token's place alone."""
        return random.Random(f"{self._seed}/{len(self.tokens)}").random()

    @property
    def done(self) -> bool:
        """Whether no more tokens are wanted."""
        return self.finish is not None or self.abandoned

    def take(self, token: int) -> None:
        """Add a token that was chosen."""
        self.tokens.append(token)
        if token in self._ends or self._is_over(token):
            self.finish = Finish.LENGTH if self._ending.found in RAMBLING else Finish.STOP
        elif len(self.tokens) >= self.order.limit:
            self.finish = Finish.LENGTH

    def deliver(self) -> None:
        """Hand the complete reply to the waiting thread."""
        if self.finish is not None and not self.future.done():
            self.future.set_result(self._written(self.finish))

    def fail(self, error: Exception) -> None:
        """Raise the error in the waiting thread."""
        if not self.future.done():
            self.future.set_exception(error)

    def _is_over(self, token: int) -> bool:
        piece = "" if token in self._hidden else self._reader.feed(token)
        over = bool(piece) and self._ending.feed(piece)
        if not self._thought_tokens and ">" in piece and THOUGHT_ENDS in self._ending.text:
            self._thought_tokens = len(self.tokens)
        return over

    def _written(self, finish: str) -> GeneratedText:
        if not self._ending.found and (finish == Finish.LENGTH or self.tokens[-1] in self._ends):
            self._ending.feed(self._reader.rest())
        return GeneratedText(self._ending.text, len(self.tokens), finish, self._thought_tokens, self._ending.found)
