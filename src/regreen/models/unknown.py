"""What is said of a model that its service does not know: which ones it does."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence

from regreen.errors import ModelError
from regreen.models.providers import Endpoint

MOST_NAMED = 5


def remedy_for_unknown_model(endpoint: Endpoint, models: Callable[[], Sequence[str]]) -> str:
    """What to do: the names that come close, where the service tells which models it has."""
    try:
        offered = models()
    except ModelError:
        offered = ()
    return _remedy(endpoint, offered)


def _remedy(endpoint: Endpoint, offered: Sequence[str]) -> str:
    if endpoint.provider.name == "ollama":
        fetch = f"Fetch it with `ollama pull {endpoint.model}`"
        return f"{fetch}, or take one of those that are there: {_some(offered)}." if offered else f"{fetch}."
    if not offered or endpoint.model in offered:
        return "Look the name up at the service; the address may be wrong, too: most end in /v1."
    lower = {name.lower(): name for name in reversed(offered)}
    close = [lower[name] for name in difflib.get_close_matches(endpoint.model.lower(), lower, MOST_NAMED, 0.5)]
    return f"Did you mean {_some(close)}?" if close else f"It has {_some(offered)}."


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
