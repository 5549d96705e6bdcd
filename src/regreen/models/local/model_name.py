"""Names of local models: `local:ID`, `local:FOLDER` or `local:ALIAS`, and options after a `?`."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from regreen.errors import ConfigError
from regreen.models.llamacpp.model_file import PACKAGED_MODELS

LOCAL_PREFIXES = ("local:", "local/")

MODEL_ALIASES = MappingProxyType(
    {
        "qwen2.5-coder-0.5b": "Qwen/Qwen2.5-Coder-0.5B-Instruct",
        "qwen2.5-coder-1.5b": "Qwen/Qwen2.5-Coder-1.5B-Instruct",
        "qwen2.5-coder-3b": "Qwen/Qwen2.5-Coder-3B-Instruct",
        "qwen2.5-coder-7b": "Qwen/Qwen2.5-Coder-7B-Instruct",
        "qwen2.5-coder-14b": "Qwen/Qwen2.5-Coder-14B-Instruct",
        "qwen2.5-coder-32b": "Qwen/Qwen2.5-Coder-32B-Instruct",
        "qwen2.5-0.5b": "Qwen/Qwen2.5-0.5B-Instruct",
        "qwen2.5-1.5b": "Qwen/Qwen2.5-1.5B-Instruct",
        "qwen3-0.6b": "Qwen/Qwen3-0.6B",
        "qwen3-1.7b": "Qwen/Qwen3-1.7B",
        "qwen3-4b": "Qwen/Qwen3-4B",
        "deepseek-coder-1.3b": "deepseek-ai/deepseek-coder-1.3b-instruct",
        "deepseek-coder-6.7b": "deepseek-ai/deepseek-coder-6.7b-instruct",
        "smollm2-135m": "HuggingFaceTB/SmolLM2-135M-Instruct",
        "smollm2-360m": "HuggingFaceTB/SmolLM2-360M-Instruct",
        "smollm2-1.7b": "HuggingFaceTB/SmolLM2-1.7B-Instruct",
        "smollm3-3b": "HuggingFaceTB/SmolLM3-3B",
        "granite-3.3-2b": "ibm-granite/granite-3.3-2b-instruct",
        "granite-3.3-8b": "ibm-granite/granite-3.3-8b-instruct",
        "granite-code-3b": "ibm-granite/granite-3b-code-instruct-128k",
        "granite-code-8b": "ibm-granite/granite-8b-code-instruct-128k",
        "yi-coder-1.5b": "01-ai/Yi-Coder-1.5B-Chat",
        "phi-3.5-mini": "microsoft/Phi-3.5-mini-instruct",
        "llama-3.2-1b": "meta-llama/Llama-3.2-1B-Instruct",
        "llama-3.2-3b": "meta-llama/Llama-3.2-3B-Instruct",
    }
)
"""Short names of small models that write code, and their ids at the hub."""

_DTYPES = ("auto", "float32", "bfloat16", "float16")
_DEVICES = ("cuda", "cpu", "mps")


@dataclass(frozen=True, slots=True)
class LocalModelName:
    """A local model, and how to run it."""

    source: str
    """An id at the hub, or the path of a folder."""
    dtype: str = ""
    """The type of the weights, e.g. "bfloat16"; "" leaves it to the device."""
    device: str = ""
    """PyTorch's name of the device; "" means CUDA where there is one, else the CPU."""
    revision: str = ""
    """A branch, tag or commit at the hub."""
    batch: int = 0
    """Most requests in a batch; 0 means the default."""
    context: int = 0
    """Most tokens of prompt and reply together; 0 means the model's own limit."""
    threads: int = 0
    """Threads of a GGUF model; 0 means all cores but one."""

    @property
    def is_folder(self) -> bool:
        """Whether it names a folder, existing or not, rather than an id."""
        return Path(self.source).expanduser().is_dir() or looks_like_path(self.source)

    @property
    def folder(self) -> Path:
        """The folder that it names; raises ConfigError where that is not there, or holds no model of transformers."""
        folder = Path(self.source).expanduser()
        if not folder.is_dir():
            raise ConfigError(
                f"There is no folder {self.source}.", remedy="Name one that holds a model, or a model's id."
            )
        if not (folder / "config.json").is_file():
            raise ConfigError(
                f"The folder {self.source} holds neither a config.json nor a GGUF file.",
                remedy="Name the folder that save_pretrained or a download has made, or a GGUF file.",
            )
        return folder


def parse_model_name(name: str) -> LocalModelName:
    """The model that a name stands for, with or without its `local:`; raises ConfigError for a malformed name."""
    bare = next((name[len(prefix) :] for prefix in LOCAL_PREFIXES if name.startswith(prefix)), name)
    source, _, options = bare.partition("?")
    if not source.strip():
        raise ConfigError(
            f"{name!r} names no model.",
            remedy="Write local: and the id of a model at the Hugging Face hub, a folder, or a short name such as "
            "local:qwen2.5-coder-0.5b.",
        )
    read: dict[str, Any] = {key: _option(name, key, value) for key, value in _pairs(options)}
    return LocalModelName(MODEL_ALIASES.get(source.lower(), source), **read)


def similar_aliases(source: str) -> list[str]:
    """Short names similar to this one."""
    return difflib.get_close_matches(source.lower(), (*MODEL_ALIASES, *PACKAGED_MODELS), 3, 0.5)


def short_name_hint(source: str) -> str:
    """What may have been meant by a name that is neither a short one nor an owner's at the hub; "" for any other."""
    if "/" in source or source in MODEL_ALIASES.values() or not (similar := similar_aliases(source)):
        return ""
    return f"Did you mean {' or '.join(f'local:{name}' for name in similar)}?"


def looks_like_path(source: str) -> bool:
    """Whether `source` can only be a folder: an id has at most one slash, and no dot or tilde before it."""
    return source.startswith(("/", "./", "../", "~")) or source in (".", "..") or source.count("/") > 1


def _pairs(options: str) -> list[tuple[str, str]]:
    pairs = (part.partition("=") for part in options.split("&") if part)
    return [(key, unquote(value)) for key, _, value in pairs]


def _option(name: str, key: str, value: str) -> str | int:
    if key not in _OPTIONS:
        raise ConfigError(f"{key!r} in {name!r} is not an option.", remedy=f"There are: {', '.join(_OPTIONS)}.")
    read, allowed = _OPTIONS[key]
    checked = read(value)
    if checked is None:
        raise ConfigError(f"{key} in {name!r} is {value!r}.", remedy=f"It has to be {allowed}.")
    return checked


def _dtype(value: str) -> str | None:
    return value if value in _DTYPES else None


def _device(value: str) -> str | None:
    kind, _, number = value.partition(":")
    return value if kind in _DEVICES and (number.isdecimal() or ":" not in value) else None


def _revision(value: str) -> str | None:
    return value or None


def _count(value: str) -> int | None:
    return int(value) if value.isdecimal() and len(value) < 10 and int(value) else None


_OPTIONS: dict[str, tuple[Callable[[str], str | int | None], str]] = {
    "dtype": (_dtype, "one of " + ", ".join(_DTYPES)),
    "device": (_device, "cpu, cuda, cuda:NUMBER or mps"),
    "revision": (_revision, "a branch, a tag or a commit"),
    "batch": (_count, "a whole number from 1"),
    "context": (_count, "a whole number from 1"),
    "threads": (_count, "a whole number from 1"),
}
"""By option: the function that reads its value, None for a wrong one, and the allowed values in words."""
