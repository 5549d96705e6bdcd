"""Which providers can be used on this machine: keys, extras and servers, present or not; never a key's value."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from regreen.environment import secrets
from regreen.errors import ConfigError
from regreen.models.providers import PROVIDERS, Provider, base_url_of, install_command, missing_modules

_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
_CONNECT_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class ProviderStatus:
    """Whether a provider can be used, and what is missing if not."""

    provider: str
    title: str
    ready: bool
    detail: str


def provider_statuses(
    *, environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> Iterator[ProviderStatus]:
    """The status of every provider; the only requests are connections to servers on this machine."""
    for provider in PROVIDERS.values():
        try:
            ready, detail = _status_of(provider, environ, folder)
        except ConfigError as error:
            ready, detail = False, str(error)
        yield ProviderStatus(provider.name, provider.title, ready, detail)


def _status_of(provider: Provider, environ: Mapping[str, str] | None, folder: Path | None) -> tuple[bool, str]:
    if provider.kind == "local":
        return _in_this_process(provider)
    if missing := missing_modules(provider):
        return False, f"{', '.join(missing)} not installed: {install_command(provider)}"
    if provider.kind == "scripted":
        return True, "nothing is missing"
    where = base_url_of(provider, environ=environ)
    if provider.needs_key:
        return _keys(provider, environ, folder, where)
    return _listener(where)


def _in_this_process(provider: Provider) -> tuple[bool, str]:
    """Whether GGUF files, through llama.cpp, or models of transformers can be run here, and on what."""
    missing, has_bindings = missing_modules(provider), importlib.util.find_spec("xllamacpp") is not None
    files = "GGUF files: pip install 'regreen[llamacpp]'"
    if has_bindings:
        from regreen.models.llamacpp.engine import bindings, computing_device, fallback_note

        library = bindings()
        files = f"GGUF files {fallback_note(library) or f'on {computing_device(library)}'}"
    others = f"{', '.join(missing)} not installed: {install_command(provider)}" if missing else "models of transformers"
    return has_bindings or not missing, f"{files}; {others}"


def _keys(provider: Provider, environ: Mapping[str, str] | None, folder: Path | None, where: str) -> tuple[bool, str]:
    keys = secrets(provider.keys, environ=environ, folder=folder)
    if not keys:
        return False, f"no key: set {' or '.join(provider.keys)}"
    count = "a key is set" if len(keys) == 1 else f"{len(keys)} keys are set"
    return True, count if where == provider.base_url else f"{count}, for {where.rpartition('@')[2]}"


def _listener(where: str) -> tuple[bool, str]:
    parts = urlsplit(where)
    place = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
    if parts.hostname not in _THIS_MACHINE:
        return True, f"at {place}, which was not tried"
    try:
        with socket.create_connection((parts.hostname, parts.port or 80), _CONNECT_SECONDS):
            return True, f"listens at {place}"
    except OSError:
        return False, f"nobody listens at {place}"
