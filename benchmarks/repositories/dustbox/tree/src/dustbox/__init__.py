from .collection import Collection
from .cursor import Cursor
from .database import Database
from .errors import DuplicateKey, QueryError, StoreError, UpdateError

__all__ = ["Collection", "Cursor", "Database", "DuplicateKey", "QueryError", "StoreError", "UpdateError"]
