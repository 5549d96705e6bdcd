"""Decoding with a model of transformers, for a batch whose rows come and go."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from regreen.models.local.batching import OutOfMemory
from regreen.models.local.generation import BatchRow
from regreen.models.local.libraries import library
from regreen.models.local.sampling import SamplingFilter, choose_tokens

_SIGNS_OF_NO_MEMORY = ("out of memory", "can't allocate memory", "cannot allocate memory")


class BatchDecoder:
    """A generator over a model of transformers.

    The rows of the cache of keys and values are aligned at their ends: shorter ones are padded at the beginning, and
    the mask hides the padding. A step adds one column to all rows, a finished row is cut out, a new one is appended.
    """

    def __init__(self, model: Any, device: str, sampling_filter: SamplingFilter, *, alone: bool = False) -> None:
        """`alone`: the model has state beside keys and values, so that rows cannot share a batch."""
        self._model: Any = model
        self._device = device
        self._narrowing = sampling_filter
        self._alone = alone
        self._rows: list[BatchRow] = []
        self._cache: Any = None
        self._mask: Any = None
        taken = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in taken
        self._extra = {"logits_to_keep": 1} if "logits_to_keep" in taken else {}

    def join(self, rows: Sequence[BatchRow]) -> None:
        """Read the rows' tokens so far, add the rows to the batch, and generate one token for each."""
        with self._inference():
            ids, mask = self._padded([row.context for row in rows])
            cache = self._new_cache()
            positions = (mask.cumsum(dim=-1) - 1).clamp(min=0)
            tokens = choose_tokens(self._scores(ids, mask, positions, cache), rows, self._narrowing)
            self._add(cache, mask)
        self._rows.extend(rows)
        for row, token in zip(rows, tokens, strict=True):
            row.take(token)

    def step(self) -> None:
        """Generate one token for every row of the batch."""
        torch = library("torch")
        with self._inference():
            ids = torch.tensor([[row.tokens[-1]] for row in self._rows], device=self._device)
            positions = torch.tensor([[len(row) - 1] for row in self._rows], device=self._device)
            self._mask = torch.cat([self._mask, self._mask.new_ones((len(self._rows), 1))], dim=-1)
            scores = self._scores(ids, self._mask, positions, self._cache)
            tokens = choose_tokens(scores, self._rows, self._narrowing)
        for row, token in zip(self._rows, tokens, strict=True):
            row.take(token)

    def keep(self, rows: Sequence[BatchRow]) -> None:
        """Drop the other rows from the batch, and the padding that only they needed."""
        if not rows:
            self.clear()
            return
        torch = library("torch")
        with self._inference():
            wanted = {id(row) for row in rows}
            places = [place for place, row in enumerate(self._rows) if id(row) in wanted]
            chosen = torch.tensor(places, device=self._device)
            # The token that a row took last is not in the cache yet.
            first = self._mask.shape[-1] - max(len(row) - 1 for row in rows)
            kept = [(layer.keys[chosen, :, first:], layer.values[chosen, :, first:]) for layer in _filled(self._cache)]
            self._mask = self._mask[chosen, first:]
            _refill(self._cache, kept)
        self._rows = [self._rows[place] for place in places]

    def clear(self) -> None:
        """Drop the whole batch and its memory."""
        self._rows, self._cache, self._mask = [], None, None

    def close(self) -> None:
        """Release the model itself."""
        self.clear()
        self._model = None
        if self._device.startswith("cuda"):
            library("torch").cuda.empty_cache()

    def bytes_per_token(self) -> int:
        """Bytes of one token in the cache, measured by reading one."""
        torch = library("torch")
        with self._inference():
            cache = self._new_cache()
            ids = torch.zeros((1, 1), dtype=torch.long, device=self._device)
            self._scores(ids, torch.ones_like(ids), torch.zeros_like(ids), cache)
            return sum(layer.keys.nbytes + layer.values.nbytes for layer in _filled(cache))

    def _scores(self, ids: Any, mask: Any, positions: Any, cache: Any) -> Any:
        where = {"position_ids": positions} if self._takes_positions else {}
        answer = self._model(
            input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True, **where, **self._extra
        )
        return answer.logits[:, -1]

    def _padded(self, contexts: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """The tokens, aligned at their ends, and the mask of the padding."""
        torch = library("torch")
        width = max(map(len, contexts))
        ids = [[0] * (width - len(context)) + list(context) for context in contexts]
        mask = [[0] * (width - len(context)) + [1] * len(context) for context in contexts]
        return torch.tensor(ids, device=self._device), torch.tensor(mask, device=self._device)

    def _new_cache(self) -> Any:
        # Without the configuration every layer keeps all tokens: a sliding window is then a matter of the mask
        # alone, and rows of different lengths can share a batch.
        cache = library("transformers").DynamicCache
        return cache(config=self._model.config) if self._alone else cache()

    def _add(self, cache: Any, mask: Any) -> None:
        """Append new rows to the batch."""
        if self._cache is None:
            self._cache, self._mask = cache, mask
            return
        torch = library("torch")
        width = max(self._mask.shape[-1], mask.shape[-1])
        both = torch.cat([_widened(self._mask, width, -1), _widened(mask, width, -1)])
        pairs = zip(_filled(self._cache), _filled(cache), strict=True)
        joined = [
            tuple(
                torch.cat([_widened(old, width, -2), _widened(new, width, -2)])
                for old, new in ((above.keys, below.keys), (above.values, below.values))
            )
            for above, below in pairs
        ]
        self._mask = both
        _refill(self._cache, joined)

    @contextlib.contextmanager
    def _inference(self) -> Iterator[None]:
        """A block without gradients, in which a lack of memory raises OutOfMemory."""
        try:
            with library("torch").inference_mode():
                yield
        except (MemoryError, RuntimeError) as error:
            if not lacks_memory(error):
                raise
            if self._device.startswith("cuda"):
                library("torch").cuda.empty_cache()
            raise OutOfMemory(str(error)[:300]) from None


def lacks_memory(error: BaseException) -> bool:
    """Whether an error of PyTorch says that memory ran out, on whatever device."""
    message = str(error).lower()
    return isinstance(error, MemoryError) or any(sign in message for sign in _SIGNS_OF_NO_MEMORY)


def _filled(cache: Any) -> list[Any]:
    return [layer for layer in cache.layers if getattr(layer, "keys", None) is not None]


def _refill(cache: Any, layers: Sequence[Sequence[Any]]) -> None:
    for layer, (keys, values) in zip(_filled(cache), layers, strict=True):
        layer.keys, layer.values = keys, values


def _widened(tensor: Any, width: int, dim: int) -> Any:
    """The tensor padded at its beginning to a width, along a dimension counted from the end."""
    lacking = width - tensor.shape[dim]
    padding = (0, 0) * (-dim - 1) + (lacking, 0)
    return library("torch").nn.functional.pad(tensor, padding)
