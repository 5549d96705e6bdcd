"""What a server imports for tests of pytest's before it forks the processes that run them."""

from __future__ import annotations

from typing import Any

import pytest

from regreen.types import Suite, SuiteKind
from regreen.verify.shared_mode import need_pytest

TABLES = "regreen.sandbox.guest.runner.checks.hypothesis_tables"


class Server:
    """Remembers what it was to import."""

    imported: tuple[str, ...] = ()

    def ensure_imported(self, modules: list[str]) -> dict[str, str]:
        self.imported = tuple(modules)
        return {}


@pytest.mark.parametrize(
    ("tests", "slow"),
    [
        ("from shop import text\n", set()),
        ("from hypothesis import given, strategies as st\n@given(st.integers())\ndef test_a(n): ...\n", {"hypothesis"}),
        (
            "from hypothesis import given, strategies as st\n@given(st.text())\ndef test_a(s): ...\n",
            {"hypothesis", TABLES},
        ),
        ("from hypothesis.strategies import from_regex\nTEXTS = from_regex('a')\n", {"hypothesis", TABLES}),
    ],
)
def test_what_takes_long_is_imported_once_where_the_tests_use_it(tests: str, slow: set[str]) -> None:
    """Each process would spend seconds on the tables of characters that texts are drawn from."""
    server: Any = Server()
    need_pytest(server, Suite(SuiteKind.PYTEST, tests, (), module="shop", origin="test_shop.py"))
    assert {"hypothesis", TABLES} & {*server.imported} == slow
