"""Players choose a move of a game. They must leave the game as it is."""

import random

from .errors import TabulaError


class Player:
    name = "player"

    def choose(self, game):
        raise NotImplementedError

    def start(self, game, side):
        """Called before the first move."""
        self.side = side


class RandomPlayer(Player):
    """The same seed plays the same game."""

    def __init__(self, seed=None):
        self.seed = seed
        self.random = random.Random(seed)
        self.name = "random" if seed is None else f"random:{seed}"

    def start(self, game, side):
        super().start(game, side)
        self.random.seed(self.seed)

    def choose(self, game):
        return self.random.choice(sorted(game.legal_moves()))


class GreedyPlayer(Player):
    """The move with the best score right after it; of equal ones the first."""

    name = "greedy"

    def choose(self, game):
        best = None
        for move in sorted(game.legal_moves()):
            trial = game.clone()
            trial.play(move)
            value = self.value(trial, game.turn)
            if best is None or value > best[0]:
                best = (value, move)
        return best[1]

    @staticmethod
    def value(game, player):
        if game.is_over:
            if game.winner is None:
                return 0
            return 10 ** 6 if game.winner == player else -(10 ** 6)
        return game.score(player)


class SearchPlayer(GreedyPlayer):
    """Looks ``depth`` moves ahead, with alpha-beta pruning."""

    def __init__(self, depth=3):
        if depth < 1:
            raise ValueError("depth must be at least 1")
        self.depth = depth
        self.name = f"search:{depth}"
        self.visited = 0

    def choose(self, game):
        self.visited = 0
        best = None
        alpha = float("-inf")
        for move in sorted(game.legal_moves()):
            trial = game.clone()
            trial.play(move)
            value = self._search(trial, self.depth - 1, game.turn, alpha, float("inf"))
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def _search(self, game, depth, player, alpha, beta):
        self.visited += 1
        if depth == 0 or game.is_over:
            value = self.value(game, player)
            # a win sooner is better, a loss later
            return value + depth if value > 0 else value - depth
        mine = game.turn == player
        best = float("-inf") if mine else float("inf")
        for move in sorted(game.legal_moves()):
            game.play(move)
            value = self._search(game, depth - 1, player, alpha, beta)
            game.undo()
            if mine:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best


class ScriptPlayer(Player):
    """Plays the given moves, then resigns (chooses None)."""

    name = "script"

    def __init__(self, moves):
        self.script = list(moves)
        self.position = 0

    def start(self, game, side):
        super().start(game, side)
        self.position = 0

    def choose(self, game):
        if self.position >= len(self.script):
            return None
        move = self.script[self.position]
        self.position += 1
        return move


def make_player(text):
    """``random``, ``random:SEED``, ``greedy``, ``search:DEPTH``."""
    kind, _, argument = text.partition(":")
    try:
        if kind == "random":
            return RandomPlayer(int(argument) if argument else None)
        if kind == "search":
            return SearchPlayer(int(argument) if argument else 3)
    except ValueError as error:
        raise TabulaError(f"bad player {text!r}: {error}") from error
    if kind == "greedy" and not argument:
        return GreedyPlayer()
    raise TabulaError(f"unknown player {text!r}")
