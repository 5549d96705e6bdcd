import pytest

from cellgrid import Sheet


@pytest.fixture
def sheet():
    return Sheet()


@pytest.fixture
def calc(sheet):
    def run(formula, **cells):
        for address, raw in cells.items():
            sheet[address] = raw
        sheet["Z99"] = formula
        return sheet["Z99"]
    return run
