"""The table of model providers, and the endpoint that a model's full name and the settings stand for."""

from __future__ import annotations

import difflib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit

from regreen.config import Settings
from regreen.environment import address, secrets
from regreen.errors import ConfigError

ProviderKind = Literal["openai", "langchain", "local", "scripted"]


@dataclass(frozen=True, slots=True)
class Provider:
    """A service that offers models, or a way to run them on this machine."""

    name: str
    title: str
    kind: ProviderKind = "openai"
    """The transport: `openai` for every service that speaks OpenAI's chat completions."""
    base_url: str = ""
    keys: tuple[str, ...] = ()
    """Environment variables for its keys; the first that is set counts."""
    needs_key: bool = True
    addresses: tuple[str, ...] = ()
    """Environment variables for another address of it."""
    prices: str | None = None
    """Its name in genai-prices; None where no price is known."""
    free: bool = False
    """Whether it runs on the user's own machine and costs nothing."""
    modules: tuple[str, ...] = ()
    """Modules that it needs beside Regreen, by import name."""
    extra: str = ""
    """The extra of Regreen that installs them."""
    limit: str = "max_tokens"
    """The parameter for the largest number of tokens of a reply."""
    seed: str = "seed"
    """The parameter for the seed."""
    streamed: Mapping[str, Any] = field(default_factory=dict)
    """Parameters by which it sends a reply piece by piece, and counts its tokens as it goes; empty where it is asked
    for the whole reply, because a stream that is stopped would leave no bill to read."""


_STREAMED: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


def _hosted_provider(
    name: str, title: str, base_url: str, *keys: str, limit: str = "max_tokens", seed: str = "seed"
) -> Provider:
    return Provider(
        name, title, "openai", base_url, keys, True, (f"{name.upper()}_BASE_URL",), name, limit=limit, seed=seed
    )


def _own_provider(name: str, title: str, base_url: str, *addresses: str, **more: Any) -> Provider:
    """The provider for a server on the user's own machine; `more` parameters have it count the tokens of each chunk."""
    own = name.upper()
    return Provider(
        name,
        title,
        "openai",
        base_url,
        (f"{own}_API_KEY",),
        False,
        (f"{own}_BASE_URL", *addresses),
        free=True,
        streamed=_STREAMED | more,
    )


PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider(
            "openai",
            "OpenAI",
            base_url="https://api.openai.com/v1",
            keys=("OPENAI_API_KEY",),
            addresses=("OPENAI_BASE_URL", "OPENAI_API_BASE"),
            prices="openai",
            limit="max_completion_tokens",
        ),
        _hosted_provider("together", "Together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
        _hosted_provider(
            "huggingface",
            "Hugging Face's inference router",
            "https://router.huggingface.co/v1",
            "HF_TOKEN",
            "HF_API_TOKEN",
            "HUGGINGFACEHUB_API_TOKEN",
        ),
        _hosted_provider("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        _hosted_provider("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
        _hosted_provider("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
        _hosted_provider("mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", seed="random_seed"),
        _own_provider("ollama", "Ollama", "http://127.0.0.1:11434/v1", "OLLAMA_HOST"),
        _own_provider(
            "vllm",
            "vLLM",
            "http://127.0.0.1:8000/v1",
            stream_options={"include_usage": True, "continuous_usage_stats": True},
        ),
        _own_provider("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
        _own_provider("llamacpp", "llama.cpp's server", "http://127.0.0.1:8080/v1", timings_per_token=True),
        Provider(
            "anthropic",
            "Anthropic",
            "langchain",
            keys=("ANTHROPIC_API_KEY",),
            addresses=("ANTHROPIC_BASE_URL",),
            prices="anthropic",
            modules=("langchain", "langchain_anthropic"),
            extra="anthropic",
        ),
        Provider(
            "google",
            "Google Gemini",
            "langchain",
            keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            addresses=("GOOGLE_GEMINI_BASE_URL",),
            prices="google",
            modules=("langchain", "langchain_google_genai"),
            extra="google",
            limit="max_output_tokens",
        ),
        Provider(
            "local",
            "a model in this process",
            "local",
            needs_key=False,
            free=True,
            modules=("torch", "transformers"),
            extra="local",
            streamed=_STREAMED | {"timings_per_token": True},
        ),
        Provider("scripted", "replies from a file", "scripted", needs_key=False, free=True),
    )
}

NAMELESS = Provider("", "a service of your own", keys=("REGREEN_API_KEY",), needs_key=False)
"""Any OpenAI-compatible service that --base-url names."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model of a provider, with its address and keys."""

    provider: Provider
    model: str
    base_url: str = ""
    keys: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The model's full name."""
        return f"{self.provider.name}:{self.model}" if self.provider.name else self.model

    @property
    def display_url(self) -> str:
        """The address for messages, without a user name and password."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{_host(parts)}{parts.path}" if parts.netloc else self.provider.title


def missing_modules(provider: Provider) -> tuple[str, ...]:
    """The modules that a provider needs and that are not installed."""
    return tuple(name for name in provider.modules if importlib.util.find_spec(name) is None)


def install_command(provider: Provider) -> str:
    """The command that installs them."""
    return f"pip install 'regreen[{provider.extra}]'"


def require_modules(provider: Provider, *, hint: str = "") -> None:
    """Raise ConfigError, with the command that mends it, when a provider's extra is not installed.

    `hint` is said before the command: what else may have been meant.
    """
    if missing := missing_modules(provider):
        raise ConfigError(
            f"{provider.name}: models need {', '.join(missing)}, not installed here.",
            remedy=f"{hint} Install the extra with: {install_command(provider)}".lstrip(),
        )


def split_name(name: str, *, base_url: str | None = None) -> tuple[Provider, str]:
    """The provider and the model that a full name says.

    The name is split at its first ":" or "/" if a known provider stands before it. Otherwise all of it is the model,
    of the service at `base_url`. Raises ConfigError where there is neither.
    """
    cut = min((at for at in (name.find(":"), name.find("/")) if at >= 0), default=-1)
    provider = PROVIDERS.get(name[:cut].strip().lower()) if cut > 0 else None
    model = (name[cut + 1 :] if provider else name).strip()
    if not model:
        raise ConfigError(f"{name!r} names no model.", remedy="Write provider:model, as in openai:gpt-5-mini.")
    if provider:
        return provider, model
    if base_url:
        return NAMELESS, model
    raise ConfigError(f"{name!r} names no provider that is known.", remedy=_suggestion(name, cut))


def find_endpoint(
    settings: Settings, *, environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> Endpoint:
    """The endpoint that the settings name; raises ConfigError naming the key, address or model that is missing."""
    if not settings.model:
        raise ConfigError("No model is named.", remedy="Name one with --model, as in --model openai:gpt-5-mini.")
    provider, model = split_name(settings.model, base_url=settings.base_url)
    keys = secrets(provider.keys, environ=environ, folder=folder)
    base_url = base_url_of(provider, settings.base_url, environ=environ)
    # A service at another address than the provider's own may need no key.
    if provider.needs_key and not keys and base_url == provider.base_url:
        raise ConfigError(
            f"There is no key for {provider.title}.",
            remedy=f"Set {' or '.join(provider.keys)} in the environment or in .env.",
        )
    return Endpoint(provider, model, base_url, keys)


def base_url_of(provider: Provider, given: str | None = None, *, environ: Mapping[str, str] | None = None) -> str:
    """The address of a provider: the one given by hand, else its variable's, else its own. Raises ConfigError."""
    if provider.kind in ("local", "scripted"):
        return ""
    found = given or address(provider.addresses, environ=environ)
    if found is None:
        return provider.base_url
    url = _ollama_url(found.strip()) if provider.name == "ollama" else found.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(
            f"The address of {provider.title} cannot be used: {found.rpartition('@')[2]!r}.",
            remedy="It has to be like https://host:port/v1.",
        )
    return url


def _ollama_url(found: str) -> str:
    """The address that OLLAMA_HOST names: it may be a host or a port alone, and 0.0.0.0 as a server listens there."""
    parts = urlsplit(found if "://" in found else f"http://{found}")
    try:
        port = parts.port or (11434 if "://" not in found else None)
    except ValueError:
        return found
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(parts.hostname or "", parts.hostname or "")
    host = f"[{host}]" if ":" in host else host
    path = parts.path.rstrip("/") or "/v1"
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{path}"


def _host(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _suggestion(name: str, cut: int) -> str:
    prefix = name[:cut].lower() if cut > 0 else ""
    closest = difflib.get_close_matches(prefix, PROVIDERS, 1)
    meant = f"Did you mean {closest[0]}:{name[cut + 1 :]}?" if closest else ""
    if name.count("/") == 1 and ":" not in name:
        # An owner at the hub may be called nearly like a provider: HuggingFaceTB, openai-community.
        return (
            f"A model at Hugging Face runs in this process as local:{name}, and is asked there as huggingface:{name}. "
            f"{meant}".rstrip()
        )
    if meant:
        return meant
    return f"Write provider:model with one of {', '.join(PROVIDERS)}; or name your own service with --base-url."
