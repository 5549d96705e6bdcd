from .record import LogRecord, level_number
from .reader import read_records
from .query import compile_query

__version__ = "1.3.0"
__all__ = ["LogRecord", "level_number", "read_records", "compile_query"]
