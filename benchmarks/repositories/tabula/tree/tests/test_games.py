import pytest

from tabula import Board, GameOver, IllegalMove, TabulaError, game_class, game_names
from tabula.games.draughts import Draughts
from tabula.games.dropfour import DropFour
from tabula.games.reversi import Reversi


def play(game, moves):
    for move in moves.split():
        game.play(move)
    return game


def test_registry():
    assert game_names() == ["draughts", "dropfour", "reversi"]
    assert game_class("reversi") is Reversi
    with pytest.raises(TabulaError, match="draughts, dropfour, reversi"):
        game_class("chess")


class TestDropFour:
    def test_pieces_fall(self):
        game = play(DropFour(), "a a b")
        assert game.board.to_text().splitlines()[-2:] == ["o......", "xx....."]

    @pytest.mark.parametrize(
        "moves, winner",
        [
            ("a a b b c c d", 0),
            ("a b a b a b a", 0),
            ("a b b c c d c d d g d", 0),
            ("g a b b c c d c d d f d", 1),
        ],
    )
    def test_wins(self, moves, winner):
        game = play(DropFour(), moves)
        assert game.winner == winner
        assert game.is_over
        with pytest.raises(GameOver):
            game.play("f")

    def test_falling_diagonal(self):
        game = play(DropFour(), "d c c b b a b a a g a")
        assert game.result == "1-0"
        assert sorted(game.winning_line()) == [(0, 3), (1, 2), (2, 1), (3, 0)]

    def test_full_column(self):
        game = play(DropFour(), "a a a a a a")
        with pytest.raises(IllegalMove):
            game.play("a")
        assert len(game.legal_moves()) == 6

    def test_draw(self):
        game = play(DropFour(width=2, height=2), "a a b b")
        assert game.board.is_full()
        assert game.result == "1/2-1/2"


class TestReversi:
    def test_opening(self):
        game = Reversi()
        assert sorted(game.legal_moves()) == ["c4", "d3", "e6", "f5"]
        game.play("D3")
        assert game.board.count("x") == 4

    def test_several_directions(self):
        game = play(Reversi(), "d3 c5 d6 e3")
        assert game.board[3, 3] == game.board[4, 3] == "o"
        assert game.board.count("o") == 5

    def test_occupied(self):
        with pytest.raises(IllegalMove) as info:
            Reversi().play("d4")
        assert info.value.move == "d4"

    @staticmethod
    def position(text, turn):
        game = Reversi()
        game.board = Board.from_text(text)
        game.turn = turn
        return game

    def test_pass(self):
        game = self.position("xo......\n" + "........\n" * 7, 1)
        assert game.legal_moves() == ["pass"]
        game.play("pass")
        assert game.turn == 0
        game.play("c8")
        assert game.is_over and game.winner == 0

    def test_count_decides(self):
        game = self.position("xxoo....\n........\n" + "........\n" * 6, 0)
        game.play("e8")
        assert game.result == "1-0"

    def test_equal_count_is_a_draw(self):
        game = self.position("x.o.....\n" + "........\n" * 7, 0)
        assert game.result == "1/2-1/2"

    def test_undo(self):
        game = Reversi()
        before = game.board.copy()
        play(game, "d3 c5")
        assert [game.undo(), game.undo()] == ["c5", "d3"]
        assert game.board == before
        assert game.turn == 0
        with pytest.raises(TabulaError):
            game.undo()


def position(*rows, turn=0, **options):
    game = Draughts(position="\n".join(rows), **options)
    game.turn = turn
    return game


ROUND = "a6-b5 f1-e2 b5-a6 e2-f1"


def kings():
    return position("W.....", "......", "......", "......", "......", ".....B")


class TestDraughts:
    def test_opening(self):
        game = Draughts()
        assert game.board.count("w") == game.board.count("b") == 12
        assert len(game.legal_moves()) == 7

    def test_capture_is_a_must(self):
        game = position("......", "......", "......", "..b...", ".w....", "......")
        assert game.legal_moves() == ["b2xd4"]
        with pytest.raises(IllegalMove):
            game.play("b2-a3")

    def test_several_captures(self):
        game = position("......", "...b..", "......", ".b....", "w.....", "......")
        assert game.legal_moves() == ["a2xc4xe6"]
        game.play("a2 : c4 : e6")
        assert game.board.to_text().replace("\n", "") == "....W." + "." * 30
        assert game.result == "1-0"

    def test_man_stops_when_crowned(self):
        game = position("......", ".b.b..", "w.....", "......", "......", "b.....")
        assert game.legal_moves() == ["a4xc6"]

    def test_king_goes_back(self):
        game = position("....", "..W.", "....", "b...")
        assert set(game.legal_moves()) == {"c3-b4", "c3-d4", "c3-b2", "c3-d2"}

    def test_king_takes_in_all_directions(self):
        game = position(".......", "..b.b..", ".......", "..b.b..", ".W.....", ".......")
        assert set(game.legal_moves()) == {"b2xd4xb6", "b2xd4xf6", "b2xd4xf2"}

    def test_capture_in_a_circle(self):
        game = position(".......", "..b.b..", ".......", "..b.b..", "...W...", ".......")
        assert set(game.legal_moves()) == {"d2xf4xd6xb4xd2", "d2xb4xd6xf4xd2"}
        game.play("d2xf4xd6xb4xd2")
        assert game.board.to_text().replace(".", "").split() == ["W"]

    def test_second_moves_down(self):
        game = position("....", ".b..", "....", "...w", turn=1)
        assert set(game.legal_moves()) == {"b3-a2", "b3-c2"}

    def test_no_moves_loses(self):
        game = position("....", "b...", ".w..", "..w.", turn=1)
        assert game.result == "1-0"

    def test_repetition(self):
        game = kings()
        play(game, ROUND)
        assert game.result == "*"
        play(game, ROUND.rpartition(" ")[0])
        assert not game.is_over
        game.play("e2-f1")
        assert game.is_repeated and game.result == "1/2-1/2"
        game.undo()
        assert not game.is_over

    def test_quiet_moves(self):
        game = position("W.....", "......", "......", "......", "..b...", ".....B")
        game.quiet_limit = 3
        play(game, "a6-b5 f1-e2 b5-a6")
        assert game.quiet == 3
        assert game.result == "1/2-1/2"

    def test_undo_of_crowning(self):
        game = position("....", ".w..", "....", "...b")
        game.play("b3-c4")
        assert game.board[2, 3] == "W"
        game.undo()
        assert game.board[1, 2] == "w"
        assert game.quiet == 0

    def test_undo_of_quiet_count(self):
        game = position("W.....", "......", "....b.", "......", "......", ".....B")
        play(game, "a6-b5 f1-e2 b5-a6 e4-d3")
        game.undo()
        assert game.quiet == 3

    def test_reset(self):
        game = kings()
        play(game, ROUND)
        game.reset()
        assert (game.quiet, game.moves, game.turn) == (0, [], 0)
        assert game.board == kings().board
        play(game, ROUND)
        assert not game.is_over


class TestClone:
    def test_independent(self):
        game = play(DropFour(), "a b")
        other = game.clone()
        play(other, "a b")
        assert game.moves == ["a", "b"]
        assert game.board[0, 1] == "."
        other.undo(), other.undo(), other.undo()
        assert game.undo() == "b"
        assert game.board.count("xo") == 1

    def test_options_and_counters(self):
        game = play(kings(), ROUND)
        other = game.clone()
        assert other.board.width == 6
        assert other.quiet == 4
        play(other, ROUND)
        assert other.is_repeated and not game.is_repeated


def test_resign():
    game = play(DropFour(), "a")
    game.resign()
    assert game.result == "1-0"
    with pytest.raises(GameOver):
        game.resign()
    game.undo()
    assert game.result == "*"
