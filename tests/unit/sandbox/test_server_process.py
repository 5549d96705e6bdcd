"""The host's side of a server."""

from __future__ import annotations

import pytest

from regreen.sandbox.server_process import cheap_forks


@pytest.mark.parametrize(("value", "on"), [(None, True), ("", True), ("1", True), ("0", False), ("false", False)])
def test_cheap_forks_have_one_switch(value: str | None, on: bool) -> None:
    """It is on unless it is turned off."""
    assert cheap_forks(environ={} if value is None else {"REGREEN_CHEAP_FORKS": value}) is on
