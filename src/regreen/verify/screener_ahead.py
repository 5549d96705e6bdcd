"""A screener's server that is started while tests still run, so that a search which follows finds it ready."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from regreen.errors import RegreenError
from regreen.sandbox.pool import Pool
from regreen.types import Suite, SuiteKind
from regreen.verify.shared_mode import need_pytest


@contextlib.contextmanager
def screener_ahead(pool: Pool, suite: Suite) -> Iterator[Callable[[], None]]:
    """What starts such a server in the background, with all imported that the suite needs; once, however often called.

    It is ready when the block ends.
    """
    with ThreadPoolExecutor(1, "screener-ahead") as threads:
        is_asked = False

        def start() -> None:
            nonlocal is_asked
            if not is_asked:
                is_asked = True
                threads.submit(_prepare, pool, suite)

        yield start


def _prepare(pool: Pool, suite: Suite) -> None:
    # What fails here fails again where the server is wanted, and is told there.
    with contextlib.suppress(RegreenError), pool.lease() as server:
        if suite.kind is SuiteKind.PYTEST:
            need_pytest(server, suite)
