"""A rectangular board. Squares are (column, row), row 0 is at the bottom."""

from .errors import TabulaError

EMPTY = "."


def square_name(square):
    column, row = square
    return f"{chr(ord('a') + column)}{row + 1}"


def square_of(name):
    name = name.strip().lower()
    if len(name) < 2 or not ("a" <= name[0] <= "z") or not name[1:].isdecimal():
        raise TabulaError(f"not a square: {name!r}")
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


class Board:
    def __init__(self, width, height, cells=None):
        self.width = width
        self.height = height
        self._cells = dict(cells or {})

    @classmethod
    def from_text(cls, text):
        """Rows from the top down, a dot is empty; spaces do not count."""
        lines = [line.replace(" ", "") for line in text.strip().splitlines()]
        width = len(lines[0])
        board = cls(width, len(lines))
        for index, line in enumerate(lines):
            if len(line) != width:
                raise TabulaError(f"row {index + 1} has {len(line)} squares, not {width}")
            for column, piece in enumerate(line):
                board[column, len(lines) - 1 - index] = piece
        return board

    def to_text(self):
        return "\n".join(
            "".join(self[column, row] for column in range(self.width))
            for row in reversed(range(self.height))
        )

    def __contains__(self, square):
        column, row = square
        return 0 <= column < self.width and 0 <= row < self.height

    def __getitem__(self, square):
        if square not in self:
            raise IndexError(f"{square} is off the board")
        return self._cells.get(square, EMPTY)

    def __setitem__(self, square, piece):
        if square not in self:
            raise IndexError(f"{square} is off the board")
        if piece == EMPTY:
            self._cells.pop(square, None)
        else:
            self._cells[square] = piece

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return (self.width, self.height, self._cells) == (other.width, other.height, other._cells)

    __hash__ = None

    def copy(self):
        return Board(self.width, self.height, self._cells)

    def squares(self):
        """All squares, row by row from the bottom."""
        for row in range(self.height):
            for column in range(self.width):
                yield column, row

    def pieces(self, kinds=None):
        """(square, piece) in the order of squares(); of the given kinds only."""
        for square in self.squares():
            piece = self._cells.get(square)
            if piece is not None and (kinds is None or piece in kinds):
                yield square, piece

    def count(self, kinds):
        return sum(1 for _ in self.pieces(kinds))

    def line(self, start, step):
        """The squares from the start on, without it, to the edge."""
        column, row = start[0] + step[0], start[1] + step[1]
        while (column, row) in self:
            yield column, row
            column, row = column + step[0], row + step[1]

    def is_full(self):
        return len(self._cells) == self.width * self.height

    def render(self, marks=()):
        """With coordinates; marked squares are in brackets."""
        margin = len(str(self.height))
        lines = []
        for row in reversed(range(self.height)):
            cells = []
            for column in range(self.width):
                piece = self[column, row]
                cells.append(f"[{piece}]" if (column, row) in marks else f" {piece} ")
            lines.append(f"{row + 1:>{margin}} " + "".join(cells).rstrip())
        letters = "".join(f" {chr(ord('a') + c)} " for c in range(self.width))
        lines.append(" " * (margin + 1) + letters.rstrip())
        return "\n".join(lines)
