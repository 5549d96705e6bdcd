from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
    evictions: int = 0
    expirations: int = 0

    @property
    def requests(self) -> int:
        return self.hits + self.misses

    @property
    def hit_rate(self) -> float:
        return self.hits / self.requests if self.requests else 0.0

    def reset(self) -> None:
        for item in fields(self):
            setattr(self, item.name, 0)

    def snapshot(self) -> "Stats":
        return Stats(self.hits, self.misses, self.evictions, self.expirations)

    def __add__(self, other):
        if not isinstance(other, Stats):
            return NotImplemented
        return Stats(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __sub__(self, other):
        if not isinstance(other, Stats):
            return NotImplemented
        return Stats(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))
