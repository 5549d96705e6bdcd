"""Names of local models: short ones, ids, folders and options."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from regreen.config import Settings
from regreen.errors import ConfigError
from regreen.models.local import open_local
from regreen.models.local.model_name import (
    MODEL_ALIASES,
    LocalModelName,
    parse_model_name,
    short_name_hint,
    similar_aliases,
)


@pytest.mark.parametrize("name", ["local:qwen2.5-coder-0.5b", "local/qwen2.5-coder-0.5b", "Qwen2.5-Coder-0.5B"])
def test_a_short_name_stands_for_an_id_with_or_without_its_provider(name: str) -> None:
    """Short names work in any case, and both ways of writing the provider are understood."""
    assert parse_model_name(name).source == "Qwen/Qwen2.5-Coder-0.5B-Instruct"


def test_every_short_name_stands_for_an_id_of_the_hub() -> None:
    """A short name leads to owner/model, and is itself neither an id nor a folder."""
    for alias, source in MODEL_ALIASES.items():
        assert source.count("/") == 1
        assert not parse_model_name(source).is_folder
        assert alias == alias.lower()
        assert "/" not in alias


def test_what_is_no_short_name_is_taken_as_it_is() -> None:
    """Ids and folders keep their case and their slashes."""
    assert parse_model_name("local:Some/Model-1B") == LocalModelName("Some/Model-1B")
    assert parse_model_name("local:./My Models/One") == LocalModelName("./My Models/One")


def test_options_follow_a_question_mark() -> None:
    """Every option is read, numbers as numbers."""
    name = parse_model_name("local:Some/Model?dtype=bfloat16&device=cuda:1&revision=v1%2E0&batch=8&context=4096")
    assert name == LocalModelName("Some/Model", "bfloat16", "cuda:1", "v1.0", 8, 4096)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ("dtype=int3", "float32"),
        ("device=tpu", "cuda"),
        ("device=cuda:x", "cuda"),
        ("device=cuda:", "cuda"),
        ("batch=0", "whole number"),
        ("batch=-1", "whole number"),
        ("batch=" + "9" * 5000, "whole number"),
        ("context=many", "whole number"),
        ("revision=", "branch"),
        ("speed=1", "dtype"),
        ("=", "dtype"),
    ],
)
def test_an_option_that_cannot_be_says_what_can(options: str, word: str) -> None:
    """A wrong option or value is refused with what is allowed."""
    with pytest.raises(ConfigError, match=word):
        parse_model_name("local:Some/Model?" + options)


@pytest.mark.parametrize("name", ["local:", "local:  ", "local:?batch=2", ""])
def test_a_name_without_a_model_is_refused_with_an_example(name: str) -> None:
    """Nothing is not a model."""
    with pytest.raises(ConfigError, match=r"local:qwen2\.5"):
        parse_model_name(name)


@pytest.mark.parametrize(
    ("source", "is_folder"),
    [("/models/x", True), ("./x", True), ("~/x", True), ("a/b/c", True), (".", True), ("Some/Model", False)],
)
def test_a_folder_is_told_from_an_id_by_its_form(source: str, is_folder: bool) -> None:
    """A path is a folder even when it is not there, so that the error can say so."""
    assert LocalModelName(source).is_folder is is_folder


def test_a_folder_that_is_there_is_a_folder_whatever_its_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some/Model in the working folder wins over the hub's."""
    (tmp_path / "Some" / "Model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert LocalModelName("Some/Model").is_folder


def test_a_misspelt_short_name_finds_its_neighbours() -> None:
    """The hint of an error lists what could have been meant."""
    assert similar_aliases("qwen2.5-coder-05b")[0] == "qwen2.5-coder-0.5b"
    assert similar_aliases("zzz") == []


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("smolm2", "Did you mean local:smollm2 or "),
        ("gpt2-of-my-own", ""),
        ("HuggingFaceTB/SmolLM2-360M-Instruct", ""),
    ],
)
def test_a_slip_in_a_short_name_is_told_before_an_extra_is_asked_for(source: str, hint: str) -> None:
    """An owner's model at the hub is meant as it is written, and a name like none of ours may be the hub's."""
    told = short_name_hint(source)
    assert told.startswith(hint)
    assert bool(told) is bool(hint)


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_a_missing_extra_is_named_with_the_command_that_brings_it(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without PyTorch or transformers the error says what to install."""
    for name in ("torch", "transformers"):
        present = sys.modules.get(name, type(sys)(name))
        monkeypatch.setitem(sys.modules, name, None if name == missing else present)
    with pytest.raises(ConfigError, match=missing) as raised:
        open_local("local:qwen2.5-coder-0.5b", Settings())
    assert "pip install 'regreen[local]'" in raised.value.remedy


def test_a_wrong_name_is_told_before_the_extra_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that cannot be one is refused even where nothing is installed."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ConfigError, match="no model"):
        open_local("local:", Settings())
