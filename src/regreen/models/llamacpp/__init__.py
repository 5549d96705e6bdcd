"""GGUF models in this process, through llama.cpp: `local:` and a file, a folder, or the short name of a small model.

Nothing here imports the bindings before a model is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regreen.config import Settings
from regreen.models.llamacpp.model_file import find_model_file
from regreen.models.providers import Endpoint
from regreen.models.retrying import RetryingClient

if TYPE_CHECKING:
    from regreen.models.openai_transport import OpenAITransport


def open_llamacpp(endpoint: Endpoint, settings: Settings) -> RetryingClient:
    """The model of a name that `is_gguf`; it has to be closed.

    Raises ConfigError for a malformed name, a missing file or a missing extra, and ModelError for a file that is no
    model or does not fit into memory.
    """
    transport = open_engine_transport(endpoint, settings)
    return RetryingClient(transport, endpoint, retries=0, at_once=settings.concurrency)


def open_engine_transport(endpoint: Endpoint, settings: Settings) -> OpenAITransport:
    """The transport to a llama.cpp in this process, which speaks OpenAI's protocol without a network."""
    from regreen.models.llamacpp.engine import load_engine
    from regreen.models.local.model_name import parse_model_name
    from regreen.models.openai_transport import OpenAITransport

    name = parse_model_name(endpoint.model)
    engine = load_engine(find_model_file(name.source, settings.model_file), name, endpoint, slots=settings.concurrency)
    return OpenAITransport(endpoint, timeout=settings.request_timeout, channel=engine)
