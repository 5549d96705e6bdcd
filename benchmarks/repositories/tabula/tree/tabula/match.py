"""Playing games between players, and tallies of several."""

from .errors import IllegalMove, TabulaError
from .game import FIRST, SECOND, game_class


class Match:
    """Plays one game. Observers get (game, move) after each move."""

    def __init__(self, game, first, second, max_moves=1000):
        self.game = game
        self.players = (first, second)
        self.max_moves = max_moves
        self.observers = []
        #: why it ended: "rules", "resigned", "illegal move" or "too long"
        self.reason = None

    def observe(self, function):
        self.observers.append(function)
        return function

    def run(self):
        self.reason = None
        for side, player in enumerate(self.players):
            player.start(self.game, side)
        while not self.game.is_over:
            if len(self.game.moves) >= self.max_moves:
                self.reason = "too long"
                return self.game.result
            mover = self.game.turn
            move = self.players[mover].choose(self.game)
            if move is None:
                self.game.resign(mover)
                self.reason = "resigned"
                break
            try:
                move = self.game.play(move)
            except IllegalMove:
                self.game.resign(mover)
                self.reason = "illegal move"
                break
            for observer in list(self.observers):
                observer(self.game, move)
        if self.reason is None:
            self.reason = "rules"
        return self.game.result


class Tally:
    """Points of players: one for a win, half for a draw."""

    def __init__(self):
        self.points = {}
        self.games = {}

    def add(self, first, second, result):
        if result == "*":
            return
        shares = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}
        if result not in shares:
            raise TabulaError(f"unknown result {result!r}")
        for name, share in zip((first, second), shares[result]):
            self.points[name] = self.points.get(name, 0) + share
            self.games[name] = self.games.get(name, 0) + 1

    def table(self):
        """(name, points, games), best first."""
        return [
            (name, self.points[name], self.games[name])
            for name in sorted(self.points, key=lambda n: (-self.points[n], self.games[n], n))
        ]


def tournament(game_name, players, rounds=1, **options):
    """Everybody against everybody, with either side."""
    names = [player.name for player in players]
    if len(set(names)) != len(names):
        raise TabulaError("players need different names")
    tally = Tally()
    for _ in range(rounds):
        for i, one in enumerate(players):
            for other in players[i + 1:]:
                for pair in ((one, other), (other, one)):
                    game = game_class(game_name)(**options)
                    result = Match(game, *pair).run()
                    tally.add(pair[FIRST].name, pair[SECOND].name, result)
    return tally
