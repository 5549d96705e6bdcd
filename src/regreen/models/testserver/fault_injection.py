"""Chooses the requests that meet a fault, by script and at random, and the answer of each fault."""

from __future__ import annotations

import email.utils
import hashlib
import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from regreen.models.scripted import Fault, FaultRule
from regreen.models.testserver.chat_responses import error_response, json_response
from regreen.models.testserver.http_protocol import HttpResponse

RANDOM_FAULTS = (
    Fault("busy", retry_after=0.1, retry_form="ms"),
    Fault("error", status=500),
    Fault("error", status=502),
    Fault("error", status=503),
    Fault("cut"),
    Fault("slow", seconds=0.2),
)
"""Random faults, unless others are given."""

_MAX_FAULTS_A_REQUEST = 2
"""Most random faults of one request: a client that keeps trying gets its reply."""

_REFUSALS: Mapping[str, tuple[int, str, str]] = {
    "quota": (429, "insufficient_quota", "This key has used up what it paid for."),
    "unauthorized": (401, "invalid_api_key", "This key is not known."),
    "unknown_model": (404, "model_not_found", "There is no such model."),
    "no_tools": (400, "unsupported_parameter", "This model does not support tools."),
    "no_schema": (400, "unsupported_parameter", "This model does not support response_format."),
    "too_long": (400, "context_length_exceeded", "The maximum context length of this model is exceeded."),
}
"""Status, code and message of faults that are plain error answers."""


class FaultInjector:
    """Decides for each request whether it meets a fault; a repeated request is recognised by its body."""

    def __init__(self, rules: Sequence[FaultRule], rate: float, mix: Sequence[Fault], seed: int) -> None:
        self._rules = rules
        self._rate = rate
        self._mix = mix
        self._seed = seed
        self._asked: Counter[str | None] = Counter()
        self._hits: Counter[int] = Counter()
        self._tries: Counter[bytes] = Counter()

    def choose(self, content: bytes, key: str, own: Fault | None) -> Fault | None:
        """The fault of a request, if any: one of the rules', the reply's `own`, or a random one."""
        self._asked.update((None, key))
        digest = hashlib.blake2b(content, digest_size=16).digest()
        tried = self._tries[digest]
        self._tries[digest] += 1
        if (ruled := self._ruled(key)) is not None:
            return ruled
        if own is not None and (own.times is None or tried < own.times):
            return own
        return self._random(digest, tried) if self._rate and tried < _MAX_FAULTS_A_REQUEST else None

    def _ruled(self, key: str) -> Fault | None:
        for number, rule in enumerate(self._rules):
            fits = rule.key in (None, key) and (not rule.nth or self._asked[rule.key] in rule.nth)
            if fits and (rule.fault.times is None or self._hits[number] < rule.fault.times):
                self._hits[number] += 1
                return rule.fault
        return None

    def _random(self, digest: bytes, tried: int) -> Fault | None:
        draw = hashlib.blake2b(b"%d %d %s" % (self._seed, tried, digest), digest_size=16).digest()
        chance = int.from_bytes(draw[:8], "big") / (1 << 64)
        return self._mix[int.from_bytes(draw[8:], "big") % len(self._mix)] if chance < self._rate else None


def refusal_response(fault: Fault) -> HttpResponse | None:
    """The answer of a fault that replaces the reply; None where it spoils the reply itself."""
    if fault.kind == "busy":
        return error_response(429, "rate_limit_exceeded", "Too many requests.", _retry_after(fault))
    if fault.kind == "error":
        return error_response(fault.status, "server_error", "Something broke here.", _retry_after(fault))
    if fault.kind == "wrong_shape":
        return json_response({"detail": "ok"})
    known = _REFUSALS.get(fault.kind)
    return known and error_response(*known)


def _retry_after(fault: Fault) -> Mapping[str, str]:
    if fault.retry_after is None:
        return {}
    if fault.retry_form == "ms":
        return {"Retry-After-Ms": f"{fault.retry_after * 1000:g}"}
    if fault.retry_form == "date":
        return {"Retry-After": email.utils.formatdate(math.ceil(time.time() + fault.retry_after), usegmt=True)}
    return {"Retry-After": f"{fault.retry_after:g}"}
