import pytest

from tabula import ReplayError, replay
from tabula.cli import main
from tabula.games.dropfour import DropFour
from tabula.replay import Replay, dumps, first_difference, loads


@pytest.fixture
def game():
    game = DropFour(width=5)
    for move in "a b a b a b a".split():
        game.play(move)
    return game


TEXT = """\
[game "dropfour"]
[event "A \\"great\\" day; really"]
[result "*"]

1. a b 2.a {both
at the edge} b ; forced
3... c
"""


def test_load():
    loaded = loads(TEXT)
    assert loaded.headers["event"] == 'A "great" day; really'
    assert loaded.moves == ["a", "b", "a", "b", "c"]
    assert loaded.comments == {3: "both\nat the edge", 4: "forced"}


def test_results_are_no_moves():
    assert loads("1. a b 1/2-1/2").moves == ["a", "b"]
    assert loads("1. a b *").moves == ["a", "b"]


def test_round_trip(game):
    original = Replay.of(game, first="C:\\new", note="two\nlines")
    original.comments = {0: "start", 7: "end"}
    copy = loads(dumps(original))
    assert copy.headers == original.headers
    assert copy.moves == original.moves
    assert copy.comments == original.comments


def test_dump(game):
    lines = dumps(Replay.of(game), width=20).splitlines()
    assert lines[:3] == ['[game "dropfour"]', '[option_width "5"]', '[result "1-0"]']
    assert lines[4:-1] == ["1. a b 2. a b 3. a b", "4. a"]


def test_replay_does_not_follow_the_game(game):
    kept = Replay.of(game)
    game.undo()
    assert len(kept.moves) == 7


def test_options_are_used(game):
    assert loads(dumps(Replay.of(game))).play().board.width == 5


def test_play_up_to(game):
    kept = Replay.of(game)
    assert kept.play(2).board.count("xo") == 2
    assert kept.play(0).moves == []


def test_checksum(game):
    text = dumps(Replay.of(game)).replace("1. a b", "1. b a")
    with pytest.raises(ReplayError, match="checksum"):
        loads(text)


@pytest.mark.parametrize(
    "text, line",
    [('[game "x"]\n[game "y"]', 2), ("[game x]", 1), ("a b\n{never\nclosed", 2)],
)
def test_errors(text, line):
    with pytest.raises(ReplayError) as info:
        loads(text)
    assert info.value.line == line


class TestVerify:
    def test_good(self, game):
        assert Replay.of(game).verify().result == "1-0"

    def test_wrong_result(self, game):
        kept = Replay.of(game)
        kept.headers["result"] = "0-1"
        with pytest.raises(ReplayError, match="is 1-0, not 0-1"):
            kept.verify()

    def test_resigned(self, game):
        kept = Replay.of(game)
        kept.moves = kept.moves[:3]
        kept.headers["result"] = "0-1"
        assert not kept.verify().is_over

    def test_illegal_move(self):
        with pytest.raises(ReplayError, match="move 2: illegal move z"):
            Replay({"game": "dropfour"}, ["a", "z"]).verify()

    def test_moves_after_the_end(self, game):
        kept = Replay.of(game)
        kept.moves.append("b")
        with pytest.raises(ReplayError, match="move 8: the game is over"):
            kept.verify()

def test_first_difference():
    a, b, c = (Replay({}, moves) for moves in ("abc", "abd", "ab"))
    assert first_difference(a, b) == 3
    assert first_difference(a, c) == first_difference(c, a) == 3
    assert first_difference(a, a) is None


class TestCli:
    def test_play_save_verify(self, tmp_path, capsys):
        path = str(tmp_path / "g.tbr")
        assert main(["play", "dropfour", "--first", "greedy", "--second", "random:1", "--save", path]) == 0
        assert "(rules," in capsys.readouterr().out
        assert replay.load(path).headers["second"] == "random:1"
        assert main(["verify", path]) == 0
        assert ": ok, " in capsys.readouterr().out

    def test_verify_goes_on_after_a_failure(self, tmp_path, capsys):
        bad, good = tmp_path / "bad", tmp_path / "good"
        bad.write_text("[game x]")
        good.write_text('[game "reversi"]\n')
        assert main(["verify", str(bad), str(tmp_path / "none"), str(good)]) == 1
        assert len(capsys.readouterr().out.splitlines()) == 3

    def test_show(self, tmp_path, capsys):
        path = tmp_path / "g"
        path.write_text('[game "dropfour"]\n1. a a 2. a\n')
        main(["show", str(path), "--at", "1"])
        assert capsys.readouterr().out.count("x") == 1
