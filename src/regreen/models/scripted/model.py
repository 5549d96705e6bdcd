"""The chat model that answers from a script, for tests and benchmarks without a service."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from regreen.errors import ContextTooLong, ModelError, ModelUnavailable, ToolsUnsupported
from regreen.models.completions import Dialect, request_body
from regreen.models.contract import Finish, Reply, Request, Usage
from regreen.models.scripted.answer import REPLY_FAULTS, complete_reply
from regreen.models.scripted.script import Fault, ReplySpec, Responder, Script, as_script
from regreen.models.scripted.script_file import read_script

_ERRORS_BY_FAULT: Mapping[str, type[ModelError]] = {
    "busy": ModelUnavailable,
    "error": ModelUnavailable,
    "silent": ModelUnavailable,
    "drip": ModelUnavailable,
    "cut": ModelUnavailable,
    "no_tools": ToolsUnsupported,
    "too_long": ContextTooLong,
}
"""The error that a fault ends in after all retries; any other fault is a plain ModelError."""


class ScriptedModel:
    """A chat model whose replies depend on the conversation, never on the order of requests."""

    def __init__(self, script: Script | Responder, name: str = "scripted:code", *, latency: float = 0.0) -> None:
        self.name = name
        self._script = as_script(script)
        self._latency = latency
        self._lock = threading.Lock()
        self._tries: Counter[str] = Counter()

    def ask(self, request: Request) -> Reply:
        """The script's reply. Raises ModelError where no rule fits, and the error that a fault asks for."""
        started = time.monotonic()
        body = request_body(request, self.name, Dialect())
        reply = self._script.reply_to(body)
        if seconds := self._latency if reply.latency is None else reply.latency:
            time.sleep(seconds)
        if reply.fault is not None and not self._applies(reply.fault, request):
            reply = replace(reply, fault=None)
        if reply.fault is not None:
            _raise_or_wait(reply.fault)
        return _reply(complete_reply(reply, body), self.name, time.monotonic() - started)

    def close(self) -> None:
        """There is nothing to give back."""

    def _applies(self, fault: Fault, request: Request) -> bool:
        """Whether the request still meets a fault that is limited to a number of tries."""
        if fault.times is None:
            return True
        key = request.key(self.name)
        with self._lock:
            self._tries[key] += 1
            return self._tries[key] <= fault.times


def open_scripted(path: Path) -> ScriptedModel:
    """The model whose script is in a file. Raises ConfigError saying what is wrong with it."""
    return ScriptedModel(read_script(path), f"scripted:{path}")


def _raise_or_wait(fault: Fault) -> None:
    if fault.kind == "slow":
        time.sleep(fault.seconds)
    elif fault.kind not in REPLY_FAULTS:
        error = _ERRORS_BY_FAULT.get(fault.kind, ModelError)
        raise error(f"The script's fault: {fault.kind}.", remedy="It is what the script asks for.")


def _reply(spec: ReplySpec, model: str, seconds: float) -> Reply:
    refused = bool(spec.refusal) or spec.finish == "content_filter"
    return Reply(
        text=spec.text or spec.refusal,
        tool_calls=spec.tool_calls,
        usage=spec.usage or Usage(),
        finish=Finish.REFUSED if refused else spec.finish or Finish.STOP,
        reasoning=spec.reasoning,
        model=model,
        seconds=seconds,
        usd=0.0,
    )
