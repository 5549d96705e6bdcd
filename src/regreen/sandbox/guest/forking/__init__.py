"""What makes forks of a server cheap. No promise of the wall rests on it, and a server works without it.

One call, `make_forks_cheap`, stands for all of it, and one switch leaves that call out: REGREEN_CHEAP_FORKS=0 in the
host's environment. What each part earns is in benchmarks/README.md.
"""

from __future__ import annotations

from regreen.sandbox.guest.forking.memory_layout import settle_memory
from regreen.sandbox.guest.forking.warm_up import load_modules, rehearse

__all__ = ["make_forks_cheap"]


def make_forks_cheap(kind: str = "") -> None:
    """Load and rehearse what the children of a server of this kind ("guests" or "checks") do, and settle its memory.

    Without a kind, only its memory: for a server that has imported more modules since.
    """
    if kind:
        load_modules(kind)
        rehearse(kind)
    settle_memory()
