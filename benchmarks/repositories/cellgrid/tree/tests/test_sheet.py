import pytest

from cellgrid import CellError, Sheet

CYCLE = CellError("#CYCLE!")


def test_values_follow(sheet):
    sheet["A1"] = 1
    sheet["A2"] = "=A1+1"
    sheet["A3"] = "=A2*10"
    assert sheet["A3"] == 20
    sheet["A1"] = 4
    assert sheet["A3"] == 50


def test_empty_cell(sheet):
    assert sheet["B7"] is None
    sheet["A1"] = "=B7"
    assert sheet["A1"] == 0
    sheet["A2"] = '=B7=""'
    assert sheet["A2"] is True


def test_delete_recalculates(sheet):
    sheet["A1"] = 5
    sheet["A2"] = "=A1+1"
    assert sheet["A2"] == 6
    del sheet["A1"]
    assert sheet["A2"] == 1
    with pytest.raises(KeyError):
        del sheet["A1"]


def test_dependents(sheet):
    sheet["B1"] = "=A1"
    sheet["C1"] = "=SUM(B1:B3)"
    assert sheet.dependents("A1") == ["B1", "C1"]
    assert sheet.dependents("C1") == []


def test_replaced_formula_is_no_dependent(sheet):
    sheet["B1"] = "=A1"
    sheet["B1"] = "=A2"
    assert sheet.dependents("A1") == []
    assert sheet.dependents("A2") == ["B1"]


def test_deleted_formula_is_no_dependent(sheet):
    sheet["B1"] = "=A1"
    del sheet["B1"]
    assert sheet.dependents("A1") == []


def test_cycle(sheet):
    sheet["A1"] = "=B1"
    sheet["B1"] = "=A1+1"
    assert sheet["A1"] == CYCLE
    assert sheet["B1"] == CYCLE


def test_self_reference(sheet):
    sheet["A1"] = "=SUM(A1:A3)"
    assert sheet["A1"] == CYCLE


def test_broken_cycle_recovers(sheet):
    sheet["A1"] = "=B1"
    sheet["B1"] = "=A1"
    assert sheet["A1"] == CYCLE
    sheet["B1"] = 3
    assert sheet["A1"] == 3


def test_bad_formula_keeps_old_value(sheet):
    sheet["A1"] = "=1+1"
    with pytest.raises(ValueError):
        sheet["A1"] = "=1+"
    assert sheet["A1"] == 2
    assert sheet.formula("A1") == "=1+1"


class TestCopy:
    def test_relative(self, sheet):
        sheet["A1"], sheet["A2"] = 1, 2
        sheet["B1"] = "=A1*10"
        sheet.copy("B1", "B2")
        assert sheet.formula("B2") == "=A2*10"
        assert sheet["B2"] == 20

    def test_absolute(self, sheet):
        sheet["C3"] = '=$A1+B$2&"A1"'
        sheet.copy("C3", "D4")
        assert sheet.formula("D4") == '=$A2+C$2&"A1"'

    def test_range(self, sheet):
        sheet["A5"] = "=SUM(A$1:A4)"
        sheet.copy("A5", "B6")
        assert sheet.formula("B6") == "=SUM(B$1:B5)"

    def test_off_the_sheet(self, sheet):
        sheet["B2"] = "=A1+1"
        sheet.copy("B2", "B1")
        assert sheet.formula("B1") == "=#REF!+1"
        assert sheet["B1"] == CellError("#REF!")

    def test_empty_source_clears(self, sheet):
        sheet["A1"] = 1
        sheet.copy("B9", "A1")
        assert "A1" not in sheet


class TestCsv:
    def test_write(self, sheet, tmp_path):
        sheet["A1"], sheet["C2"] = "é,x", "=1/0"
        path = tmp_path / "out.csv"
        sheet.write_csv(path)
        assert path.read_bytes() == '"é,x",,\r\n,,#DIV/0!\r\n'.encode("utf-8")

    def test_read(self, tmp_path):
        path = tmp_path / "in.csv"
        path.write_text("1,2.5,x\n,=A1+B1,\n", encoding="utf-8")
        sheet = Sheet.read_csv(path, name="in")
        assert sheet.to_rows() == [[1, 2.5, "x"], [None, 3.5, None]]
        assert repr(sheet) == "<Sheet 'in' C2>"


def test_repr_of_empty_sheet(sheet):
    assert repr(sheet) == "<Sheet 'Sheet1' empty>"
