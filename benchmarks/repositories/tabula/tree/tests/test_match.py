from unittest.mock import Mock

import pytest

from tabula import Match, TabulaError
from tabula.games.dropfour import DropFour
from tabula.games.reversi import Reversi
from tabula.match import Tally, tournament
from tabula.players import (
    GreedyPlayer,
    RandomPlayer,
    ScriptPlayer,
    SearchPlayer,
    make_player,
)


def script(moves):
    return ScriptPlayer(moves.split())


def test_rules_end_the_match():
    match = Match(DropFour(), script("a a a a"), script("b b b b"))
    assert match.run() == "1-0"
    assert match.reason == "rules"


def test_resignation():
    match = Match(DropFour(), script("a a"), script("b"))
    assert match.run() == "1-0"
    assert match.reason == "resigned"


def test_illegal_move_loses():
    match = Match(DropFour(), script("a z"), script("b b"))
    assert match.run() == "0-1"
    assert match.reason == "illegal move"


def test_too_long():
    match = Match(Reversi(), RandomPlayer(1), RandomPlayer(2), max_moves=5)
    assert match.run() == "*"
    assert match.reason == "too long"


def test_observers():
    match = Match(DropFour(), script("A a"), script("b"))
    observer = match.observe(Mock())
    match.run()
    assert [call.args[1] for call in observer.call_args_list] == ["a", "b", "a"]


def test_observer_may_remove_itself():
    match = Match(DropFour(), script("a a a a"), script("b b b"))
    seen = []

    @match.observe
    def once(game, move):
        match.observers.remove(once)

    match.observe(lambda game, move: seen.append(move))
    match.run()
    assert len(seen) == 7


class TestPlayers:
    def test_seed_repeats(self):
        player = RandomPlayer(3)
        games = []
        for _ in range(2):
            game = DropFour()
            Match(game, player, RandomPlayer(4)).run()
            games.append(game.moves)
        assert games[0] == games[1]

    def test_greedy_wins_at_once(self):
        game = DropFour()
        for move in "ababab":
            game.play(move)
        assert GreedyPlayer().choose(game) == "a"
        assert len(game.moves) == 6

    def test_search_sees_the_threat(self):
        game = DropFour()
        for move in "gagabb":
            game.play(move)
        game.play("g")
        assert SearchPlayer(2).choose(game) == "g"

    def test_search_prefers_the_sooner_win(self):
        game = DropFour()
        for move in "dgdgda":
            game.play(move)
        assert SearchPlayer(3).choose(game) == "d"

    def test_search_leaves_the_game_alone(self):
        game = Reversi()
        key = game.position_key()
        SearchPlayer(2).choose(game)
        assert game.position_key() == key and game.moves == []

    def test_make(self):
        assert make_player("random:7").name == "random:7"
        assert make_player("search").depth == 3
        for text in ("random:x", "search:0", "human", "greedy:1"):
            with pytest.raises(TabulaError):
                make_player(text)


class TestTally:
    def test_points(self):
        tally = Tally()
        tally.add("a", "b", "1-0")
        tally.add("b", "a", "1/2-1/2")
        tally.add("c", "b", "*")
        assert tally.table() == [("a", 1.5, 2), ("b", 0.5, 2)]
        with pytest.raises(TabulaError):
            tally.add("a", "b", "2-0")

    def test_tournament(self):
        players = [RandomPlayer(1), RandomPlayer(2), GreedyPlayer()]
        tally = tournament("dropfour", players, rounds=1, width=4, height=4)
        assert {games for _, _, games in tally.table()} == {4}
        assert sum(points for _, points, _ in tally.table()) == 6
