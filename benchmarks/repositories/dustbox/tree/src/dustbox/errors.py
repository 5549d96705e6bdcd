class StoreError(Exception):
    pass


class QueryError(StoreError, ValueError):
    pass


class UpdateError(StoreError, ValueError):
    pass


class DuplicateKey(StoreError):
    def __init__(self, index, value):
        super().__init__(f"duplicate value {value!r} in index {index!r}")
        self.index = index
        self.value = value
