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
"""Most characters of a service's own words in a message."""
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
"""The commands that start the servers of the user's own machine."""
_LIKE_A_KEY = re.compile(r"\b(?:sk|gsk|hf|pk|xai|tgp|key|AIza)[-_]?[\w*.-]{12,}")


class TransientError(ModelUnavailable):
    """A failure of the service or the network that may pass: the request is worth another try."""

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        busy: bool = False,
        not_running: bool = False,
        remedy: str = "",
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.retry_after = retry_after
        """Seconds that the service asks us to wait; None where it does not say."""
        self.busy = busy
        """Whether the service answered that it gets too many requests."""
        self.not_running = not_running
        """Whether it is a server of the user's own that is not running."""


class KeyRefused(ModelError):
    """The service refuses the key."""


class UnknownModel(ModelError):
    """The service does not know the model."""


class ResponsesApiOnly(ModelError):
    """The model can only be asked through OpenAI's Responses API."""


class FilterRefusal(ModelError):
    """A content filter of the service refused to answer, which counts as a reply."""


class RejectedRequest(ModelError):
    """The service refuses the request in this form; it may take another."""

    def __init__(self, message: str, *, response: ErrorResponse) -> None:
        super().__init__(message)
        self.response = response


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """The error that a service sent instead of a reply."""

    status: int
    """HTTP status; 0 where there was none."""
    text: str = ""
    """The message."""
    code: str = ""
    """Error code and type, joined by a space."""
    param: str = ""
    """The parameter that it complains of."""
    retry_after: float | None = None
    """Seconds that it asks us to wait."""

    @property
    def words(self) -> str:
        """Code and message in lower case, for searching."""
        return f"{self.code} {self.text}".lower()

    def names(self, parameter: str) -> bool:
        """Whether it complains of this parameter."""
        return self.param == parameter or re.search(rf"\b{re.escape(parameter)}\b", self.text) is not None


def error_response_of(error: BaseException) -> ErrorResponse | None:
    """The service's answer that a library's error carries; None where it carries none."""
    for link in _chain(error):
        status = getattr(link, "status_code", None) or getattr(link, "code", None)
        if isinstance(status, int) and not isinstance(status, bool) and 300 <= status < 1000:
            headers = getattr(getattr(link, "response", None), "headers", None) or {}
            return error_response_in(status, getattr(link, "body", None) or str(link), headers)
    return None


def error_response_in(status: int, body: object, headers: Mapping[str, str]) -> ErrorResponse:
    """The error in the body of an answer."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    details = inner if isinstance(inner, dict) else {}
    said = details.get("message") or details.get("detail") or inner
    return ErrorResponse(
        status=status,
        text=said if isinstance(said, str) else _dumped(said),
        code=" ".join(str(details[key]) for key in ("code", "type") if isinstance(details.get(key), str)),
        param=details["param"] if isinstance(details.get("param"), str) else "",
        retry_after=seconds_to_wait(headers),
    )


def seconds_to_wait(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds that the headers `Retry-After` or `Retry-After-Ms` ask us to wait; None where they do not."""
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
    """The ModelError that a service's answer stands for; `with_tools` if the request offered tools."""
    status, words = response.status, response.words
    said = redacted(response.text, endpoint)
    message = f"{endpoint.name} at {endpoint.display_url} answered {status or 'with an error'}: {said}"
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
        return TransientError(message, retry_after=response.retry_after, busy=status in (429, 529))
    return RejectedRequest(message, response=response)


def unreachable(error: BaseException, endpoint: Endpoint, proxy: str | None = None) -> TransientError:
    """The error for a connection that failed or broke off; `proxy` is the address of the proxy on the way, if any."""
    where = f"{endpoint.name} at {endpoint.display_url} cannot be reached"
    links = list(_chain(error))
    cause = redacted(str(links[-1]) or type(links[-1]).__name__, endpoint)
    if proxy is not None:
        gate = f"{where} through the proxy {urlsplit(proxy).netloc.rpartition('@')[2]} that the environment names"
        return TransientError(f"{gate}: {cause}.", remedy="Mend its address, or name the host in NO_PROXY.")
    if any(isinstance(link, ConnectionRefusedError) for link in links):
        not_running = endpoint.provider.name in _SERVER_COMMANDS
        return TransientError(f"{where}: nothing listens there.", not_running=not_running, remedy=_to_start(endpoint))
    return TransientError(f"{where}, or broke off: {cause}.")


def _to_start(endpoint: Endpoint) -> str:
    """The remedy that starts a server of the user's own; "" for other services."""
    if endpoint.provider.name in _SERVER_COMMANDS:
        start = _SERVER_COMMANDS[endpoint.provider.name].format(model=endpoint.model)
        return f"Start it with {start}, or say with --base-url where it listens."
    return "" if endpoint.provider.name else "Start it, or say with --base-url where it listens."


def redacted(text: str, endpoint: Endpoint) -> str:
    """A service's own words, fit for a message: one line of bounded length, with keys masked."""
    for key in endpoint.keys:
        text = text.replace(key, masked(key))
    text = _LIKE_A_KEY.sub(lambda found: masked(found[0]), text[: 4 * _LONGEST_QUOTE])
    line = _CONTROLS.sub(" ", " ".join(text.split()))
    return line if len(line) <= _LONGEST_QUOTE else f"{line[:_LONGEST_QUOTE]} ..."


def masked(key: str) -> str:
    """A key as it may be shown: three characters, dots and two characters; dots alone for short keys."""
    return f"{key[:3]}...{key[-2:]}" if len(key) >= 12 else "..."


def remedy_for_unknown_model(endpoint: Endpoint, models: Callable[[], Sequence[str]]) -> str:
    """The remedy against an unknown model: similar names from the service's list, if `models` can get it."""
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
