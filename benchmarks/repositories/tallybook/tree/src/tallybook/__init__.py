"""An event-sourced ledger."""
from .bank import Bank
from .errors import (
    AccountClosed,
    ConcurrencyError,
    CurrencyMismatch,
    InsufficientFunds,
    LedgerError,
    UnknownAccount,
)
from .money import Money
from .store import FileStore, MemoryStore

__all__ = [
    "AccountClosed",
    "Bank",
    "ConcurrencyError",
    "CurrencyMismatch",
    "FileStore",
    "InsufficientFunds",
    "LedgerError",
    "MemoryStore",
    "Money",
    "UnknownAccount",
]
