"""Plans the test server's reply to each request, without sockets."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from regreen.errors import ModelError
from regreen.models.scripted import Body, Fault, ReplySpec, Script
from regreen.models.scripted.answer import complete_reply
from regreen.models.service_errors import masked
from regreen.models.testserver.chat_responses import (
    Envelope,
    completion,
    error_response,
    json_response,
    models_response,
    stream_response,
)
from regreen.models.testserver.fault_injection import FaultInjector, refusal_response
from regreen.models.testserver.http_protocol import HttpRequest, HttpResponse
from regreen.models.testserver.request_validation import problem_with

_LOG_SIZE = 100_000
"""Most requests in the log; older ones are dropped."""
_SOME_MODEL = "scripted"
"""The model in the list of a script that serves any name."""


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request in the log."""

    number: int
    """From 1."""
    path: str
    key: str
    """The API key, masked; "" where none was given."""
    body: Body
    """The request's body; empty where it was no JSON object."""
    status: int
    fault: str | None
    """Kind of the fault that it met; None for none."""


@dataclass(slots=True)
class ServerCounters:
    """Counts of a server, up to now."""

    requests: int = 0
    replies: int = 0
    """Replies without a fault, to requests of any kind."""
    faults: Counter[str] = field(default_factory=Counter)
    """Requests that met a fault, by its kind."""
    connections: int = 0
    """Connections opened."""
    at_once: int = 0
    """Requests under way now."""
    most_at_once: int = 0
    """Most requests that were under way together."""


@dataclass(frozen=True, slots=True)
class PlannedReply:
    """The reply to a request, and how it is sent."""

    response: HttpResponse
    seconds: float = 0.0
    """Seconds to wait before it is sent."""
    fault: Fault | None = None
    """The fault that spoils it on its way; None for none."""


class ScriptedService:
    """Answers requests from a script, with its faults, and counts them."""

    def __init__(
        self, script: Script, faults: FaultInjector, *, latency: float = 0.0, keys: Sequence[str] | None = None
    ) -> None:
        self.requests: deque[LoggedRequest] = deque(maxlen=_LOG_SIZE)
        self.counters = ServerCounters()
        self._script = script
        self._faults = faults
        self._latency = latency
        self._keys = keys

    def plan(self, request: HttpRequest) -> PlannedReply:
        """The reply to a request, which is logged."""
        self.counters.requests += 1
        body = _object(request.body)
        planned = self._route(request, body)
        self.counters.replies += planned.response.status == 200 and planned.fault is None
        if planned.fault is not None:
            self.counters.faults[planned.fault.kind] += 1
        self._log(request, body or {}, planned)
        return replace(planned, response=planned.response.as_the_last()) if request.last else planned

    def _log(self, request: HttpRequest, body: Body, planned: PlannedReply) -> None:
        kind = None if planned.fault is None else planned.fault.kind
        number, key = self.counters.requests, masked(request.key) if request.key else ""
        self.requests.append(LoggedRequest(number, request.path, key, body, planned.response.status, kind))

    def _route(self, request: HttpRequest, body: Body | None) -> PlannedReply:
        if self._keys is not None and request.key not in self._keys:
            return PlannedReply(error_response(401, "invalid_api_key", f"The key {masked(request.key)} is not known."))
        route = (request.method, request.path)
        if route == ("GET", "/v1/models"):
            return PlannedReply(models_response(self._script.models or (_SOME_MODEL,)))
        if route == ("POST", "/v1/chat/completions"):
            return self._chat(request, body)
        return PlannedReply(error_response(404, "not_found", "There are POST /v1/chat/completions and GET /v1/models."))

    def _chat(self, request: HttpRequest, body: Body | None) -> PlannedReply:
        what = problem_with(body)
        if body is None or what:
            return PlannedReply(error_response(400, "invalid_request", what))
        model = body["model"]
        if self._script.models and model not in self._script.models:
            return PlannedReply(error_response(404, "model_not_found", f"There is no model {model!r}."))
        try:
            reply = self._script.reply_to(body)
        except ModelError as error:
            return PlannedReply(error_response(400, "no_rule", str(error)))
        fault = self._faults.choose(request.body, request.key, reply.fault)
        return self._plan_with_fault(replace(reply, fault=fault), body)

    def _plan_with_fault(self, reply: ReplySpec, body: Body) -> PlannedReply:
        fault = reply.fault
        if fault is not None and (refused := refusal_response(fault)) is not None:
            return PlannedReply(refused, fault=fault)
        seconds = self._latency if reply.latency is None else reply.latency
        if fault is not None and fault.kind == "slow":
            seconds += fault.seconds
        return PlannedReply(_outgoing(complete_reply(reply, body), body), seconds, fault)


def _object(content: bytes) -> dict[str, Any] | None:
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _outgoing(reply: ReplySpec, body: Body) -> HttpResponse:
    options = body.get("stream_options")
    usage_in_stream = isinstance(options, Mapping) and bool(options.get("include_usage"))
    envelope = Envelope(_identity(body), body["model"], usage_in_stream)
    kind = reply.fault.kind if reply.fault is not None else ""
    if kind == "no_choices":
        return json_response({**completion(reply, envelope), "choices": []})
    response = stream_response(reply, envelope) if body.get("stream") else json_response(completion(reply, envelope))
    return _torn(response) if kind == "not_json" else response


def _torn(response: HttpResponse) -> HttpResponse:
    """The reply with JSON that is cut off, in a transfer that is complete."""
    if "Transfer-Encoding" not in response.headers:
        return replace(response, body=response.body[: len(response.body) // 2])
    torn = b'data: {"id": "chatcmpl-torn", "choi\n\n'
    return replace(response, body=b"%x\r\n%s\r\n0\r\n\r\n" % (len(torn), torn))


def _identity(body: Body) -> str:
    return hashlib.sha256(json.dumps(body["messages"], sort_keys=True).encode("ascii")).hexdigest()[:24]
