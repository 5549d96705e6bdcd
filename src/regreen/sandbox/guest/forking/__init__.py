"""What makes forks of a server cheap. No promise of the wall rests on it, and a server works without it.

Two calls stand for all of it, and one switch leaves them out: REGREEN_CHEAP_FORKS=0 in the host's environment. What
each part earns is in benchmarks/README.md.
"""

from __future__ import annotations

from regreen.sandbox.guest.forking.memory_layout import settle_memory
from regreen.sandbox.guest.forking.warm_up import load_common_modules, rehearse

__all__ = ["FORKS_BEFORE_REHEARSAL", "load_common_modules", "make_forks_cheap"]

FORKS_BEFORE_REHEARSAL = 32
"""A server rehearses after as many children as a rehearsal costs: it takes some 30 ms and earns some 1 ms a fork. One
that lives for one small repair never does."""


def make_forks_cheap(kind: str = "") -> None:
    """Rehearse what the children of a server of this kind ("guests", "checks" or "screens") do, and settle its memory.

    Without a kind, only its memory: for a server that has imported more modules since.
    """
    if kind:
        rehearse(kind)
    settle_memory()
