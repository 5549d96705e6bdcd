"""Errors of model services: what a service or a library reports, told apart and worded as a ModelError."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from regreen.errors import ContextTooLong, ModelError, ModelUnavailable, ToolsUnsupported
from regreen.models.providers import Endpoint

_LONGEST_QUOTE = 400
"""Characters of a service's own words in a message."""
_MOST_NAMED = 5
"""Models listed in a remedy."""

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|available context|(?:prompt|input) is too long"
    r"|too many (?:input )?tokens|reduce the length of the|input tokens exceed|request too large"
    r"|exceeds the maximum number of tokens"
)
_ABOUT_TOOLS = re.compile(r"\btools?\b|\btool[_ ]choice\b|function[ _-]?call")
_NOT_TAKEN = re.compile(
    r"support|requires? --|not permitted|not allowed|unrecogni[sz]ed|unknown|unexpected|enable|disabled"
)
_FILTERED = re.compile(r"content[ _]?(?:filter|policy)|content_policy_violation|requires moderation|flagged")
_ABOUT_THE_MODEL = re.compile(
    r"model[ _]?not[ _]?found|\bmodel\b.{0,200}?(?:not found|does not exist|not exist|not supported|invalid)"
)
_RESPONSES_ONLY = re.compile(r"v1/responses|responses api")
_NO_CREDIT = re.compile(r"insufficient[ _](?:quota|balance|credits?|funds)|exceeded your current quota|billing")
_BAD_KEY = re.compile(r"api[ _]key not valid|invalid api[ _]key|incorrect api key")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]+")
_SERVER_COMMANDS = {
    "ollama": "`ollama serve`",
    "vllm": "`vllm serve {model}`",
    "lmstudio": "`lms server start`",
    "llamacpp": "`llama-server -m FILE.gguf`",
}
"""How the servers that run on the user's own machine are started."""
_LIKE_A_KEY = re.compile(r"\b(?:sk|gsk|hf|pk|xai|tgp|key|AIza)[-_]?[\w*.-]{12,}")


class TransientError(ModelUnavailable):
    """A failure of the service or the way to it that may pass; `after` is how long it asks us to wait, in seconds."""

    def __init__(
        self,
        message: str,
        *,
        after: float | None = None,
        busy: bool = False,
        absent: bool = False,
        remedy: str = "",
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.after = after
        self.busy = busy
        """Whether the service is alive and says that it is asked too often."""
        self.absent = absent
        """Whether it is one that the user starts, and it is not running."""


class KeyRefused(ModelError):
    """The service does not take this key."""


class UnknownModel(ModelError):
    """The service does not know the model."""


class ResponsesApiOnly(ModelError):
    """The model answers OpenAI's Responses API alone."""


class FilterRefusal(ModelError):
    """A filter of the service refused to answer: a reply, and no failure."""


class RejectedRequest(ModelError):
    """The service refuses the request as it is; it may take another form of it."""

    def __init__(self, message: str, *, response: ErrorResponse) -> None:
        super().__init__(message)
        self.response = response


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """What a service said instead of a reply."""

    status: int
    """Its HTTP status; 0 where there was none."""
    text: str = ""
    code: str = ""
    param: str = ""
    """The parameter that it names as the culprit."""
    after: float | None = None

    @property
    def words(self) -> str:
        """All of it in lower case, to be searched."""
        return f"{self.code} {self.text}".lower()

    def names(self, parameter: str) -> bool:
        """Whether it is about this parameter."""
        return self.param == parameter or re.search(rf"\b{re.escape(parameter)}\b", self.text) is not None


def error_response_of(error: BaseException) -> ErrorResponse | None:
    """What a library's error says that the service said; None where the service said nothing."""
    for link in _chain(error):
        status = getattr(link, "status_code", None) or getattr(link, "code", None)
        if isinstance(status, int) and not isinstance(status, bool) and 300 <= status < 1000:
            headers = getattr(getattr(link, "response", None), "headers", None) or {}
            return error_response_in(status, getattr(link, "body", None) or str(link), headers)
    return None


def error_response_in(status: int, body: object, headers: Mapping[str, str]) -> ErrorResponse:
    """What a body with an error says."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    details = inner if isinstance(inner, dict) else {}
    said = details.get("message") or details.get("detail") or inner
    return ErrorResponse(
        status=status,
        text=said if isinstance(said, str) else _dumped(said),
        code=" ".join(str(details[key]) for key in ("code", "type") if isinstance(details.get(key), str)),
        param=details["param"] if isinstance(details.get("param"), str) else "",
        after=seconds_to_wait(headers),
    )


def seconds_to_wait(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """How long the headers of an answer ask us to wait; None where they do not."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())


def error_for(response: ErrorResponse, endpoint: Endpoint, *, with_tools: bool) -> ModelError:
    """The error that a response amounts to."""
    status, words = response.status, response.words
    said = redacted(response.text, endpoint)
    message = f"{endpoint.name} at {endpoint.place} answered {status or 'with an error'}: {said}"
    if status not in (401, 429) and _FILTERED.search(words):
        return FilterRefusal(said)
    if status in (401, 403, 402) or (status == 429 and _NO_CREDIT.search(words)):
        return KeyRefused(message)
    if status == 400 and _BAD_KEY.search(words):
        return KeyRefused(message)
    if status == 413 or (status in (400, 422, 429, 500) and _TOO_LONG.search(words)):
        return ContextTooLong(message, remedy="Choose a model with a larger context.")
    if status in (400, 404, 422) and _RESPONSES_ONLY.search(words):
        return ResponsesApiOnly(message)
    if with_tools and status not in (408, 429) and _ABOUT_TOOLS.search(words) and _NOT_TAKEN.search(words):
        return ToolsUnsupported(message)
    if status == 404 or (status == 400 and _ABOUT_THE_MODEL.search(words)):
        return UnknownModel(message)
    if status in (408, 409, 425, 429) or status >= 500 or status == 0:
        return TransientError(message, after=response.after, busy=status in (429, 529))
    return RejectedRequest(message, response=response)


def unreachable(error: BaseException, endpoint: Endpoint, proxy: str | None = None) -> TransientError:
    """The error for a connection that failed or broke off; `proxy` is the address of the proxy on the way, if any."""
    where = f"{endpoint.name} at {endpoint.place} cannot be reached"
    links = list(_chain(error))
    cause = redacted(str(links[-1]) or type(links[-1]).__name__, endpoint)
    if proxy is not None:
        gate = f"{where} through the proxy {urlsplit(proxy).netloc.rpartition('@')[2]} that the environment names"
        return TransientError(f"{gate}: {cause}.", remedy="Mend its address, or name the host in NO_PROXY.")
    if any(isinstance(link, ConnectionRefusedError) for link in links):
        absent = endpoint.provider.name in _SERVER_COMMANDS
        return TransientError(f"{where}: nothing listens there.", absent=absent, remedy=_to_start(endpoint))
    return TransientError(f"{where}, or broke off: {cause}.")


def _to_start(endpoint: Endpoint) -> str:
    """How to start a service that is the user's own; "" for those that are not."""
    if endpoint.provider.name in _SERVER_COMMANDS:
        start = _SERVER_COMMANDS[endpoint.provider.name].format(model=endpoint.model)
        return f"Start it with {start}, or say with --base-url where it listens."
    return "" if endpoint.provider.name else "Start it, or say with --base-url where it listens."


def redacted(text: str, endpoint: Endpoint) -> str:
    """A service's own words, fit for a message: one line, not long, and without keys."""
    for key in endpoint.keys:
        text = text.replace(key, masked(key))
    text = _LIKE_A_KEY.sub(lambda found: masked(found[0]), text[: 4 * _LONGEST_QUOTE])
    line = _CONTROLS.sub(" ", " ".join(text.split()))
    return line if len(line) <= _LONGEST_QUOTE else f"{line[:_LONGEST_QUOTE]} ..."


def masked(key: str) -> str:
    """A key as it may be shown: enough to tell which one it is, too little to use it."""
    return f"{key[:3]}...{key[-2:]}" if len(key) >= 12 else "..."


def remedy_for_unknown_model(endpoint: Endpoint, models: Callable[[], Sequence[str]]) -> str:
    """The remedy where a service does not know the model: similar names, if `models` can list any."""
    try:
        offered = models()
    except ModelError:
        offered = ()
    if endpoint.provider.name == "ollama":
        fetch = f"Fetch it with `ollama pull {endpoint.model}`"
        return f"{fetch}, or take one of those that are there: {_some(offered)}." if offered else f"{fetch}."
    if not offered or endpoint.model in offered:
        return "Look the name up at the service; the address may be wrong, too: most end in /v1."
    lower = {name.lower(): name for name in reversed(offered)}
    close = [lower[name] for name in difflib.get_close_matches(endpoint.model.lower(), lower, _MOST_NAMED, 0.5)]
    return f"Did you mean {_some(close)}?" if close else f"It has {_some(offered)}."


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _chain(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__


def _dumped(said: Any) -> str:
    try:
        return json.dumps(said, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return "something that cannot be read"
