class PaceError(Exception):
    """Base class."""


class LimitExceeded(PaceError):
    def __init__(self, retry_after):
        super().__init__("limit exceeded, retry after %.3gs" % retry_after)
        self.retry_after = retry_after


class CircuitOpen(PaceError):
    def __init__(self, name, retry_after):
        super().__init__("circuit %s is open for another %.3gs" % (name, retry_after))
        self.name = name
        self.retry_after = retry_after


class RetryError(PaceError):
    """All attempts failed; the last error is the cause."""

    def __init__(self, attempts, last):
        super().__init__("gave up after %d attempts: %r" % (attempts, last))
        self.attempts = attempts
        self.last = last
