class StockError(Exception):
    """Base class of all errors of this package."""


class UnknownProduct(StockError):
    def __init__(self, sku):
        super().__init__(f"unknown product {sku!r}")
        self.sku = sku


class DuplicateProduct(StockError):
    def __init__(self, sku):
        super().__init__(f"product {sku!r} exists already")
        self.sku = sku


class InsufficientStock(StockError):
    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, only {available} available")
        self.sku = sku
        self.wanted = wanted
        self.available = available


class ImportFailed(StockError):
    """Some rows of a CSV file were bad; *problems* lists ``(line, message)``."""

    def __init__(self, problems):
        super().__init__("; ".join(f"line {line}: {message}" for line, message in problems))
        self.problems = problems
