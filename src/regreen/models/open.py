"""A chat model from the settings: a client, keys and retries, a tape, a meter, one around the other."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from regreen.config import Settings, tracing
from regreen.errors import ConfigError, ModelError
from regreen.models.contract import ChatModel
from regreen.models.extras import require_modules
from regreen.models.keys import KeyRing
from regreen.models.meter import Meter, Metered, is_replayed
from regreen.models.patience import Line, Patient
from regreen.models.prices import Price, price_of, unknown
from regreen.models.providers import Service, find_service
from regreen.models.tracing import traced


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
    """The model that the settings name, until the block ends.

    Every request and reply is put on `tape`; `meter` holds the limits of a whole run (one of its own, with the limits
    of the settings, when None); `folder` is where `.env` is looked for (the working folder when None). Those who trace
    are told of requests, if the environment asks for it. Raises ConfigError saying what is missing, before anything is
    asked.
    """
    service = find_service(settings, folder=folder)
    price = _price_under_limits(service, settings)
    meter = meter or Meter.of(settings)
    model = _open(service, settings, sleep, rng)
    try:
        # The tape lies around the cache, so that it holds every request of the run.
        if settings.cache is not None:
            from regreen.models.cassette import cached

            model = cached(model, Path(settings.cache))
        if tape is not None:
            from regreen.models.cassette import recording

            model = recording(model, tape)
        yield traced(Metered(model, meter, price), tracing())
    finally:
        model.close()


def spent_on(tape: Path, settings: Settings, *, folder: Path | None = None) -> tuple[int, float]:
    """The tokens and US dollars of a tape's replies: what a run has spent, tasks that did not end among it."""
    if not tape.exists():
        return 0, 0.0
    from regreen.models.cassette import tape_rows

    price = price_of(find_service(settings, folder=folder))
    paid = [row.reply.usage for row in tape_rows(tape) if row.reply is not None and not is_replayed(row.reply)]
    return sum(usage.prompt + usage.completion for usage in paid), sum(price(usage) or 0.0 for usage in paid)


def list_models(settings: Settings, *, folder: Path | None = None) -> tuple[str, ...]:
    """The models that the service of the settings offers; raises ModelError where it does not tell."""
    from regreen.models.client import OpenAIChat

    service = find_service(settings, folder=folder)
    if service.provider.kind != "openai":
        raise ModelError(f"{service.provider.title} does not tell which models there are.")
    client = OpenAIChat(service, timeout=settings.request_timeout)
    try:
        return client.models(KeyRing(service.keys).take())
    finally:
        client.close()


def open_line(service: Service, settings: Settings) -> Line:
    """The client that asks a service over the network."""
    if service.provider.kind == "langchain":
        from regreen.models.hosted import open_hosted

        return open_hosted(service, timeout=settings.request_timeout)
    from regreen.models.client import OpenAIChat

    return OpenAIChat(service, timeout=settings.request_timeout, connections=settings.concurrency)


def _open(
    service: Service, settings: Settings, sleep: Callable[[float], object] | None, rng: random.Random | None
) -> ChatModel:
    if service.provider.kind == "local":
        from regreen.models.local import open_local

        require_modules(service.provider)
        return open_local(service.model, settings)
    if service.provider.kind == "scripted":
        from regreen.models.scripted import open_scripted

        return open_scripted(Path(service.model))
    line = open_line(service, settings)
    return Patient(line, service, retries=settings.retries, at_once=settings.concurrency, sleep=sleep, rng=rng)


def _price_under_limits(service: Service, settings: Settings) -> Price:
    price = price_of(service)
    if settings.max_usd is not None and price is unknown:
        raise ConfigError(
            f"No price is known for {service.name}, so a limit of money cannot hold.",
            remedy="Set --max-tokens instead of --max-usd.",
        )
    return price
