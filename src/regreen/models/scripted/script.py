"""What a script says: rules, matched in order, and the replies that each gives, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from regreen.errors import ModelError
from regreen.models.contract import ToolCall, Usage
from regreen.models.scripted.conversation import Conversation, Counted, Where, without_blanks
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
"""What may go wrong; docs/testserver.md says what each does."""

_CODE_FENCE = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_Natural = Annotated[int, Field(ge=0)]
_Positive = Annotated[int, Field(ge=1)]
_Seconds = Annotated[float, Field(ge=0, le=86_400)]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong instead of a reply, or on its way."""

    __pydantic_config__ = SCRIPT_CONFIG

    kind: FaultKind
    times: _Positive | None = None
    """How often: of a reply, tries of one request; of a rule for faults, requests in all. None is always."""
    status: Annotated[int, Field(ge=500, le=599)] = 500
    """Of an `error`."""
    retry_after: _Seconds | None = None
    """Of `busy` and `error`: the rest that the service asks for."""
    retry_form: Literal["seconds", "date", "ms"] = "seconds"
    """How it says so: `Retry-After: 2`, `Retry-After: <date>` or `Retry-After-Ms: 2000`."""
    seconds: _Seconds = 1.0
    """Of `slow`: how much later the reply comes; of `drip`: the pause between two scraps of it."""


@dataclass(frozen=True, slots=True)
class ReplySpec:
    """One reply of a script."""

    __pydantic_config__ = SCRIPT_CONFIG

    text: ScriptText = ""
    tool_calls: Annotated[tuple[Annotated[ToolCall, CALL_SHAPE], ...], SEQUENCE_ONLY] = ()
    """An empty id is filled in."""
    refusal: str = ""
    """What the model says when it declines."""
    reasoning: str = ""
    finish: Literal["stop", "length", "tool_calls", "content_filter"] | None = None
    """None: what fits the rest."""
    usage: Usage | None = None
    """None: a rough count, four characters a token."""
    latency: _Seconds | None = None
    """Seconds until it is given; None leaves it to the server or the model."""
    fault: Annotated[Fault, ShortForm("kind")] | None = None


_Reply = Annotated[ReplySpec, ShortForm("text")]
Responder = Callable[[Body], ReplySpec]
"""Answers in code what a file of rules cannot say."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Which requests, and what they are answered: every condition that is given has to hold."""

    __pydantic_config__ = SCRIPT_CONFIG

    replies: Annotated[tuple[_Reply, ...], SEQUENCE_ONLY, Field(min_length=1)]
    """By the number of the turn; the last one repeats."""
    contains: ScriptTexts = ()
    """Texts that all have to be there."""
    matches: RegexText | None = None
    """A regular expression that has to be found."""
    where: Where = "any"
    """In which messages both are looked for."""
    turn: _Natural | None = None
    """The number of the turn, from 0."""
    tools: bool | None = None
    """Whether tools are offered."""
    schema: bool | None = None
    """Whether a JSON form is asked for."""
    model: str | None = None
    counted: Counted = "auto"
    """What the number of the turn is."""
    marker: TurnMarker | None = None
    """A regular expression whose one group is a number: the turn is one more than the highest found, 0 without any."""

    def reply_to(self, conversation: Conversation) -> ReplySpec | None:
        """What this rule answers; None where it does not apply."""
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
        """One more than the number of the last reply whose code the conversation quotes."""
        for number in range(len(self.replies) - 1, -1, -1):
            if (code := _code(self.replies[number].text)) and code in conversation.without_blanks:
                return number + 1
        return 0


@dataclass(frozen=True, slots=True)
class FaultRule:
    """A fault by the number of the request, whatever is asked."""

    __pydantic_config__ = SCRIPT_CONFIG

    fault: Annotated[Fault, ShortForm("kind")]
    nth: Annotated[tuple[_Positive, ...], SEQUENCE_ONLY] = ()
    """Which requests, from 1; none given: every one."""
    key: str | None = None
    """Only requests that carry this key, which are then counted apart."""


@dataclass(frozen=True, slots=True)
class Script:
    """All that a scripted model or a test server needs to know."""

    rules: tuple[Rule, ...] = ()
    default: ReplySpec | None = None
    """For what no rule fits; None: such a request is an error."""
    models: tuple[str, ...] = ()
    """The names that are served; none given: any."""
    faults: tuple[FaultRule, ...] = ()
    """Kept by the test server only."""
    responder: Responder | None = None
    """Asked for what no rule fits, before the default."""

    def reply_to(self, body: Body) -> ReplySpec:
        """What the script answers: the same for the same request. Raises ModelError where nothing fits."""
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
    """A script, also of a mere responder."""
    return script if isinstance(script, Script) else Script(responder=script)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=4096)
def _code(text: str) -> str:
    """The longest fenced block of a reply, or all of its lines if there are several, normalised by `without_blanks`."""
    return without_blanks(max(_CODE_FENCE.findall(text), key=len, default=text if "\n" in text else ""))
