"""Tests of the house read the whole package, and keep what they read for one another."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def looks_for_no_garbage() -> Iterator[None]:
    """A million nodes of trees that stay are no garbage: to look for some among them takes longer than to read them."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
