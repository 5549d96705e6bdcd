"""Pieces fall to the bottom of a column; four in a row win."""

from ..board import EMPTY, Board
from ..game import Game

PIECES = "xo"
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


class DropFour(Game):
    name = "dropfour"
    width, height = 7, 6

    def setup(self):
        return Board(self.options.get("width", 7), self.options.get("height", 6))

    def legal_moves(self):
        if self.decided() is not None:
            return []
        top = self.board.height - 1
        return [
            chr(ord("a") + column)
            for column in range(self.board.width)
            if self.board[column, top] == EMPTY
        ]

    def apply(self, move):
        column = ord(move) - ord("a")
        row = 0
        while self.board[column, row] != EMPTY:
            row += 1
        self.board[column, row] = PIECES[self.turn]
        self.turn = 1 - self.turn

    def winning_line(self):
        for square, piece in self.board.pieces():
            for step in STEPS:
                found = [square]
                for other in self.board.line(square, step):
                    if self.board[other] != piece or len(found) == 4:
                        break
                    found.append(other)
                if len(found) == 4:
                    return found
        return None

    def decided(self):
        line = self.winning_line()
        return None if line is None else PIECES.index(self.board[line[0]])

    def score(self, player):
        """Three with a gap at either end count ten, pieces in the middle one."""
        mine = PIECES[player]
        middle = self.board.width // 2
        value = sum(1 for (column, _), _ in self.board.pieces(mine) if column == middle)
        for square, _ in self.board.pieces(mine):
            for step in STEPS:
                ahead = list(self.board.line(square, step))[:3]
                if len(ahead) == 3 and [self.board[s] for s in ahead] == [mine, mine, EMPTY]:
                    value += 10
        return value
