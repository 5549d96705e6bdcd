"""A model that is loaded and at work: all that a chat model needs of it."""

from __future__ import annotations

from dataclasses import dataclass

from regreen.models.local.batching import Batcher
from regreen.models.local.decoding import BatchDecoder
from regreen.models.local.generation import BatchRow, GeneratedText, GenerationRequest
from regreen.models.local.loading import LoadedModel, free_bytes, load_model
from regreen.models.local.model_name import LocalModelName
from regreen.models.local.prompting import PromptRenderer

_MAX_BATCH = 32
"""Requests in one batch, where the name does not say otherwise."""
_MEMORY_SHARE = 0.5
"""Of the memory that is free once the model is loaded; the rest is for the arithmetic."""


@dataclass(frozen=True, slots=True, eq=False)
class LocalEngine:
    """The model, what writes its prompts, and the thread that serves it."""

    loaded: LoadedModel
    prompter: PromptRenderer
    batcher: Batcher

    def write(self, order: GenerationRequest) -> GeneratedText:
        """A reply. Raises ModelError."""
        return self.batcher.ask(BatchRow(order, self.prompter.decode, self.loaded.ends, self.loaded.hidden))

    def close(self) -> None:
        """Give back the model and its memory; whoever waits is told."""
        self.batcher.close()


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
