"""Opens the chat model of the settings: transport, retries, cache, tape, meter and tracing around one another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from regreen.config import Settings
from regreen.environment import tracing
from regreen.errors import ConfigError, ModelError
from regreen.models.contract import ChatModel
from regreen.models.keys import KeyRing
from regreen.models.meter import Meter, MeteredModel, is_replayed
from regreen.models.prices import Price, price_of, price_unknown
from regreen.models.providers import Endpoint, find_endpoint, require_modules
from regreen.models.request_tracing import with_tracing
from regreen.models.retrying import RetryingClient, Transport


@contextmanager
def open_model(
    settings: Settings,
    *,
    tape: Path | None = None,
    meter: Meter | None = None,
    folder: Path | None = None,
    sleep: Callable[[float], object] | None = None,
    rng: random.Random | None = None,
) -> Iterator[ChatModel]:
    """The model that the settings name, closed when the block ends.

    Every request and reply is recorded on `tape`; `meter` holds the limits of a whole run (None: a new one with the
    limits of the settings); `folder` is searched for `.env` (None: the working folder). Requests are traced where the
    environment asks for it. Raises ConfigError, before anything is asked, naming the setting that is missing or wrong.
    """
    endpoint = find_endpoint(settings, folder=folder)
    price = _price_for(endpoint, settings)
    meter = meter or Meter.of(settings)
    model = _open_model(endpoint, settings, sleep, rng)
    try:
        # The tape lies around the cache, so that it holds every request of the run.
        if settings.cache is not None:
            from regreen.models.cassette import cached

            model = cached(model, Path(settings.cache))
        if tape is not None:
            from regreen.models.cassette import recording

            model = recording(model, tape)
        yield with_tracing(MeteredModel(model, meter, price), tracing())
    finally:
        model.close()


def spent_on(tape: Path, settings: Settings, *, folder: Path | None = None) -> tuple[int, float]:
    """The tokens and US dollars of a tape's replies: what a run has spent, unfinished tasks included."""
    if not tape.exists():
        return 0, 0.0
    from regreen.models.cassette import tape_rows

    price = price_of(find_endpoint(settings, folder=folder))
    paid = [row.reply.usage for row in tape_rows(tape) if row.reply is not None and not is_replayed(row.reply)]
    return sum(usage.prompt + usage.completion for usage in paid), sum(price(usage) or 0.0 for usage in paid)


def list_models(settings: Settings, *, folder: Path | None = None) -> tuple[str, ...]:
    """The models that the service of the settings offers; raises ModelError where it has no list of them."""
    endpoint = find_endpoint(settings, folder=folder)
    if endpoint.provider.kind in ("local", "scripted"):
        raise ModelError(f"{endpoint.provider.title} does not tell which models there are.")
    transport = open_transport(endpoint, settings)
    try:
        return transport.models(KeyRing(endpoint.keys).take())
    finally:
        transport.close()


def is_gguf_model(endpoint: Endpoint, settings: Settings) -> bool:
    """Whether a `local:` model runs in llama.cpp, rather than in transformers."""
    from regreen.models.llamacpp.model_file import is_gguf
    from regreen.models.local.model_name import parse_model_name

    return settings.model_file is not None or is_gguf(parse_model_name(endpoint.model).source)


def open_transport(endpoint: Endpoint, settings: Settings) -> Transport:
    """The transport to a service on the network."""
    if endpoint.provider.kind == "langchain":
        from regreen.models.langchain_transport import open_langchain

        return open_langchain(endpoint, timeout=settings.request_timeout)
    from regreen.models.openai_transport import OpenAITransport

    return OpenAITransport(endpoint, timeout=settings.request_timeout, connections=settings.concurrency)


def _open_model(
    endpoint: Endpoint, settings: Settings, sleep: Callable[[float], object] | None, rng: random.Random | None
) -> ChatModel:
    if endpoint.provider.kind == "local" and is_gguf_model(endpoint, settings):
        from regreen.models.llamacpp import open_llamacpp

        return open_llamacpp(endpoint, settings)
    if endpoint.provider.kind == "local":
        from regreen.models.local import open_local
        from regreen.models.local.model_name import parse_model_name, short_name_hint

        name = parse_model_name(endpoint.model)
        # A folder that holds no model, or a slip in a short name, is told before anybody installs PyTorch for it.
        _ = name.folder if name.is_folder else None
        require_modules(endpoint.provider, hint=short_name_hint(name.source))
        return open_local(endpoint.model, settings)
    if endpoint.provider.kind == "scripted":
        from regreen.models.scripted import open_scripted

        return open_scripted(Path(endpoint.model))
    transport = open_transport(endpoint, settings)
    return RetryingClient(
        transport, endpoint, retries=settings.retries, at_once=settings.concurrency, sleep=sleep, rng=rng
    )


def _price_for(endpoint: Endpoint, settings: Settings) -> Price:
    price = price_of(endpoint)
    if settings.max_usd is not None and price is price_unknown:
        raise ConfigError(
            f"No price is known for {endpoint.name}, so a limit of money cannot hold.",
            remedy="Set --max-tokens instead of --max-usd.",
        )
    return price
