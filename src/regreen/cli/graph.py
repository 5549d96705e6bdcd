"""`regreen graph`: a strategy's LangGraph graph, as Mermaid text or as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from regreen.cli.completion import from_names
from regreen.errors import ConfigError
from regreen.setting_table import STRATEGIES_WITH_GRAPH


def graph_command(
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY",
            help=f"{', '.join(STRATEGIES_WITH_GRAPH)}.",
            autocompletion=from_names(STRATEGIES_WITH_GRAPH),
        ),
    ],
    project: Annotated[bool, typer.Option("--project", help="The graph that repairs whole projects.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it there.")] = None,
) -> int:
    """Show how a strategy's nodes hang together.

    Exit status: 0 shown; 2 there is no such graph.
    """
    from regreen.strategies import load_agent_spec
    from regreen.strategies.agents.agent_spec import mermaid, steps
    from regreen.strategies.whole_projects.project_agent import load_project_spec

    graph = load_project_spec(strategy).build() if project else load_agent_spec(strategy).build_graph()
    if svg is None:
        sys.stdout.write(mermaid(graph, strategy))
        return 0
    from regreen.report.graph_svg import GraphEdge, graph_svg

    nodes, edges = steps(graph, strategy)
    drawn = graph_svg(nodes, [GraphEdge(*edge) for edge in edges], title=f"The graph of the strategy {strategy}")
    try:
        svg.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"the picture cannot be saved as {svg}: {error.strerror}.", remedy="Give --svg another file."
        ) from None
    sys.stdout.write(f"Drawn as {svg}.\n")
    return 0
