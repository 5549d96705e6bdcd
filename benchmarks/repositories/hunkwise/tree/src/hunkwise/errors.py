class HunkwiseError(Exception):
    """Base of everything raised on purpose by this package."""


class ParseError(HunkwiseError):
    def __init__(self, message, lineno):
        super().__init__(f"line {lineno}: {message}")
        self.lineno = lineno


class PatchConflict(HunkwiseError):
    """Raised when one or more hunks cannot be placed."""

    def __init__(self, rejected):
        self.rejected = list(rejected)
        where = ", ".join(h.header() for h in self.rejected)
        super().__init__(f"{len(self.rejected)} hunk(s) failed: {where}")
