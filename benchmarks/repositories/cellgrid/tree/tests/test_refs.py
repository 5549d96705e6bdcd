import pytest

from cellgrid import CellRef, RangeRef, column_index, column_name


@pytest.mark.parametrize("index, name", [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")])
def test_columns(index, name):
    assert column_name(index) == name
    assert column_index(name) == index


def test_parse():
    assert CellRef.parse("b3") == CellRef(2, 1)
    assert CellRef.parse("$B3") == CellRef(2, 1, abs_row=False, abs_col=True)
    assert str(CellRef.parse("b$3")) == "B$3"


@pytest.mark.parametrize("text", ["A", "A0", "ABCD1"])
def test_bad_reference(text):
    with pytest.raises(ValueError):
        CellRef.parse(text)


def test_shift_keeps_absolute_parts():
    assert str(CellRef.parse("$A1").shifted(2, 3)) == "$A3"
    assert str(CellRef.parse("A$1").shifted(2, 3)) == "D$1"
    assert CellRef.parse("A1").shifted(-1, 0) is None


def test_range_given_backwards():
    assert RangeRef.parse("B2:A1").keys() == [(0, 0), (0, 1), (1, 0), (1, 1)]
