"""A model from the settings: what is put around it, and what is given back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from regreen.config import Settings
from regreen.errors import BudgetSpent, ConfigError, ModelError, RunError
from regreen.models import Message, Meter, Reply, Request, Usage, list_models, open_model, spent_on
from regreen.models.cassette import tape_rows

ASKED = Request((Message("user", "Hello."),), node="draft", scope="x#0")


class ReplyListener:
    """A model that counts what it is asked."""

    name = "local:told"

    def __init__(self) -> None:
        self.asked = 0
        self.closed = 0

    def ask(self, request: Request) -> Reply:
        self.asked += 1
        return Reply("Hi.", usage=Usage(6, 4))

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def redacted(monkeypatch: pytest.MonkeyPatch) -> Iterator[ReplyListener]:
    """Stands in for every local model."""
    model = ReplyListener()
    module: Any = ModuleType("regreen.models.local")
    module.open_local = lambda name, settings: model
    monkeypatch.setitem(sys.modules, "regreen.models.local", module)
    monkeypatch.setattr("regreen.models.open.require_modules", lambda provider, **hint: None)
    yield model
    assert model.closed == 1


@pytest.mark.parametrize("source", ["./nowhere", "."])
def test_a_folder_without_a_model_is_told_before_packages_are(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody should install PyTorch to learn that a path is wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"no folder|holds neither"), open_model(Settings(model=f"local:{source}")):
        pass


def test_a_model_is_metered_and_closed(redacted: ReplyListener) -> None:
    """A local one costs nothing, and its tokens count."""
    meter = Meter()
    with open_model(Settings(model="local:told"), meter=meter) as model:
        assert model.ask(ASKED).usd == 0.0
        assert not redacted.closed
    assert meter.totals()["by_node"]["draft"]["prompt"] == 6


def test_the_limits_of_the_settings_hold_without_a_meter(redacted: ReplyListener) -> None:
    """One is made for the block."""
    with open_model(Settings(model="local:told", max_tokens=10)) as model:
        model.ask(ASKED)
        with pytest.raises(BudgetSpent):
            model.ask(ASKED)


def test_a_tape_holds_what_was_asked_and_a_cache_saves_asking(redacted: ReplyListener, tmp_path: Path) -> None:
    """The second request is answered by the cache, costs nothing, and is on the tape all the same."""
    meter = Meter()
    settings = Settings(model="local:told", cache=str(tmp_path / "cache.sqlite"))
    with open_model(settings, tape=tmp_path / "tape.sqlite", meter=meter) as model:
        model.ask(ASKED)
        model.ask(Request(ASKED.messages, scope="y#0"))
    assert redacted.asked == 1
    assert (meter.totals()["calls"], meter.totals()["replayed"], meter.spent_tokens) == (1, 1, 10)
    assert len(list(tape_rows(tmp_path / "tape.sqlite"))) == 2


def test_a_tape_that_cannot_be_used_closes_the_model(redacted: ReplyListener, tmp_path: Path) -> None:
    """Nothing is left open behind an error."""
    (tmp_path / "tape.sqlite").write_text("no tape at all" * 100)
    settings = Settings(model="local:told", cache=str(tmp_path / "cache.sqlite"))
    with pytest.raises(RunError), open_model(settings, tape=tmp_path / "tape.sqlite"):
        raise AssertionError
    assert redacted.closed


def test_a_script_is_a_model(tmp_path: Path) -> None:
    """No network, no key, no cost."""
    script = tmp_path / "script.json"
    script.write_text('{"default": "Scripted."}', encoding="utf-8")
    with open_model(Settings(model=f"scripted:{script}", max_usd=0.1)) as model:
        reply = model.ask(ASKED)
    assert (reply.text, reply.usd) == ("Scripted.", 0.0)


def test_no_model_is_an_error_that_says_how_to_name_one() -> None:
    """As it may be forgotten."""
    with pytest.raises(ConfigError, match="--model openai:gpt-5-mini"), open_model(Settings()):
        raise AssertionError


def test_a_limit_of_money_needs_no_price_for_what_is_free(redacted: ReplyListener) -> None:
    """It can never be reached."""
    with open_model(Settings(model="local:told", max_usd=0.01)) as model:
        assert model.ask(ASKED).usd == 0.0


def test_only_services_list_their_models() -> None:
    """Others say that they cannot."""
    with pytest.raises(ModelError, match="does not tell"):
        list_models(Settings(model="scripted:x"))


def test_what_a_tape_has_cost_counts_on(redacted: ReplyListener, tmp_path: Path) -> None:
    """A run that is resumed begins with what all of its replies took, those of tasks that did not end among them."""
    settings, tape = Settings(model="local:told"), tmp_path / "tape.sqlite"
    assert spent_on(tape, settings) == (0, 0.0)
    with open_model(settings, tape=tape) as model:
        model.ask(ASKED)
        model.ask(replace(ASKED, turn=1))
    assert spent_on(tape, settings) == (20, 0.0)
