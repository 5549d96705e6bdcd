"""Cell addresses."""
import re
from dataclasses import dataclass

_REF = re.compile(r"^(\$?)([A-Za-z]{1,3})(\$?)([1-9][0-9]*)$")


def column_name(index):
    """0 -> A, 25 -> Z, 26 -> AA."""
    if index < 0:
        raise ValueError("negative column")
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def column_index(name):
    index = 0
    for char in name.upper():
        index = index * 26 + ord(char) - ord("A") + 1
    return index - 1


@dataclass(frozen=True)
class CellRef:
    row: int
    col: int
    abs_row: bool = False
    abs_col: bool = False

    @classmethod
    def parse(cls, text):
        match = _REF.match(text)
        if not match:
            raise ValueError(f"bad cell reference: {text!r}")
        abs_col, col, abs_row, row = match.groups()
        return cls(int(row) - 1, column_index(col), bool(abs_row), bool(abs_col))

    @property
    def key(self):
        return (self.row, self.col)

    def shifted(self, rows, cols):
        """Where this points after a copy; None when off the sheet."""
        row = self.row if self.abs_row else self.row + rows
        col = self.col if self.abs_col else self.col + cols
        if row < 0 or col < 0:
            return None
        return CellRef(row, col, self.abs_row, self.abs_col)

    def __str__(self):
        col = ("$" if self.abs_col else "") + column_name(self.col)
        row = ("$" if self.abs_row else "") + str(self.row + 1)
        return col + row


@dataclass(frozen=True)
class RangeRef:
    start: CellRef
    end: CellRef

    @classmethod
    def parse(cls, text):
        start, _, end = text.partition(":")
        return cls(CellRef.parse(start), CellRef.parse(end))

    def _bounds(self):
        rows = sorted((self.start.row, self.end.row))
        cols = sorted((self.start.col, self.end.col))
        return rows, cols

    def rows(self):
        """Lists of keys, one a row."""
        (top, bottom), (left, right) = self._bounds()
        return [
            [(row, col) for col in range(left, right + 1)]
            for row in range(top, bottom + 1)
        ]

    def keys(self):
        return [key for row in self.rows() for key in row]

    def shifted(self, rows, cols):
        start = self.start.shifted(rows, cols)
        end = self.end.shifted(rows, cols)
        if start is None or end is None:
            return None
        return RangeRef(start, end)

    def __str__(self):
        return f"{self.start}:{self.end}"
