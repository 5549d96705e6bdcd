import pytest

from cellgrid import CellError, FormulaSyntaxError


@pytest.mark.parametrize(
    "formula, expected",
    [
        ("=1+2*3", 7),
        ("=(1+2)*3", 9),
        ("=10-4-3", 3),
        ("=2^3^2", 64),
        ("=-2^2", 4),
        ("=50%*8", 4),
        ("=7/2", 3.5),
        ('="a"&1&TRUE', "a1TRUE"),
        ('="say ""hi"""', 'say "hi"'),
        ('="3"+4', 7),
        ('="abc"="ABC"', True),
        ('="10">9', True),
    ],
)
def test_operators(calc, formula, expected):
    assert calc(formula) == expected


@pytest.mark.parametrize(
    "formula, code",
    [
        ("=1/0", "#DIV/0!"),
        ('="x"+1', "#VALUE!"),
        ("=NOSUCH(1)", "#NAME?"),
        ("=A1:A3", "#VALUE!"),
        ("=#REF!+1", "#REF!"),
        ("=LEN()", "#VALUE!"),
        ('=LEFT("x",-1)', "#VALUE!"),
    ],
)
def test_errors(calc, formula, code):
    assert calc(formula) == CellError(code)


@pytest.mark.parametrize("formula", ["=1+", "=(1", "=1 2", "=@"])
def test_syntax_errors(sheet, formula):
    with pytest.raises(FormulaSyntaxError):
        sheet["A1"] = formula
    assert "A1" not in sheet


class TestAggregates:
    CELLS = dict(A1=1, A2="text", A3=2.5, A4=True, A6=4)

    def test_sum_skips_text(self, calc):
        assert calc("=SUM(A1:A6)", **self.CELLS) == 7.5

    def test_sum_converts_direct_arguments(self, calc):
        assert calc('=SUM("2",TRUE,3)') == 6

    def test_average_and_count(self, calc):
        assert calc("=AVERAGE(A1:A6)", **self.CELLS) == 2.5
        assert calc("=COUNT(A1:A6)") == 3

    def test_average_of_nothing(self, calc):
        assert calc("=AVERAGE(B1:B9)") == CellError("#DIV/0!")

    def test_min_max(self, calc):
        assert calc("=MAX(A1:A6)-MIN(A1:A6)", **self.CELLS) == 3
        assert calc("=MAX(B1:B2)") == 0

    def test_error_in_range_spreads(self, calc):
        assert calc("=SUM(A1:A2)", A1=1, A2="=1/0") == CellError("#DIV/0!")


class TestLogic:
    def test_if(self, calc):
        assert calc('=IF(A1>1,"big","small")', A1=5) == "big"
        assert calc("=IF(A1>9,1)") is False

    def test_if_leaves_the_other_branch_alone(self, calc):
        assert calc("=IF(A1=0,0,10/A1)", A1=0) == 0

    def test_iferror(self, calc):
        assert calc('=IFERROR(1/0,"oops")') == "oops"

    def test_and_or_stop_early(self, calc):
        assert calc("=AND(FALSE,1/0)") is False
        assert calc("=OR(TRUE,1/0)") is True
        assert calc("=NOT(0)") is True


class TestText:
    def test_left_right(self, calc):
        assert calc('=LEFT("hello",2)&RIGHT("hello",3)') == "hello"
        assert calc('=RIGHT("hello",0)') == ""
        assert calc('=RIGHT("hi",9)') == "hi"

    def test_concat_of_range(self, calc):
        assert calc("=CONCAT(A1:B1,\"!\")", A1="x", B1=2.0) == "x2!"


@pytest.mark.parametrize("formula, expected", [("=ROUND(2.5)", 3), ("=ROUND(-2.5)", -3), ("=ROUND(1.234,2)", 1.23)])
def test_round_half_away_from_zero(calc, formula, expected):
    assert calc(formula) == expected


class TestVlookup:
    CELLS = dict(A1="Apple", B1=3, A2="Pear", B2=7)

    def test_found(self, calc):
        assert calc('=VLOOKUP("pear",A1:B2,2)', **self.CELLS) == 7

    def test_not_found(self, calc):
        assert calc('=VLOOKUP("fig",A1:B2,2)', **self.CELLS) == CellError("#N/A")

    def test_column_out_of_table(self, calc):
        assert calc('=VLOOKUP("pear",A1:B2,3)', **self.CELLS) == CellError("#VALUE!")
