"""A strategy's graph as a picture: every node and step in it, none over another, and the shown ones up to date."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from regreen.report.graph_svg import GraphEdge, graph_svg
from regreen.setting_table import STRATEGIES_WITH_GRAPH
from regreen.strategies import load_agent_spec
from regreen.strategies.agents.agent_spec import steps

IMAGES = Path(__file__).parents[3] / "docs" / "images"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str) -> str:
    nodes, edges = steps(load_agent_spec(name).build_graph(), name)
    return graph_svg(nodes, [GraphEdge(*edge) for edge in edges], title=f"The graph of the strategy {name}")


@pytest.mark.parametrize("name", STRATEGIES_WITH_GRAPH)
def test_every_strategy_is_drawn(name: str) -> None:
    """Boxes apart, lines within the picture, and what docs/strategies.md shows is what is drawn."""
    nodes, edges = steps(load_agent_spec(name).build_graph(), name)
    root = ElementTree.fromstring(drawn(name))
    boxes = [[float(box.attrib[key]) for key in ("x", "y", "width", "height")] for box in root.iter(f"{SVG}rect")]
    whole, *boxes = boxes
    assert len(boxes) == len(nodes)
    assert {text.text for text in root.iter(f"{SVG}text")} == {node.strip("_").replace("_", " ") for node in nodes}
    lines = [path.attrib["d"] for path in root.iter(f"{SVG}path") if "marker-end" in path.attrib]
    assert len(lines) == len(edges)
    for (x, y, width, height), (x2, y2, width2, height2) in combinations(boxes, 2):
        assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y
    across = [float(number.split()[0]) for line in lines for number in line.replace("M", " ").split("C")]
    assert whole[0] <= min(across)
    assert max(across) <= whole[0] + whole[2]
    assert (IMAGES / f"graph-{name}.svg").read_text(encoding="utf-8") == drawn(name), "draw it again: regreen graph"


def test_a_name_is_no_markup() -> None:
    """Whoever writes a graph of their own."""
    text = graph_svg(["a<b>", "c&d"], [GraphEdge("a<b>", "c&d"), GraphEdge("c&d", "a<b>")], title="<t>")
    assert "a<b>" not in text
    assert ElementTree.fromstring(text).attrib["aria-label"] == "<t>"
