"""Draws graphs with the installed Graphviz, a trusted program given text of our own: never for code under repair."""

from __future__ import annotations

import shutil
import subprocess

from regreen.errors import RegreenError


class GraphvizError(RegreenError):
    """Graphviz is not installed, or failed."""


def draw_svg(dot: str, *, seconds: float = 30.0) -> str:
    """A graph in Graphviz' language as SVG; raises GraphvizError where Graphviz is not installed."""
    program = shutil.which("dot")
    if program is None:
        raise GraphvizError("Graphviz is not installed.", remedy="Install it, or leave out --svg for Mermaid text.")
    try:
        done = subprocess.run(
            [program, "-Tsvg"], input=dot, capture_output=True, text=True, timeout=seconds, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise GraphvizError(f"Graphviz did not draw the graph: {error}.") from None
    return done.stdout
