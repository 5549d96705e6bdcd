"""Scripts: rules, matched in order, and the replies that each gives, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from regreen.errors import ModelError
from regreen.models.contract import ToolCall, Usage
from regreen.models.scripted.conversation import Conversation, SearchedMessages, TurnCount, without_blanks
from regreen.models.scripted.script_fields import (
    CALL_SHAPE,
    SEQUENCE_ONLY,
    RegexText,
    ScriptText,
    ScriptTexts,
    ShortForm,
    TurnMarker,
)

SCRIPT_CONFIG = ConfigDict(extra="forbid", allow_inf_nan=False)

Body = Mapping[str, Any]
"""The body of a chat-completions request: `model`, `messages`, `tools` and the rest."""

FaultKind = Literal[
    "busy",
    "quota",
    "error",
    "silent",
    "slow",
    "drip",
    "cut",
    "not_json",
    "wrong_shape",
    "no_choices",
    "unauthorized",
    "unknown_model",
    "no_tools",
    "no_schema",
    "too_long",
    "filtered",
    "bad_arguments",
    "unknown_tool",
]
"""The kinds of faults; docs/testserver.md describes each."""

_CODE_FENCE = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_Natural = Annotated[int, Field(ge=0)]
_Positive = Annotated[int, Field(ge=1)]
_Seconds = Annotated[float, Field(ge=0, le=86_400)]


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure instead of a reply, or on its way."""

    __pydantic_config__ = SCRIPT_CONFIG

    kind: FaultKind
    times: _Positive | None = None
    """How often it happens: of a reply, tries of one request; of a fault rule, requests in all. None means always."""
    status: Annotated[int, Field(ge=500, le=599)] = 500
    """HTTP status of an `error`."""
    retry_after: _Seconds | None = None
    """Seconds that `busy` and `error` ask the client to wait; None: they do not ask."""
    retry_form: Literal["seconds", "date", "ms"] = "seconds"
    """The form of `retry_after`: `Retry-After: 2`, `Retry-After: <date>` or `Retry-After-Ms: 2000`."""
    seconds: _Seconds = 1.0
    """Of `slow`: seconds that the reply is late; of `drip`: seconds between two pieces of it."""


@dataclass(frozen=True, slots=True)
class ReplySpec:
    """A reply of a script."""

    __pydantic_config__ = SCRIPT_CONFIG

    text: ScriptText = ""
    tool_calls: Annotated[tuple[Annotated[ToolCall, CALL_SHAPE], ...], SEQUENCE_ONLY] = ()
    """Calls of tools; an empty id is filled in."""
    refusal: str = ""
    """The text with which the model declines."""
    reasoning: str = ""
    finish: Literal["stop", "length", "tool_calls", "content_filter"] | None = None
    """None: the reason that fits the other fields."""
    usage: Usage | None = None
    """None: a rough count, four characters a token."""
    latency: _Seconds | None = None
    """Seconds until it is given; None leaves it to the server or the model."""
    fault: Annotated[Fault, ShortForm("kind")] | None = None


_Reply = Annotated[ReplySpec, ShortForm("text")]
Responder = Callable[[Body], ReplySpec]
"""A reply computed from the request, where rules do not suffice."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions on a request, all of which have to hold, and the replies to it."""

    __pydantic_config__ = SCRIPT_CONFIG

    replies: Annotated[tuple[_Reply, ...], SEQUENCE_ONLY, Field(min_length=1)]
    """Replies by the number of the turn; the last one repeats."""
    contains: ScriptTexts = ()
    """Texts that all have to occur."""
    matches: RegexText | None = None
    """A regular expression that has to match somewhere."""
    where: SearchedMessages = "any"
    """The messages in which `contains` and `matches` are searched."""
    turn: _Natural | None = None
    """The number of the turn, from 0."""
    tools: bool | None = None
    """Whether tools are offered."""
    schema: bool | None = None
    """Whether a JSON schema is asked for."""
    model: str | None = None
    counted: TurnCount = "auto"
    """How the number of the turn is found."""
    marker: TurnMarker | None = None
    """A regular expression whose one group is a number: the turn is one more than the highest match, or 0."""

    def reply_to(self, conversation: Conversation) -> ReplySpec | None:
        """The reply of this rule; None where it does not apply."""
        if not self._applies(conversation):
            return None
        turn = self._turn(conversation)
        if self.turn is not None and self.turn != turn:
            return None
        return self.replies[min(turn, len(self.replies) - 1)]

    def _applies(self, conversation: Conversation) -> bool:
        text = conversation.text(self.where)
        # A loop, as a generator costs more than the search itself: a script may have hundreds of rules.
        for part in self.contains:
            if part not in text:
                return False
        if self.tools not in (None, conversation.tools) or self.schema not in (None, conversation.schema):
            return False
        if self.model not in (None, conversation.model):
            return False
        return self.matches is None or _compiled(self.matches).search(text) is not None

    def _turn(self, conversation: Conversation) -> int:
        if self.marker is not None:
            found = _compiled(self.marker).findall(conversation.text("any"))
            return max((int(number) for number in found if number.isdecimal()), default=-1) + 1
        if self.counted in ("assistant", "tools"):
            return conversation.count("assistant" if self.counted == "assistant" else "tool")
        quoted = self._quoted(conversation)
        return quoted if self.counted == "quoted" else max(quoted, conversation.count("assistant"))

    def _quoted(self, conversation: Conversation) -> int:
        """One more than the number of the last reply whose code the conversation quotes; 0 if there is none."""
        for number in range(len(self.replies) - 1, -1, -1):
            if (code := _code(self.replies[number].text)) and code in conversation.without_blanks:
                return number + 1
        return 0


@dataclass(frozen=True, slots=True)
class FaultRule:
    """A fault by the number of the request, whatever its content."""

    __pydantic_config__ = SCRIPT_CONFIG

    fault: Annotated[Fault, ShortForm("kind")]
    nth: Annotated[tuple[_Positive, ...], SEQUENCE_ONLY] = ()
    """Numbers of requests, from 1; empty means every request."""
    key: str | None = None
    """Only requests with this API key, counted apart; None means all."""


@dataclass(frozen=True, slots=True)
class Script:
    """The replies and faults of a scripted model or a test server."""

    rules: tuple[Rule, ...] = ()
    default: ReplySpec | None = None
    """The reply where no rule applies; None makes such a request an error."""
    models: tuple[str, ...] = ()
    """Names of the models on offer; empty means any."""
    faults: tuple[FaultRule, ...] = ()
    """Faults of the test server; a scripted model ignores them."""
    responder: Responder | None = None
    """Gives the reply where no rule applies, before the default."""

    def reply_to(self, body: Body) -> ReplySpec:
        """The reply of the script, equal for equal requests. Raises ModelError where nothing applies."""
        conversation = Conversation(body)
        for rule in self.rules:
            if (reply := rule.reply_to(conversation)) is not None:
                return reply
        if self.responder is not None:
            return self.responder(body)
        if self.default is not None:
            return self.default
        raise ModelError("No rule of the script fits this request.", remedy="Add a default to the script.")


def as_script(script: Script | Responder) -> Script:
    """The script; a responder becomes a script without rules."""
    return script if isinstance(script, Script) else Script(responder=script)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=4096)
def _code(text: str) -> str:
    """The longest fenced block of a reply, or all of its lines if there are several, normalised by `without_blanks`."""
    return without_blanks(max(_CODE_FENCE.findall(text), key=len, default=text if "\n" in text else ""))
