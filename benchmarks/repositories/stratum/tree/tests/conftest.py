import pytest

from stratum import Config


@pytest.fixture
def config():
    return Config(
        {
            "name": "demo",
            "db": {"host": "localhost", "port": 5432, "url": "pg://${db.host}:${db.port}/${name}"},
            "tags": ["a", "b"],
        }
    )


@pytest.fixture
def conf_file(tmp_path):
    def write(text, name="app.conf"):
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8"))
        return path

    return write
