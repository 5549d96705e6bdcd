"""English draughts: men step forward, kings both ways, captures are a must.

A move is its squares joined by ``-`` (a step) or ``x`` (captures), as in
``c3-d4`` or ``c3xe5xg7``.
"""

from ..board import EMPTY, Board, square_name, square_of
from ..game import Game

MEN = "wb"
KINGS = "WB"
FORWARD = (1, -1)


class Draughts(Game):
    name = "draughts"
    repetition_limit = 3
    #: moves of kings in a row, without a capture, that make a draw
    quiet_limit = 80

    def reset(self):
        self.quiet = 0
        super().reset()

    def setup(self):
        if "position" in self.options:
            return Board.from_text(self.options["position"])
        board = Board(8, 8)
        for column, row in board.squares():
            if (column + row) % 2 == 0:
                if row < 3:
                    board[column, row] = "w"
                elif row > 4:
                    board[column, row] = "b"
        return board

    def extra_state(self):
        return (self.quiet,)

    def restore_extra(self, state):
        (self.quiet,) = state

    def position_key(self):
        # the counter of quiet moves does not make a position a new one
        return (self.board.to_text(), self.turn)

    def canonical(self, move):
        return super().canonical(move).replace(" ", "").replace(":", "x")

    def own(self, player):
        return MEN[player] + KINGS[player]

    def directions(self, piece):
        if piece in KINGS:
            rows = FORWARD
        else:
            rows = (FORWARD[MEN.index(piece)],)
        return [(column, row) for column in (-1, 1) for row in rows]

    def legal_moves(self):
        if self.quiet >= self.quiet_limit:
            return []
        captures, steps = [], []
        for square, piece in self.board.pieces(self.own(self.turn)):
            for path in self._captures(square, piece, [square], frozenset()):
                captures.append("x".join(square_name(s) for s in path))
            for column, row in self.directions(piece):
                target = square[0] + column, square[1] + row
                if target in self.board and self.board[target] == EMPTY:
                    steps.append(f"{square_name(square)}-{square_name(target)}")
        return captures or steps

    def _captures(self, square, piece, path, taken):
        """Paths of captures that cannot go on; a man stops when crowned."""
        enemies = self.own(1 - self.turn)
        crowned = len(path) > 1 and piece not in KINGS and self._is_last_row(square)
        found = False
        directions = [] if crowned else self.directions(piece)
        for column, row in directions:
            over = square[0] + column, square[1] + row
            target = square[0] + 2 * column, square[1] + 2 * row
            if target not in self.board or over in taken:
                continue
            # the piece's first square counts as empty on its way
            if self.board[target] != EMPTY and target != path[0]:
                continue
            if self.board[over] not in enemies:
                continue
            found = True
            yield from self._captures(target, piece, path + [target], taken | {over})
        if not found and len(path) > 1:
            yield path

    def _is_last_row(self, square):
        return square[1] == (self.board.height - 1 if self.turn == 0 else 0)

    def apply(self, move):
        captured = "x" in move
        path = [square_of(name) for name in move.replace("x", "-").split("-")]
        piece = self.board[path[0]]
        was_king = piece in KINGS
        self.board[path[0]] = EMPTY
        if captured:
            for start, end in zip(path, path[1:]):
                self.board[(start[0] + end[0]) // 2, (start[1] + end[1]) // 2] = EMPTY
        if piece in MEN and self._is_last_row(path[-1]):
            piece = piece.upper()
        self.board[path[-1]] = piece
        quiet = not captured and was_king
        self.quiet = self.quiet + 1 if quiet else 0
        self.turn = 1 - self.turn

    def winner_at_end(self):
        # who cannot move has lost, but for the limit of quiet moves
        if self.quiet >= self.quiet_limit:
            return None
        return 1 - self.turn

    def score(self, player):
        value = 0
        for _, piece in self.board.pieces():
            worth = 3 if piece in KINGS else 1
            value += worth if piece in self.own(player) else -worth
        return value
