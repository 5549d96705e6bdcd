"""`langgraph.json`, and the graphs that it names, as a studio asks for them before anything runs."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from regreen.integrations import studio
from regreen.setting_table import STRATEGIES

ROOT = Path(__file__).parents[3]
CONFIG = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
GRAPHS = CONFIG["graphs"]


def test_every_strategy_with_a_graph_is_in_the_studio() -> None:
    """And only those; the file reads no `.env`."""
    assert set(GRAPHS) == set(STRATEGIES) - {"search"}
    assert set(CONFIG) == {"dependencies", "graphs"}
    assert CONFIG["dependencies"] == ["."]


@pytest.mark.parametrize("name", sorted(GRAPHS))
def test_each_name_leads_to_a_factory_whose_graph_can_be_drawn_and_filled_in(name: str) -> None:
    """The form has the four texts, described; the strategy's own nodes are seen inside."""
    module, _, attribute = GRAPHS[name].partition(":")
    graph = getattr(import_module(module), attribute)()
    form = graph.get_input_jsonschema()
    assert graph.name == name
    assert list(form["properties"]) == ["source", "tests", "entry_point", "statement"]
    assert form["required"] == ["source"]
    assert all(field["type"] == "string" and field["description"] for field in form["properties"].values())
    assert set(graph.get_output_jsonschema()["properties"]) == {"repair", "error"}
    inner = dict(graph.get_subgraphs())[name]
    assert {"choose", "conclude"} & set(inner.nodes)
    assert inner.get_context_jsonschema() is None
    assert "attempts" in inner.get_input_jsonschema()["properties"]


def test_without_a_model_a_person_is_told_to_name_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As data: a server hides the words of an exception."""
    monkeypatch.chdir(tmp_path)
    ended = studio.reflect_graph().invoke({"source": "def one():\n    return 2\n", "tests": "assert one() == 1"})
    assert "--model" in ended["error"]
    assert ended["repair"] == {}
