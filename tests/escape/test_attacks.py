"""Every attack of the table, against every kind of wall, as whoever runs the tests and as an ordinary user."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from regreen.sandbox.attacks import ATTACKS, FAMILIES, Attack, attacks_on
from regreen.sandbox.attacks.leak_monitor import LeakMonitor, ReadSuite
from regreen.sandbox.pool import open_pool
from regreen.types import Outcome
from regreen.verify.judge import SandboxJudge

pytestmark = pytest.mark.sandbox

NOBODY = 65_534
WITHIN_ITS_REACH = ("values", "hunts", "messages", "patches", "credulous", "shared", "deciders", "replacements")
"""Families that try nothing against the host: they lie to the checks, whoever built the wall, of whatever."""
RIGHTS_MATTER = ("spending", "network", "files", "processes", "kernel", "leftovers")
"""Families whose attacks the host itself would stop, or not, by who runs them."""
RIGHTS_DO_NOT = tuple(family for family in FAMILIES if family not in RIGHTS_MATTER)
ROWS = [
    pytest.param(attack, id=attack.name, marks=[pytest.mark.either_wall] * (family in WITHIN_ITS_REACH))
    for family, attacks in FAMILIES.items()
    for attack in attacks
]


@pytest.mark.parametrize("attack", ROWS)
def test_an_attack_is_contained(
    judge: SandboxJudge, leak_monitor: LeakMonitor, read: ReadSuite, attack: Attack
) -> None:
    """Nothing gets out, nothing passes, and a good program is judged as well as before."""
    result = leak_monitor.attempt(judge, read, attack)
    assert result.complaints == ()


@pytest.mark.parametrize(
    "families",
    [RIGHTS_MATTER, pytest.param(RIGHTS_DO_NOT, marks=pytest.mark.slow)],
    ids=["rights matter", "rights do not"],
)
def test_an_ordinary_user_is_as_safe(
    layers: str, public_source: Path, public_python: str, families: tuple[str, ...]
) -> None:
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
    attack_results = json.loads(done.stdout)
    wanted = {attack.name for family in families for attack in FAMILIES[family] if not attack.needs_pytest}
    assert wanted <= attack_results.keys()
    assert {name: complaints for name, complaints in attack_results.items() if complaints} == {}


def test_the_table_accepts_no_pass() -> None:
    """A row that allowed passing would be no test."""
    assert all(attack.acceptable and Outcome.PASSED not in attack.acceptable for attack in ATTACKS)


def test_every_attack_has_a_name_of_its_own() -> None:
    """Names are how a report tells them apart."""
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


def test_detectors_notice_a_breach(leak_monitor: LeakMonitor, judge: SandboxJudge, read: ReadSuite) -> None:
    """A detector that sees nothing would prove nothing: here the host itself plays the intruder."""
    attack = ATTACKS[0]
    verdict = judge.judge("def answer(x):\n    return 'BREACH'\n", read(attack.honest, attack.checks), attack.limits)
    (leak_monitor.folder / "new").touch()
    try:
        told = " ".join([*leak_monitor.complaints(attack, verdict)])
    finally:
        (leak_monitor.folder / "new").unlink()
    assert "folder was changed" in told
    assert "a door was open" in told
    assert "instead of timed_out" in told


OPEN_DOORS = ("the host's system files read", "the host's processes listed", "system files read", "processes listed")


@pytest.mark.parametrize("name", OPEN_DOORS)
def test_what_looks_for_the_host_finds_it_without_a_wall(leak_monitor: LeakMonitor, name: str) -> None:
    """A look that finds nothing anywhere would prove nothing: here it is taken on the host itself."""
    (attack,) = [each for each in ATTACKS if each.name == name]
    script = f"{leak_monitor.arm(attack.source)}\nprint(answer(20))\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("BREACH")


def test_a_container_without_landlock_is_not_asked_to_hide_itself() -> None:
    """Only that: what looks for the host is tried everywhere."""
    left_out = {each.name for each in {*attacks_on(None)} - {*attacks_on(["container"])}}
    assert left_out == {"system files read", "devices", "processes listed"}
    assert attacks_on(["container", "landlock"]) == ATTACKS


def test_a_process_that_stays_in_a_sandbox_is_noticed(
    leak_monitor: LeakMonitor, judge: SandboxJudge, read: ReadSuite
) -> None:
    """One that is there after the attack and was not before it."""
    result = leak_monitor.attempt(judge, read, ATTACKS[0])
    with open_pool(layers=judge.pool.wall.layers) as pool, pool.lease():
        told = [*leak_monitor.complaints(ATTACKS[0], result.verdict)]
    assert len(told) == 1
    assert "processes are left" in told[0]


def test_a_process_of_somebody_else_is_no_breach(
    leak_monitor: LeakMonitor, judge: SandboxJudge, read: ReadSuite
) -> None:
    """What this process has running beside the sandbox, a browser say, starts helpers whenever it likes."""
    result = leak_monitor.attempt(judge, read, ATTACKS[0])
    with subprocess.Popen(["sleep", "60"]) as helper:
        told = [*leak_monitor.complaints(ATTACKS[0], result.verdict)]
        helper.kill()
    assert told == []
