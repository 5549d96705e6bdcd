from .errors import CellError, FormulaSyntaxError
from .refs import CellRef, RangeRef, column_index, column_name
from .sheet import Sheet

__all__ = [
    "CellError",
    "CellRef",
    "FormulaSyntaxError",
    "RangeRef",
    "Sheet",
    "column_index",
    "column_name",
]
