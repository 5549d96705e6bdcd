import pytest

from mensura.defaults import load
from mensura.registry import UnitRegistry


@pytest.fixture
def registry():
    """A registry of its own, so that tests may add units."""
    return load(UnitRegistry())
