"""A sheet of cells that keeps itself up to date."""
import csv
from dataclasses import dataclass, field

from .errors import CYCLE, CellError
from .evaluator import Evaluator
from .parser import parse, references
from .refs import CellRef, column_name
from .rewrite import shift_formula


@dataclass
class Cell:
    raw: object
    tree: object = None
    reads: frozenset = field(default_factory=frozenset)


class Sheet:
    def __init__(self, name="Sheet1"):
        self.name = name
        self._cells = {}
        self._readers = {}
        self._values = {}
        self._evaluator = Evaluator(self._value)
        self._busy = set()

    # -- access ----------------------------------------------------------
    def __setitem__(self, address, raw):
        self.set(CellRef.parse(address).key, raw)

    def __getitem__(self, address):
        return self._value(CellRef.parse(address).key)

    def __delitem__(self, address):
        key = CellRef.parse(address).key
        if key not in self._cells:
            raise KeyError(address)
        self._forget(key)
        del self._cells[key]
        self._invalidate(key)

    def __contains__(self, address):
        return CellRef.parse(address).key in self._cells

    def formula(self, address):
        """What was put in the cell."""
        cell = self._cells.get(CellRef.parse(address).key)
        return None if cell is None else cell.raw

    def set(self, key, raw):
        cell = Cell(raw)
        if isinstance(raw, str) and raw.startswith("="):
            cell.tree = parse(raw)
            cell.reads = frozenset(references(cell.tree))
        self._forget(key)
        self._cells[key] = cell
        for read in cell.reads:
            self._readers.setdefault(read, set()).add(key)
        self._invalidate(key)

    def _forget(self, key):
        """Take a cell out of the readers of what it reads."""
        old = self._cells.get(key)
        if old is not None:
            for read in old.reads:
                self._readers[read].discard(key)

    def dependents(self, address):
        """Addresses that read this cell, directly or not, sorted."""
        keys = self._closure(CellRef.parse(address).key)
        return [str(CellRef(*key)) for key in sorted(keys)]

    def _closure(self, key):
        seen, todo = set(), list(self._readers.get(key, ()))
        while todo:
            reader = todo.pop()
            if reader not in seen:
                seen.add(reader)
                todo.extend(self._readers.get(reader, ()))
        return seen

    def _invalidate(self, key):
        self._values.pop(key, None)
        for reader in self._closure(key):
            self._values.pop(reader, None)

    def _value(self, key):
        cell = self._cells.get(key)
        if cell is None:
            return None
        if cell.tree is None:
            return cell.raw
        if key in self._values:
            return self._values[key]
        if key in self._busy:
            return CellError(CYCLE)
        self._busy.add(key)
        try:
            value = self._evaluator.run(cell.tree)
        finally:
            self._busy.discard(key)
        if key in self._closure(key):
            value = CellError(CYCLE)
        self._values[key] = value
        return value

    # -- editing ---------------------------------------------------------
    def copy(self, source, target):
        """Copy a cell; relative references move along."""
        src, dst = CellRef.parse(source), CellRef.parse(target)
        cell = self._cells.get(src.key)
        if cell is None:
            if dst.key in self._cells:
                del self[target]
            return
        raw = cell.raw
        if cell.tree is not None:
            raw = shift_formula(raw, dst.row - src.row, dst.col - src.col)
        self.set(dst.key, raw)

    # -- import and export -------------------------------------------------
    def size(self):
        if not self._cells:
            return 0, 0
        return (
            max(row for row, _ in self._cells) + 1,
            max(col for _, col in self._cells) + 1,
        )

    def to_rows(self):
        rows, cols = self.size()
        return [[self._value((r, c)) for c in range(cols)] for r in range(rows)]

    def write_csv(self, path):
        with open(path, "w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle)
            for row in self.to_rows():
                writer.writerow(["" if value is None else value for value in row])

    @classmethod
    def read_csv(cls, path, name="Sheet1"):
        sheet = cls(name)
        with open(path, newline="", encoding="utf-8") as handle:
            for r, row in enumerate(csv.reader(handle)):
                for c, text in enumerate(row):
                    if text:
                        sheet.set((r, c), _guess(text))
        return sheet

    def __repr__(self):
        rows, cols = self.size()
        last = f"{column_name(cols - 1)}{rows}" if rows else "empty"
        return f"<Sheet {self.name!r} {last}>"


def _guess(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
