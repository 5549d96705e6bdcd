class LedgerError(Exception):
    """Base class of all errors."""


class UnknownAccount(LedgerError, KeyError):
    def __str__(self):
        return "no account %r" % self.args[0]


class DuplicateAccount(LedgerError):
    pass


class AccountClosed(LedgerError):
    pass


class InsufficientFunds(LedgerError):
    def __init__(self, account, wanted, available):
        super().__init__("%s: cannot take %s, only %s available" % (account, wanted, available))
        self.account = account
        self.wanted = wanted
        self.available = available


class CurrencyMismatch(LedgerError):
    pass


class InvalidAmount(LedgerError, ValueError):
    pass


class ConcurrencyError(LedgerError):
    def __init__(self, stream, expected, actual):
        super().__init__("%s: expected version %d, found %d" % (stream, expected, actual))
        self.expected = expected
        self.actual = actual


class CorruptStore(LedgerError):
    pass
