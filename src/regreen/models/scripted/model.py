"""A chat model whose replies stand in a script: the fake that is shipped."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from regreen.errors import ContextTooLong, ModelError, ModelUnavailable, ToolsUnsupported
from regreen.models.contract import Finish, Reply, Request, Usage
from regreen.models.scripted.answer import SPOILERS, body_of, completed
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
"""What a fault is to who asks, once all tries are spent; any other is a plain ModelError."""


class ScriptedModel:
    """Answers by what a conversation holds, never by the order in which it is asked."""

    def __init__(self, script: Script | Responder, name: str = "scripted:code", *, latency: float = 0.0) -> None:
        self.name = name
        self._script = as_script(script)
        self._latency = latency
        self._lock = threading.Lock()
        self._tries: Counter[str] = Counter()

    def ask(self, request: Request) -> Reply:
        """The script's reply. Raises ModelError where no rule fits, and what a fault stands for."""
        started = time.monotonic()
        body = body_of(request, self.name)
        reply = self._script.reply_to(body)
        if seconds := self._latency if reply.latency is None else reply.latency:
            time.sleep(seconds)
        if reply.fault is not None and not self._still(reply.fault, request):
            reply = replace(reply, fault=None)
        if reply.fault is not None:
            _meet(reply.fault)
        return _reply(completed(reply, body), self.name, time.monotonic() - started)

    def close(self) -> None:
        """There is nothing to give back."""

    def _still(self, fault: Fault, request: Request) -> bool:
        """Whether a fault that happens so many times has not happened so often yet."""
        if fault.times is None:
            return True
        key = request.key(self.name)
        with self._lock:
            self._tries[key] += 1
            return self._tries[key] <= fault.times


def open_scripted(path: Path) -> ScriptedModel:
    """The model whose script is in a file. Raises ConfigError saying what is wrong with it."""
    return ScriptedModel(read_script(path), f"scripted:{path}")


def _meet(fault: Fault) -> None:
    if fault.kind == "slow":
        time.sleep(fault.seconds)
    elif fault.kind not in SPOILERS:
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
