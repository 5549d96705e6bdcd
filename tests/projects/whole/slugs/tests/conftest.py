import pytest
from click.testing import CliRunner


@pytest.fixture
def run():
    from slugkit.cli import main

    def invoke(*args, **kwargs):
        result = CliRunner().invoke(main, list(args), **kwargs)
        assert result.exit_code == 0, result.output
        return result.output

    return invoke
