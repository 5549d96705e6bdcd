"""Dependency graphs and their resolution."""
from .constraint import Constraint
from .errors import Conflict, CycleError, LodestarError
from .graph import Graph
from .manifest import Manifest
from .resolver import resolve
from .version import Version

__version__ = "2.1.0"
__all__ = [
    "Conflict",
    "Constraint",
    "CycleError",
    "Graph",
    "LodestarError",
    "Manifest",
    "Version",
    "resolve",
]
