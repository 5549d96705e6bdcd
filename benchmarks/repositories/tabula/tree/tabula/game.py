"""The rules' interface, with turns, history and undo."""

from collections import Counter

from .board import Board
from .errors import GameOver, IllegalMove, TabulaError

_GAMES = {}

FIRST, SECOND = 0, 1


def game_class(name):
    try:
        return _GAMES[name]
    except KeyError:
        known = ", ".join(game_names())
        raise TabulaError(f"unknown game {name!r}, there are {known}") from None


def game_names():
    return sorted(_GAMES)


class Game:
    """One game being played.

    Subclasses give ``setup()`` and ``legal_moves()``, ``apply()``, and may give
    ``winner_at_end()`` and ``extra_state()``. Moves are texts.
    """

    name = None
    width = height = 8
    #: how often a position may come before the game is a draw; None: never
    repetition_limit = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__dict__.get("name"):
            _GAMES[cls.name] = cls

    def __init__(self, **options):
        self.options = options
        self.reset()

    def reset(self):
        self.board = self.setup()
        self.turn = FIRST
        self.moves = []
        self.resigned = None
        self._undo = []
        self._positions = Counter([self.position_key()])

    # -- for subclasses --

    def setup(self):
        return Board(self.width, self.height)

    def legal_moves(self):
        raise NotImplementedError

    def apply(self, move):
        """Change the board for a legal move, and the turn."""
        raise NotImplementedError

    def decided(self):
        """A winner though there may be moves left, or None."""
        return None

    def winner_at_end(self):
        """Who wins when there are no more moves; None for a draw."""
        return None

    def extra_state(self):
        """What apart from board and turn makes up the position; a tuple."""
        return ()

    def restore_extra(self, state):
        pass

    def score(self, player):
        """A heuristic value for players that look ahead."""
        return 0

    # -- play --

    def position_key(self):
        return (self.board.to_text(), self.turn, self.extra_state())

    def canonical(self, move):
        """A move as the game writes it; games may accept other spellings."""
        return move.strip().lower()

    def play(self, move):
        if self.is_over:
            raise GameOver(f"the game is over after {len(self.moves)} moves")
        move = self.canonical(move)
        if move not in self.legal_moves():
            raise IllegalMove(move)
        self._undo.append((self.board.copy(), self.turn, self.extra_state()))
        self.apply(move)
        self.moves.append(move)
        self._positions[self.position_key()] += 1
        return move

    def undo(self):
        if not self._undo:
            raise TabulaError("there is nothing to undo")
        key = self.position_key()
        self._positions[key] -= 1
        if not self._positions[key]:
            del self._positions[key]
        self.board, self.turn, extra = self._undo.pop()
        self.restore_extra(extra)
        self.resigned = None
        return self.moves.pop()

    def resign(self, player=None):
        if self.is_over:
            raise GameOver("the game is over already")
        self.resigned = self.turn if player is None else player

    def clone(self):
        """An independent copy to try moves on."""
        other = type(self)(**self.options)
        other.board = self.board.copy()
        other.turn = self.turn
        other.moves = list(self.moves)
        other.resigned = self.resigned
        other._undo = list(self._undo)
        other._positions = Counter(self._positions)
        other.restore_extra(self.extra_state())
        return other

    @property
    def is_repeated(self):
        limit = self.repetition_limit
        return limit is not None and self._positions[self.position_key()] >= limit

    @property
    def is_over(self):
        return (
            self.resigned is not None
            or self.decided() is not None
            or self.is_repeated
            or not self.legal_moves()
        )

    @property
    def winner(self):
        """FIRST, SECOND, or None for a draw or a game that goes on."""
        if self.resigned is not None:
            return 1 - self.resigned
        if self.decided() is not None:
            return self.decided()
        if self.is_repeated or self.legal_moves():
            return None
        return self.winner_at_end()

    @property
    def result(self):
        if not self.is_over:
            return "*"
        return {FIRST: "1-0", SECOND: "0-1", None: "1/2-1/2"}[self.winner]
