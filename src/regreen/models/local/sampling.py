"""Chooses the next token of every row: the likeliest, or a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regreen.models.local.generation import BatchRow
from regreen.models.local.libraries import library


@dataclass(frozen=True, slots=True)
class SamplingFilter:
    """Limits on the tokens that may be drawn, as a model's makers advise."""

    top_k: int = 0
    """Only this many of the likeliest tokens; 0 means all."""
    top_p: float = 1.0
    """Only the fewest tokens whose likelihoods add up to this."""


def choose_tokens(scores: Any, rows: Sequence[BatchRow], sampling_filter: SamplingFilter) -> list[int]:
    """A token for each row, from a tensor of scores with a line a row.

    A row's token depends on its scores and its seed, never on other rows.
    """
    chosen: list[int] = scores.argmax(dim=-1).tolist()
    drawing = [index for index, row in enumerate(rows) if row.order.temperature > 0]
    if drawing:
        drawn = _draw(scores[drawing], [rows[index] for index in drawing], sampling_filter)
        for index, token in zip(drawing, drawn, strict=True):
            chosen[index] = token
    return chosen


def _draw(scores: Any, rows: Sequence[BatchRow], sampling_filter: SamplingFilter) -> list[int]:
    torch = library("torch")
    heat = torch.tensor([[row.order.temperature] for row in rows], dtype=torch.float32, device=scores.device)
    wide = torch.float32 if scores.device.type == "mps" else torch.float64
    chances = torch.softmax(_narrowed(scores.float() / heat, sampling_filter), dim=-1, dtype=wide)
    # In the order of the vocabulary, so that nearly equal likelihoods cannot change places.
    edges = chances.cumsum(dim=-1)
    draw = torch.tensor([[row.draw] for row in rows], dtype=edges.dtype, device=scores.device)
    places = torch.searchsorted(edges, draw * edges[:, -1:], right=True)
    drawn: list[int] = places.squeeze(-1).clamp(max=scores.shape[-1] - 1).tolist()
    return drawn


def _narrowed(scores: Any, sampling_filter: SamplingFilter) -> Any:
    torch = library("torch")
    if 0 < sampling_filter.top_k < scores.shape[-1]:
        weakest = scores.topk(sampling_filter.top_k, dim=-1).values[:, -1:]
        scores = scores.masked_fill(scores < weakest, float("-inf"))
    if sampling_filter.top_p < 1:
        ranked = scores.sort(dim=-1, descending=True).values
        chances = torch.softmax(ranked, dim=-1)
        needless = chances.cumsum(dim=-1) - chances >= sampling_filter.top_p
        weakest = ranked.masked_fill(needless, float("inf")).min(dim=-1, keepdim=True).values
        scores = scores.masked_fill(scores < weakest, float("-inf"))
    return scores
