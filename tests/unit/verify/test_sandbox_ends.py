"""A sandbox that ends under a program: whose doing that was, with servers that are played."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from regreen.errors import SandboxEnded, SandboxError, SandboxUnavailable
from regreen.sandbox.guest.wire.connection import Connection
from regreen.sandbox.pool import Pool, Wall
from regreen.types import Isolation, Limits, Outcome, Suite, Verdict
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

PROGRAM = "def f(x):\n    return x\n"


@dataclass
class Played:
    """What becomes of the servers that are started: each fault in turn, by the kind of server that has it."""

    faults: list[SandboxError]
    refusal: SandboxError | None = None
    """Why no server starts after those."""
    peers: list[Connection] | None = None

    def start(self, kind: str) -> Any:
        if not self.faults and self.refusal:
            raise self.refusal
        return PlayedServer(self, kind)


class PlayedServer:
    """A server that takes a suite, and is gone when it is to hold a program."""

    spoilt = busy = False

    def __init__(self, played: Played, kind: str) -> None:
        self.played = played
        self.kind = kind

    def ensure_imported(self, modules: Any) -> dict[str, str]:
        return {}

    def cpu_seconds(self) -> float:
        return 0.0

    def spawn(self, role: str, limits: Limits) -> Connection:
        if role == "shared" or getattr(self.played.faults[0], "kind", "") == "checks":
            raise self.played.faults.pop(0)
        ours, theirs = socket.socketpair()
        peer = Connection(theirs)
        peer.send_json({})
        self.played.peers = [*(self.played.peers or []), peer]
        return Connection(ours)

    def spawn_socket(self, role: str, limits: Limits) -> socket.socket:
        raise self.played.faults.pop(0)

    def close(self) -> None:
        """There is nothing to end."""


@pytest.fixture
def judged() -> Iterator[Any]:
    """Judges the program with servers that have these faults."""
    all_played: list[Played] = []

    def judge(*faults: SandboxError, shared: bool = False, refusal: SandboxError | None = None) -> Verdict:
        played = Played([*faults], refusal)
        all_played.append(played)
        suite: Suite = read_suite("assert f(1) == 1\n", program=PROGRAM, module="program", entry_point="f")
        suite = replace(suite, isolation=Isolation.SHARED if shared else Isolation.SEPARATE)
        return SandboxJudge(Pool(1, Wall(played.start, "container", "played"))).judge(PROGRAM, suite, Limits())

    yield judge
    for played in all_played:
        for peer in played.peers or []:
            peer.close()


def ended(kind: str) -> SandboxEnded:
    return SandboxEnded("it ended with status 2", kind=kind)


@pytest.mark.parametrize(("kind", "shared"), [("guests", False), ("checks", True)])
def test_a_program_that_ends_two_sandboxes_has_crashed(judged: Any, kind: str, shared: bool) -> None:
    """The second was new, and a third can be started: it is the program's doing, and its verdict says so."""
    verdict = judged(ended(kind), ended(kind), shared=shared)
    assert {result.outcome for result in verdict.results.values()} == {Outcome.CRASHED}
    assert verdict.results
    assert verdict.isolation is (Isolation.SHARED if shared else Isolation.SEPARATE)
    assert "status 2" in verdict.detail


@pytest.mark.parametrize(
    "faults",
    [
        pytest.param([ended("checks"), ended("checks")], id="what held the checks ended"),
        pytest.param([SandboxError("gone"), ended("guests")], id="the first is not known to have ended"),
        pytest.param([ended("guests"), SandboxError("gone")], id="the second is not known to have ended"),
    ],
)
def test_what_may_be_our_fault_is_never_the_programs(judged: Any, faults: list[SandboxError]) -> None:
    """It is raised, and the run goes on later."""
    with pytest.raises(SandboxError):
        judged(*faults)


def test_an_engine_that_starts_no_third_sandbox_is_at_fault_itself(judged: Any) -> None:
    """Then it may have ended the two before as well."""
    with pytest.raises(SandboxUnavailable, match="engine is gone"):
        judged(ended("guests"), ended("guests"), refusal=SandboxUnavailable("the engine is gone"))
