"""Reversi: enclosed pieces change sides; who cannot move has to pass."""

from ..board import EMPTY, square_name, square_of
from ..game import FIRST, SECOND, Game

PIECES = "xo"
PASS = "pass"
STEPS = [(c, r) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0)]


class Reversi(Game):
    name = "reversi"

    def setup(self):
        board = super().setup()
        for name, piece in (("d5", "x"), ("e4", "x"), ("d4", "o"), ("e5", "o")):
            board[square_of(name)] = piece
        return board

    def flips(self, square, player):
        """The pieces a move would turn over."""
        if self.board[square] != EMPTY:
            return []
        mine, theirs = PIECES[player], PIECES[1 - player]
        turned = []
        for step in STEPS:
            run = []
            for other in self.board.line(square, step):
                piece = self.board[other]
                if piece == theirs:
                    run.append(other)
                    continue
                if piece == mine:
                    turned.extend(run)
                break
        return turned

    def placements(self, player):
        return [
            square_name(square)
            for square in self.board.squares()
            if self.flips(square, player)
        ]

    def legal_moves(self):
        moves = self.placements(self.turn)
        if not moves and self.placements(1 - self.turn):
            return [PASS]
        return moves

    def apply(self, move):
        if move != PASS:
            square = square_of(move)
            turned = self.flips(square, self.turn)
            for other in [square, *turned]:
                self.board[other] = PIECES[self.turn]
        self.turn = 1 - self.turn

    def winner_at_end(self):
        first, second = (self.board.count(piece) for piece in PIECES)
        if first == second:
            return None
        return FIRST if first > second else SECOND

    def score(self, player):
        corners = {
            (c, r) for c in (0, self.board.width - 1) for r in (0, self.board.height - 1)
        }
        value = 0
        for square, piece in self.board.pieces():
            worth = 20 if square in corners else 1
            value += worth if piece == PIECES[player] else -worth
        return value
