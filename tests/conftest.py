"""What every test gets: a clean environment, no network, properties that run the same; and judges for who asks."""

from __future__ import annotations

import compileall
import gc
import logging
import os
import re
import signal
import socket
import sys
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from made_ahead import make_ahead
from shipped_cases import by_id

import regreen
from regreen.sandbox.probe import probe
from regreen.types import Case
from regreen.verify.judge import SandboxJudge, open_judge

# A slow or busy machine must not turn a property red: what is too slow is found by pytest's own time limit.
# Where nobody looks on, each run asks the same; a developer's runs go on looking for what was not asked yet.
settings.register_profile(
    "regreen",
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.register_profile("fuzz", settings.get_profile("regreen"), max_examples=20_000, derandomize=False)
settings.register_profile("fuzz-quick", settings.get_profile("regreen"), max_examples=200, derandomize=False)
settings.register_profile("fast", settings.get_profile("regreen"), max_examples=10)
settings.load_profile("regreen")

# Hugging Face's client would try again for half a minute before it says that there is no network.
os.environ["HF_HUB_OFFLINE"] = "1"

# A shell starts what runs in its background deaf to Ctrl-C, and processes inherit it: those that tests interrupt, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["projects"]
"""Projects of others, in which tests fail on purpose."""


class FailingHandler(logging.Handler):
    """Turns what is logged into a failure: for users the search goes on without a template that fails."""

    def emit(self, record: logging.LogRecord) -> None:
        """Fail with the message."""
        raise AssertionError(record.getMessage())


logging.getLogger("regreen.propose.search.mutation_queue").addHandler(FailingHandler())

LONGEST = (
    "tests/contract/test_killed_runs.py",
    "tests/escape/test_attacks.py::test_an_ordinary_user_is_as_safe",
    "tests/quality/test_search_is_deterministic.py",
)
"""Tests that take ten seconds or more."""
WALLS = ("namespaces", "landlock")
FAMILIES_OF_THE_NETWORK = (socket.AF_INET, socket.AF_INET6)
FOREIGN = ("REGREEN_", "LANGSMITH_", "LANGCHAIN_", "OTEL_")
"""Beginnings of variables that no test may depend on."""


def pytest_configure(config: pytest.Config) -> None:
    """Compile what is tested, once: where Python is told to keep nothing, a thousand sandboxes would each do it.

    For the same reason every process that collects the tests keeps what is made of them.
    """
    sys.dont_write_bytecode = False
    if not hasattr(config, "workerinput"):
        package = Path(regreen.__file__).parent
        compileall.compile_dir(package, quiet=2, workers=0)
        if sys.platform == "linux" and config.getoption("numprocesses", None):
            top = Path(__file__).parent
            ours = (file for file in top.rglob("test_*.py") if "projects" not in file.relative_to(top).parts)
            make_ahead(config, sorted(ours), sorted(package.rglob("*.py")))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What collecting makes stays to the end: garbage is neither looked for while it is made, nor ever among it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """What any wall answers is asked of one of them, each getting its share of the questions; slow tests ask both."""
    either = isinstance(item, pytest.Function) and item.get_closest_marker("either_wall")
    if either and item.callspec.params["layers"] != _wall_in_turn(item.nodeid):
        item.add_marker("slow")


def _wall_in_turn(question: str) -> str:
    """The wall of which that is asked: the same in every run, and one that stands on this machine, if any does."""
    walls = [wall for wall, build in probe().builds.items() if build.works] or list(WALLS)
    return walls[zlib.crc32(re.sub("|".join(WALLS), "", question).encode()) % len(walls)]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first: at the end, no worker is left alone with it while the others are idle."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: many tests wait for what they started; each worker collects them all."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return cores + 1


@pytest.fixture(scope="session", params=WALLS)
def layers(request: pytest.FixtureRequest) -> str:
    """Each way to build the wall; skipped, saying why, where this machine does not grant it."""
    if sys.platform != "linux":
        pytest.skip("the jail needs Linux")
    build = probe().builds[request.param]
    if not build.works:
        pytest.skip(f"this machine does not grant {request.param}: {build.detail}")
    return str(request.param)


@pytest.fixture(scope="session")
def judge(layers: str) -> Iterator[SandboxJudge]:
    """A judge behind that wall."""
    with open_judge(layers=layers) as judge:
        yield judge


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of whoever runs the tests do not reach them."""
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        monkeypatch.delenv(name)
    for name in (
        "VIRTUAL_ENV",
        "CONDA_PREFIX",
        "CONDA_DEFAULT_ENV",
        "NO_COLOR",
        "FORCE_COLOR",
        "COLUMNS",
        "PYTHONHOME",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def this_machine() -> list[str]:
    """Names of this machine, the only one that a test may connect to."""
    return ["127.0.0.1", "::1", "localhost"]


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch, this_machine: list[str]) -> None:
    """A test that reaches for the network fails at once, wherever it runs."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in FAMILIES_OF_THE_NETWORK and address[0] not in this_machine:
            raise AssertionError(f"a test tried to connect to {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def case(request: pytest.FixtureRequest) -> Case:
    """The shipped case of that id."""
    return by_id()[request.param]
