"""Constraints such as ``^1.2``, ``~1.2.3``, ``>=1,<2 || 3.*``."""
import operator
import re

from .errors import VersionError
from .version import Version

_OPS = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_TERM = re.compile(r"(\^|~|==|!=|>=|<=|>|<|=)?\s*(v?[0-9][0-9A-Za-z.+*-]*|\*)")


def _caret_limit(version):
    major, minor, _ = version.release
    if major:
        return version.bump(0)
    if minor:
        return version.bump(1)
    return version.bump(2)


def _expand(term):
    """The comparisons that a term stands for."""
    found = _TERM.fullmatch(term.strip())
    if not found:
        raise VersionError("bad constraint: %r" % term)
    op, text = found.groups()
    if "*" in text:
        if op not in (None, "=", "=="):
            raise VersionError("bad constraint: %r" % term)
        parts = text.split(".")
        if parts[-1] != "*" or "*" in parts[:-1] or len(parts) > 3:
            raise VersionError("bad constraint: %r" % term)
        if len(parts) == 1:
            return []
        low = Version.parse(".".join(parts[:-1]))
        return [(">=", low), ("<", low.bump(len(parts) - 2))]
    version = Version.parse(text)
    if op == "^":
        return [(">=", version), ("<", _caret_limit(version))]
    if op == "~":
        given = text.split("-")[0].count(".")
        return [(">=", version), ("<", version.bump(0 if given == 0 else 1))]
    if op in (None, "="):
        op = "=="
    return [(op, version)]


class Constraint:
    """Alternatives, each of which is a list of comparisons."""

    def __init__(self, text):
        self.text = text.strip() or "*"
        self.alternatives = []
        for alternative in self.text.split("||"):
            comparisons = []
            for term in alternative.split(","):
                comparisons.extend(_expand(term))
            self.alternatives.append(comparisons)

    def allows(self, version, pre=False):
        """Does a version fit?  Pre-releases only when asked for."""
        return any(self._fits(alternative, version, pre) for alternative in self.alternatives)

    @staticmethod
    def _fits(comparisons, version, pre):
        for op, bound in comparisons:
            if not _OPS[op](version, bound):
                return False
            if op == "<" and version.is_pre and not bound.is_pre and version.release == bound.release:
                # 2.0.0-rc.1 is not what "<2" means.
                return False
        if version.is_pre and not pre:
            return any(b.is_pre and b.release == version.release for _, b in comparisons)
        return True

    def __eq__(self, other):
        return isinstance(other, Constraint) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __str__(self):
        return self.text

    def __repr__(self):
        return "Constraint(%r)" % self.text
