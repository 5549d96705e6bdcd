import pytest

from inkwell import DictLoader, Environment


@pytest.fixture
def env():
    return Environment()


@pytest.fixture
def render(env):
    def _render(source, **variables):
        return env.from_string(source).render(**variables)

    return _render


@pytest.fixture
def make_env():
    def _make(templates, **options):
        return Environment(DictLoader(templates), **options)

    return _make
