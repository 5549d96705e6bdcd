"""Versions: ``1``, ``1.2``, ``1.2.3``, ``1.2.3-rc.1``, ``1.2.3+build``."""
import re
from functools import total_ordering

from .errors import VersionError

_VERSION = re.compile(
    r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?"
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
    r"(?:\+([0-9A-Za-z.-]+))?"
)


@total_ordering
class Version:
    def __init__(self, major, minor=0, patch=0, pre=(), build=""):
        self.release = (major, minor, patch)
        self.pre = tuple(pre)
        self.build = build

    @classmethod
    def parse(cls, text):
        found = _VERSION.fullmatch(text.strip())
        if not found:
            raise VersionError("not a version: %r" % text)
        major, minor, patch, pre, build = found.groups()
        parts = [int(p) if p.isdigit() else p for p in pre.split(".")] if pre else ()
        return cls(int(major), int(minor or 0), int(patch or 0), parts, build or "")

    @property
    def is_pre(self):
        return bool(self.pre)

    def bump(self, part):
        """The next version: ``part`` is 0 for major, 1 for minor, 2 for patch."""
        numbers = list(self.release)
        numbers[part] += 1
        numbers[part + 1:] = [0] * (2 - part)
        return Version(*numbers)

    def _key(self):
        # A release sorts after its pre-releases, numbers before words.
        pre = tuple((0, p, "") if isinstance(p, int) else (1, 0, p) for p in self.pre)
        return (self.release, not self.pre, pre)

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self._key() == other._key()

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self._key() < other._key()

    def __hash__(self):
        return hash(self._key())

    def __str__(self):
        text = "%d.%d.%d" % self.release
        if self.pre:
            text += "-" + ".".join(str(p) for p in self.pre)
        if self.build:
            text += "+" + self.build
        return text

    def __repr__(self):
        return "Version(%s)" % self
