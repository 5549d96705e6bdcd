"""Property tests by Hypothesis: the same examples each time, first of all those that failed on the program as it is.

What failed there is data that comes with the order. What a run finds is told to the host, which hands it on from the
program as it is alone: no candidate reaches the next one through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import ExampleDatabase

Examples = dict[str, list[str]]
"""Key of a test -> its examples, both as Hypothesis writes them, in hexadecimal."""

_PROFILE = "regreen-sandbox"
_MOST_EXAMPLES = 10
"""Examples of one test that are kept."""
_MOST_BYTES = 1 << 12
"""Size of an example up to which it is kept."""
_SEED = "_hypothesis_internal_use_seed"
"""What `hypothesis.seed` sets; but that takes the examples away as well."""
_ALWAYS = (Phase.explicit, Phase.reuse, Phase.generate)


class KnownExamples(ExampleDatabase):
    """The examples that failed before; those of this run are kept apart and never asked for."""

    def __init__(self, given: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.given = {bytes.fromhex(key): [bytes.fromhex(value) for value in values] for key, values in given.items()}
        self.found: dict[bytes, list[bytes]] = {}

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """The examples of a test that failed before."""
        yield from self.given.get(key, ())

    def save(self, key: bytes, value: bytes) -> None:
        """Keep an example that fails: the last ones, which are the smallest."""
        if len(value) <= _MOST_BYTES:
            known = self.found.setdefault(key, [])
            known[:] = [*(one for one in known if one != value), value][-_MOST_EXAMPLES:]

    def delete(self, key: bytes, value: bytes) -> None:
        """Forget an example of this run."""
        known = self.found.get(key, [])
        if value in known:
            known.remove(value)

    def as_texts(self) -> Examples:
        """What this run found, the smallest first."""
        return {
            key.hex(): [value.hex() for value in sorted(values, key=len)]
            for key, values in self.found.items()
            if values
        }


def use_examples(given: Mapping[str, Sequence[str]], *, shrinks: bool) -> KnownExamples:
    """Have Hypothesis try the given examples first, from now on; failing ones are made smaller where it `shrinks`.

    Its own limits of time are lifted, since the sandbox has others. What a test sets for itself stays as it is.
    """
    examples = KnownExamples(given)
    phases = (*_ALWAYS, Phase.shrink) if shrinks else _ALWAYS
    lifted: Any = [HealthCheck.too_slow]
    settings.register_profile(
        _PROFILE, database=examples, deadline=None, phases=phases, suppress_health_check=lifted, derandomize=False
    )
    settings.load_profile(_PROFILE)
    return examples


def seed_property(test: Any, number: int) -> None:
    """Have a property test draw the same examples each time, unless it has a seed of its own."""
    target = getattr(test, "__func__", test)
    if getattr(target, "is_hypothesis_test", False) and getattr(target, _SEED, None) is None:
        setattr(target, _SEED, number)
