from click.testing import CliRunner

from greeter.cli import main


def test_plain():
    result = CliRunner().invoke(main, ["Ada"])
    assert result.exit_code == 0
    assert result.output == "Hello, Ada!\n"


def test_shout():
    result = CliRunner().invoke(main, ["Ada", "--shout", "--times", "2"])
    assert result.output == "HELLO, ADA!\nHELLO, ADA!\n"
