import json
from pathlib import Path

from rates import convert

EXPECTED = json.loads((Path(__file__).parent / "expected.json").read_text())


def test_each_currency():
    assert {code: convert(10, code) for code in EXPECTED} == EXPECTED


def test_files_are_found_from_the_working_folder_too():
    with open("tests/expected.json") as file:
        assert convert(10, "USD") == json.load(file)["USD"]


def test_a_report_is_written_beside_the_tests():
    report = Path(__file__).parent / "report.txt"
    assert not report.exists()
    report.write_text(str(convert(0, "EUR")))
    assert report.read_text() == "0.0"
    report.unlink()
