import pytest

from tabula import Board, TabulaError, square_name, square_of


@pytest.mark.parametrize("square, name", [((0, 0), "a1"), ((7, 7), "h8"), ((2, 10), "c11")])
def test_names(square, name):
    assert square_name(square) == name
    assert square_of(name.upper()) == square


@pytest.mark.parametrize("name", ["", "a", "11", "ab", "a-1"])
def test_bad_names(name):
    with pytest.raises(TabulaError):
        square_of(name)


def test_text_round_trip():
    text = "x..\n.o."
    board = Board.from_text(text)
    assert (board.width, board.height) == (3, 2)
    assert board[0, 1] == "x" and board[1, 0] == "o"
    assert board.to_text() == text


def test_off_the_board():
    board = Board(3, 3)
    with pytest.raises(IndexError):
        board[3, 0]
    with pytest.raises(IndexError):
        board[0, -1] = "x"


def test_copy_is_independent():
    board = Board.from_text("x.\n..")
    other = board.copy()
    other[0, 0] = "o"
    assert board[0, 0] == "."
    assert board != other


def test_equal_after_emptying():
    board = Board(2, 2)
    board[0, 0] = "x"
    board[0, 0] = "."
    assert board == Board(2, 2)


def test_line_and_pieces():
    board = Board.from_text("x.o\n.x.\nx..")
    assert list(board.line((0, 0), (1, 1))) == [(1, 1), (2, 2)]
    assert [square for square, _ in board.pieces("x")] == [(0, 0), (1, 1), (0, 2)]
    assert board.count("xo") == 4
