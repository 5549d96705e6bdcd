"""Puts a streamed completion together from its chunks, and says when the reply has come to its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from regreen.models.contract import Request
from regreen.models.reply_end import RAMBLING, detector_for, prose_limit


class StreamedCompletion:
    """A completion that arrives in chunks, as OpenAI's clients know them."""

    def __init__(self, request: Request) -> None:
        self._detector = detector_for(request, most_prose=prose_limit(request))
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._facts: dict[str, Any] = {}
        self._finish: object = None

    def feed(self, chunk: object) -> bool:
        """Add a chunk; True where the reply has ended, so that the rest need not be generated."""
        if not isinstance(chunk, dict):
            return False
        self._facts |= {name: chunk[name] for name in ("model", "usage", "timings", "error") if chunk.get(name)}
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return False
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta")
        return self._add(delta) if isinstance(delta, dict) else False

    @property
    def body(self) -> dict[str, Any]:
        """What the service would have sent without a stream; no choice where the stream broke off."""
        message: dict[str, Any] = {"role": "assistant", "content": "".join(self._text)}
        message |= {"reasoning_content": "".join(self._reasoning)} if self._reasoning else {}
        if self._calls:
            message["tool_calls"] = [
                {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
                for _, call in sorted(self._calls.items())
            ]
        found = self._detector.found
        finish = "length" if found in RAMBLING else self._finish
        choices = [{"message": message, "finish_reason": finish, "ended": found}] if finish or found else []
        return {**self._facts, "choices": choices, "usage": self._facts.get("usage") or self._counted()}

    def _add(self, delta: Mapping[str, Any]) -> bool:
        for name in ("reasoning_content", "reasoning"):
            if isinstance(delta.get(name), str):
                self._reasoning.append(delta[name])
                break
        calls = delta.get("tool_calls")
        for number, call in enumerate(calls if isinstance(calls, list) else ()):
            self._add_call(number, call)
        piece = delta.get("content")
        if not isinstance(piece, str) or not piece:
            return False
        self._text.append(piece)
        return self._detector.feed(piece)

    def _add_call(self, number: int, call: object) -> None:
        if not isinstance(call, dict):
            return
        place = call["index"] if isinstance(call.get("index"), int) else number
        known = self._calls.setdefault(place, {"id": "", "name": "", "arguments": ""})
        said = call.get("function")
        function = said if isinstance(said, dict) else {}
        for name, part in (("id", call.get("id")), *((name, function.get(name)) for name in ("name", "arguments"))):
            if isinstance(part, str):
                known[name] += part

    def _counted(self) -> dict[str, Any] | None:
        """The tokens by llama.cpp's own count, which every chunk carries; None where the service sent none yet."""
        timings = self._facts.get("timings")
        if not isinstance(timings, dict) or not all(
            isinstance(timings.get(n), int) for n in ("prompt_n", "predicted_n")
        ):
            return None
        cached = timings["cache_n"] if isinstance(timings.get("cache_n"), int) else 0
        return {
            "prompt_tokens": timings["prompt_n"] + cached,
            "completion_tokens": timings["predicted_n"],
            "prompt_tokens_details": {"cached_tokens": cached},
        }
