"""A model of transformers in this process as a chat model."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from regreen.errors import ContextTooLong
from regreen.models.completions import tool_spec
from regreen.models.contract import Finish, Reply, Request, Usage
from regreen.models.local.batching import Batcher
from regreen.models.local.decoding import BatchDecoder
from regreen.models.local.generation import BatchRow, GeneratedText, GenerationRequest
from regreen.models.local.loading import LoadedModel, free_bytes, load_model
from regreen.models.local.model_name import LocalModelName, parse_model_name
from regreen.models.local.prompting import PromptRenderer, to_turn
from regreen.models.local.toolcalls import read_calls
from regreen.models.reply_end import prose_limit, quotable_prompt, split_thought

_MAX_BATCH = 32
"""Requests in one batch, where the name does not say otherwise."""
_MEMORY_SHARE = 0.5
"""Share of the memory free after loading that the requests may take; the rest is for the arithmetic."""


@dataclass(frozen=True, slots=True, eq=False)
class LocalEngine:
    """A loaded model, the renderer of its prompts, and the thread that generates."""

    loaded: LoadedModel
    prompter: PromptRenderer
    batcher: Batcher

    def write(self, order: GenerationRequest) -> GeneratedText:
        """A reply, generated together with those of other threads. Raises ModelError."""
        return self.batcher.ask(BatchRow(order, self.prompter.decode, self.loaded.ends, self.loaded.hidden))

    def close(self) -> None:
        """Give back the model and its memory; requests under way end with ModelError."""
        self.batcher.close()


class LocalModel:
    """A chat model that runs in this process; requests from several threads are generated together."""

    def __init__(self, name: str, engine: LocalEngine, *, source: str, max_tokens: int) -> None:
        """`name` is the full name, `source` the id or folder behind it, `max_tokens` the limit of a reply."""
        self.engine = engine
        self._name = name
        self._source = source
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """Its full name, as it was given."""
        return self._name

    def ask(self, request: Request) -> Reply:
        """The model's reply. Raises ToolsUnsupported, ContextTooLong and ModelError."""
        began = time.perf_counter()
        turns = [to_turn(message) for message in request.messages]
        order = self._order(request, turns, [tool_spec(tool) for tool in request.tools])
        reply = self._reply(self.engine.write(order), order, request)
        return replace(reply, seconds=time.perf_counter() - began)

    def close(self) -> None:
        """Give back the model and its memory."""
        self.engine.close()

    def _order(
        self, request: Request, turns: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> GenerationRequest:
        prompter, context = self.engine.prompter, self.engine.loaded.context
        prompt = prompter.prompt(turns, tools)
        room = context - len(prompt)
        if room < 1:
            raise ContextTooLong(
                f"The prompt has {len(prompt)} tokens, and {self._source} takes {context} with its reply.",
                remedy="Take a model with a longer context.",
            )
        thinking = prompter.ends_in_thought(prompt)
        return GenerationRequest(
            prompt=prompt,
            limit=min(room, request.max_tokens or self._max_tokens),
            temperature=request.temperature,
            seed=request.seed,
            stops=(*request.stop, *prompter.stops),
            quotable=quotable_prompt(request),
            answers=request.answers,
            thinking=thinking,
            most_prose=None if thinking else prose_limit(request),
        )

    def _reply(self, written: GeneratedText, order: GenerationRequest, request: Request) -> Reply:
        thought, answer = split_thought(written.text, thinking=order.thinking)
        before = sum(len(message.tool_calls) for message in request.messages)
        names = [tool.name for tool in request.tools]
        text, calls = read_calls(answer, names, first=before) if names else (answer, ())
        loaded = self.engine.loaded
        return Reply(
            text=text,
            tool_calls=calls,
            usage=Usage(
                prompt=len(order.prompt),
                completion=written.tokens,
                reasoning=(written.thought_tokens or written.tokens) if thought else 0,
            ),
            finish=Finish.TOOL_CALLS if calls else written.finish,
            reasoning=thought,
            model=self._source,
            usd=0.0,
            extra={"device": loaded.device, "dtype": loaded.dtype}
            | ({"ended": written.ended.value} if written.ended else {}),
        )


def load_local_model(name: str, *, max_tokens: int) -> LocalModel:
    """Load the model of a full name and start its thread; `max_tokens` of a reply where a request does not say.

    Raises ConfigError and ModelError, saying what can be done.
    """
    wanted = parse_model_name(name)
    return LocalModel(name, open_engine(wanted), source=wanted.source, max_tokens=max_tokens)


def open_engine(name: LocalModelName) -> LocalEngine:
    """Load a model and start its thread. Raises ConfigError and ModelError."""
    loaded = load_model(name)
    decoder = BatchDecoder(loaded.model, loaded.device, loaded.sampling_filter, alone=not loaded.joinable)
    most = (name.batch or _MAX_BATCH) if loaded.joinable else 1
    batcher = Batcher(decoder, most=most, room=_room(decoder, loaded.device))
    return LocalEngine(loaded, PromptRenderer(loaded.tokenizer), batcher)


def _room(decoder: BatchDecoder, device: str) -> int | None:
    """How many tokens of all requests together fit into memory; None where that is not known."""
    free = free_bytes(device)
    each = decoder.bytes_per_token()
    return int(free * _MEMORY_SHARE) // each if free is not None and each else None
