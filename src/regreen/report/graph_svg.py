"""A strategy's graph as a picture: nodes in layers from above; what passes layers, or goes back, beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 116.0, 34.0
_GAP_ACROSS, _GAP_DOWN = 26.0, 34.0
_MARGIN = 24.0
_BULGE, _BULGE_STEP = 26.0, 15.0
"""How far an edge that passes layers leaves its column, and how much farther for each layer that it passes."""
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2021;text-anchor:middle;dominant-baseline:central}"
    ".node{fill:#f4f5f3;stroke:#5c6365}.end{fill:#0f7048;stroke:#0f7048}.end+text{fill:#fff}"
    ".edge{fill:none;stroke:#5c6365;stroke-width:1.3}.choice{stroke-dasharray:5 3}"
)


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A step from one node to another."""

    source: str
    target: str
    is_choice: bool = False
    """Whether a route decides that it is taken."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Middle of a node, in pixels, and its layer from 0."""

    x: float
    y: float
    layer: int


def graph_svg(nodes: Sequence[str], edges: Sequence[GraphEdge], *, title: str) -> str:
    """The picture as an SVG document; the first of `nodes` is where the graph begins, dashes are choices."""
    places = _places(nodes, edges)
    left, right = (_MARGIN + max([0.0, *(_bulge(places, edge, side) for edge in edges)]) for side in (-1, 1))
    width = left + right + max(place.x for place in places.values()) + _WIDTH / 2
    height = 2 * _MARGIN + max(place.y for place in places.values()) + _HEIGHT / 2
    drawn = [*(_edge(edge, places) for edge in edges), *(_node(name, places[name]) for name in nodes)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-left:g} {-_MARGIN:g} {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n"
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#5c6365"/></marker></defs>\n'
        f'<rect x="{-left:g}" y="{-_MARGIN:g}" width="{width:g}" height="{height:g}" fill="#fff"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _places(nodes: Sequence[str], edges: Sequence[GraphEdge]) -> dict[str, _Place]:
    layers = _layers(nodes, edges)
    rows: dict[int, list[str]] = {}
    for name in nodes:
        rows.setdefault(layers[name], []).append(name)
    step, widest = _WIDTH + _GAP_ACROSS, max(len(row) for row in rows.values())
    return {
        name: _Place(
            _WIDTH / 2 + step * (place + (widest - len(row)) / 2),
            _HEIGHT / 2 + (_HEIGHT + _GAP_DOWN) * layer,
            layer,
        )
        for layer, row in rows.items()
        for place, name in enumerate(row)
    }


def _layers(nodes: Sequence[str], edges: Sequence[GraphEdge]) -> dict[str, int]:
    """Each node's layer: one below the lowest node that leads to it, those that only lead back left out."""
    targets: dict[str, list[str]] = {name: [] for name in nodes}
    for edge in edges:
        targets[edge.source].append(edge.target)
    order = _finished(nodes[0], targets)
    layers = dict.fromkeys(nodes, 0)
    rank = {name: place for place, name in enumerate(order)}
    for name in order:
        for target in targets[name]:
            if rank[target] > rank[name]:
                layers[target] = max(layers[target], layers[name] + 1)
    # The end stands below all others.
    lowest = max(layers[name] for name in nodes if targets[name]) + 1
    return {name: layers[name] if targets[name] else lowest for name in nodes}


def _finished(first: str, targets: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes so that each stands before those that it leads to, but for the edges that close a circle."""
    seen: set[str] = set()
    done: list[str] = []

    def visit(name: str) -> None:
        seen.add(name)
        for target in targets[name]:
            if target not in seen:
                visit(target)
        done.append(name)

    visit(first)
    return done[::-1]


def _passes(places: Mapping[str, _Place], edge: GraphEdge) -> int:
    """How many layers down an edge goes: below 1 it leads back."""
    return places[edge.target].layer - places[edge.source].layer


def _side(places: Mapping[str, _Place], edge: GraphEdge) -> int:
    """The side on which an edge passes layers, -1 for the left: that of its source; from the middle, back is right."""
    middle = (min(place.x for place in places.values()) + max(place.x for place in places.values())) / 2
    away = places[edge.source].x - middle
    return (1 if away > 0 else -1) if away else (-1 if _passes(places, edge) > 1 else 1)


def _bulge(places: Mapping[str, _Place], edge: GraphEdge, side: int) -> float:
    """How far an edge leaves the nodes on a side; 0 where it passes none, or on the other side."""
    layers = _passes(places, edge)
    return 0.0 if layers == 1 or _side(places, edge) != side else _BULGE + _BULGE_STEP * abs(layers)


def _edge(edge: GraphEdge, places: Mapping[str, _Place]) -> str:
    start, end, layers = places[edge.source], places[edge.target], _passes(places, edge)
    if layers == 1:
        top, bottom = start.y + _HEIGHT / 2, end.y - _HEIGHT / 2
        middle = (top + bottom) / 2
        line = f"M{start.x:g} {top:g}C{start.x:g} {middle:g} {end.x:g} {middle:g} {end.x:g} {bottom:g}"
    else:
        sign = _side(places, edge)
        edges = [place.x + sign * _WIDTH / 2 for place in places.values()]
        beyond = (min(edges) if sign < 0 else max(edges)) + sign * _bulge(places, edge, sign)
        a, b = start.x + sign * _WIDTH / 2, end.x + sign * _WIDTH / 2
        line = f"M{a:g} {start.y:g}C{beyond:g} {start.y:g} {beyond:g} {end.y:g} {b:g} {end.y:g}"
    kind = "edge choice" if edge.is_choice else "edge"
    return f'<path class="{kind}" d="{line}" marker-end="url(#arrow)"/>'


def _node(name: str, place: _Place) -> str:
    kind = "end" if name.startswith("__") else "node"
    x, y = place.x - _WIDTH / 2, place.y - _HEIGHT / 2
    box = f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{_WIDTH:g}" height="{_HEIGHT:g}" rx="8"/>'
    return f'{box}<text x="{place.x:g}" y="{place.y:g}">{escape(name.strip("_").replace("_", " "))}</text>'
