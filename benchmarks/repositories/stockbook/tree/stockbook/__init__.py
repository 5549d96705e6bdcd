from .db import connect, transaction
from .errors import (
    DuplicateProduct,
    ImportFailed,
    InsufficientStock,
    StockError,
    UnknownProduct,
)
from .inventory import Inventory
from .money import Money

__all__ = [
    "connect",
    "transaction",
    "Inventory",
    "Money",
    "StockError",
    "DuplicateProduct",
    "ImportFailed",
    "InsufficientStock",
    "UnknownProduct",
]
