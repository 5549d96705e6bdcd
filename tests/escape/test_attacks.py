"""Every attack of the table, against every kind of wall, as whoever runs the tests and as an ordinary user."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from regreen.sandbox.attacks import ATTACKS, FAMILIES, Attack
from regreen.sandbox.attacks.arena import Arena, ReadSuite
from regreen.sandbox.pool import open_pool
from regreen.types import Outcome
from regreen.verify.judge import SandboxJudge

pytestmark = pytest.mark.sandbox

NOBODY = 65_534
BATCHES = [list(FAMILIES)[start::2] for start in range(2)]
"""Several families share a judge: to start one for each would cost more than the attacks."""


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_contained(judge: SandboxJudge, arena: Arena, read: ReadSuite, attack: Attack) -> None:
    """Nothing gets out, nothing passes, and a good program is judged as well as before."""
    fight = arena.fight(judge, read, attack)
    assert fight.complaints == ()


@pytest.mark.parametrize("families", BATCHES, ids=["half", "the other half"])
def test_an_ordinary_user_is_as_safe(layers: str, public_source: Path, public_python: str, families: list[str]) -> None:
    """The same attacks where the host is not root."""
    runner = str(public_source / "as_nobody.py")
    done = subprocess.run(
        [public_python, "-B", runner, str(public_source), layers, *families],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
        env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    fights = json.loads(done.stdout)
    assert len(fights) == sum(len(FAMILIES[family]) for family in families)
    assert {name: complaints for name, complaints in fights.items() if complaints} == {}


def test_the_table_accepts_no_pass() -> None:
    """A row that allowed passing would be no test."""
    assert all(attack.acceptable and Outcome.PASSED not in attack.acceptable for attack in ATTACKS)


def test_every_attack_has_a_name_of_its_own() -> None:
    """Names are how a report tells them apart."""
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


def test_witnesses_notice_a_breach(arena: Arena, judge: SandboxJudge, read: ReadSuite) -> None:
    """A witness that sees nothing would prove nothing: here the host itself plays the intruder."""
    attack = ATTACKS[0]
    verdict = judge.judge("def answer(x):\n    return 'BREACH'\n", read(attack.honest, attack.checks), attack.limits)
    (arena.folder / "new").touch()
    try:
        told = " ".join([*arena.complaints(attack, verdict)])
    finally:
        (arena.folder / "new").unlink()
    assert "folder was changed" in told
    assert "a door was open" in told
    assert "instead of timed_out" in told


def test_a_process_that_stays_in_a_sandbox_is_noticed(arena: Arena, judge: SandboxJudge, read: ReadSuite) -> None:
    """One that is there after the attack and was not before it."""
    fight = arena.fight(judge, read, ATTACKS[0])
    with open_pool(layers=judge.pool.layers) as pool, pool.lease():
        told = [*arena.complaints(ATTACKS[0], fight.verdict)]
    assert len(told) == 1
    assert "processes are left" in told[0]


def test_a_process_of_somebody_else_is_no_breach(arena: Arena, judge: SandboxJudge, read: ReadSuite) -> None:
    """What this process has running beside the sandbox, a browser say, starts helpers whenever it likes."""
    fight = arena.fight(judge, read, ATTACKS[0])
    with subprocess.Popen(["sleep", "60"]) as helper:
        told = [*arena.complaints(ATTACKS[0], fight.verdict)]
        helper.kill()
    assert told == []
