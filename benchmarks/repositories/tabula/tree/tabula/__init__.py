from .board import Board, square_name, square_of
from .errors import GameOver, IllegalMove, ReplayError, TabulaError
from .game import Game, game_class, game_names
from .games import draughts, dropfour, reversi  # noqa: F401  (they register themselves)
from .match import Match

__all__ = [
    "Board",
    "Game",
    "GameOver",
    "IllegalMove",
    "Match",
    "ReplayError",
    "TabulaError",
    "game_class",
    "game_names",
    "square_name",
    "square_of",
]
