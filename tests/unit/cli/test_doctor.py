"""`regreen doctor`: what is said of a machine, whatever it lacks."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from regreen.cli.show_doctor import promises_table, show_attack_results, show_machine
from regreen.config import Settings
from regreen.sandbox.attacks import ATTACKS, AttackResult
from regreen.sandbox.interpreter import Interpreter
from regreen.sandbox.probe import Layer, MachineSupport
from regreen.sandbox.promises import promises_of
from regreen.types import CheckResult, Outcome, Verdict

HERE = Layer("landlock", True, "paths are refused")
MISSING = Layer("pid namespace", False, "nothing outlives its verdict", "EPERM", "Allow user namespaces.")
BUILT = Layer("landlock", True, "the fallback without namespaces")
FALLEN = Layer("namespaces", False, "all layers", "EPERM", "Allow user namespaces.")
PYTHON = Interpreter("/usr/bin/python3", (3, 12, 1), (), ())


def support(*builds: Layer) -> MachineSupport:
    return MachineSupport(
        layers=(HERE, MISSING),
        builds={build.name: build for build in builds},
        landlock_abi=7,
        cgroup="v2",
        docker="not installed",
        restricted=False,
        kernel="Linux 6.18",
        python="3.11.7",
        uid=1000,
        cores=4,
    )


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[MachineSupport], None]:
    """Makes `doctor` find the given machine."""

    def be(found: MachineSupport) -> None:
        monkeypatch.setattr("regreen.sandbox.probe.probe", lambda: found)
        monkeypatch.setattr("regreen.sandbox.interpreter.inspect_interpreter", lambda python: PYTHON)

    return be


def shown(found: MachineSupport) -> str:
    file = io.StringIO()
    show_machine(Console(file=file, width=200), found, Settings(), PYTHON)
    return file.getvalue()


def test_a_missing_layer_is_told_with_what_it_costs_and_how_to_get_it() -> None:
    """A reader learns what does not hold here, why, and what to do."""
    text = shown(support(FALLEN, BUILT))
    assert "without it, this does not hold: nothing outlives its verdict. EPERM. Allow user namespaces." in text
    assert "the jail is built on landlock" in text
    assert "Python 3.12.1 (/usr/bin/python3)" in text
    assert "2 s CPU a check" in text


def test_a_machine_that_cannot_confine_says_why() -> None:
    """Where no build stands, the reason and the remedy are in the verdict."""
    assert "Programs cannot be confined here. Tried namespaces: EPERM" in shown(support(FALLEN))


def test_the_exit_status_tells_whether_programs_can_be_confined(
    regreen: Callable[..., Any], machine: Callable[[MachineSupport], None]
) -> None:
    """0 with a jail, 3 without one, or without the one that was asked for; the same with --json."""
    machine(support(FALLEN, BUILT))
    assert regreen("doctor").status == 0
    ran = regreen("doctor", "--layers", "namespaces")
    assert ran.status == 3
    told = " ".join(ran.out.split())
    assert "The jail cannot be built on namespaces here: EPERM. Allow user namespaces." in told
    assert "Without --layers, it is built on landlock." in told
    machine(support(FALLEN))
    assert regreen("doctor").status == 3
    ran = regreen("doctor", "--json")
    assert (ran.status, json.loads(ran.out)["best"]) == (3, None)


def test_the_promises_of_the_chosen_sandbox_are_told(
    regreen: Callable[..., Any], machine: Callable[[MachineSupport], None]
) -> None:
    """Those of the jail's build that is taken, those of the restricted sandbox, and none where nothing can be built."""
    machine(support(FALLEN, BUILT))
    assert "is kept from flaws" in regreen("doctor").out
    told = json.loads(regreen("doctor", "--json").out)
    assert told["sandbox"] == "jail, Landlock alone"
    assert told["promises"][0] == {"text": "reads no file of yours", "standing": "kept", "means": "Landlock"}
    told = json.loads(regreen("doctor", "--json", "--sandbox", "restricted").out)
    assert (told["sandbox"], told["promises"][0]["standing"]) == ("restricted", "weaker")
    assert (told["promises"][-1]["standing"], told["promises"][-1]["means"]) == ("not kept", "one gets out")
    told = json.loads(regreen("doctor", "--json", "--layers", "namespaces").out)
    assert (told["sandbox"], told["promises"]) == (None, [])


def test_promises_are_shown_with_their_standing_and_a_runtime_escaped() -> None:
    """Columns say how each stands; an engine says what its runtimes are called; a terminal is not to obey it."""
    file = io.StringIO()
    Console(file=file, width=200).print(promises_table("Docker, \x1b[2J[bold]x"))
    assert "(Docker, \\x1b[2J[bold]x)" in file.getvalue()
    assert file.getvalue().count(" untried ") == len(promises_of("Docker, x"))


CONTAINED = AttackResult(ATTACKS[0], Verdict({"c": CheckResult(Outcome.TIMED_OUT)}), ())
ESCAPED = AttackResult(ATTACKS[1], Verdict({"c": CheckResult(Outcome.PASSED)}), ("it passed \x1b[2J",))


def shown_attacks(*attack_results: AttackResult) -> tuple[bool, str]:
    file = io.StringIO()
    return show_attack_results(Console(file=file, width=200), attack_results), file.getvalue()


def test_every_attack_gets_a_line_and_the_count_says_the_rest() -> None:
    """Contained ones with how they ended, the other ones with what did not hold, escaped for the terminal."""
    held, text = shown_attacks(CONTAINED, ESCAPED)
    assert not held
    assert f"contained      {ATTACKS[0].name} (timed out)" in text
    assert f"NOT contained  {ATTACKS[1].name}: it passed \\x1b[2J" in text
    assert "1 of 2 attacks were NOT contained." in text
    assert shown_attacks(CONTAINED)[1].endswith("All 1 attacks were contained.\n")
    assert shown_attacks() == (True, "")


def test_an_attack_that_gets_through_is_a_failed_machine(
    regreen: Callable[..., Any], machine: Callable[[MachineSupport], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 3, and JSON names the attack."""
    machine(support(FALLEN, BUILT))
    monkeypatch.setattr("regreen.cli.doctor._attack_results", lambda *_: iter([CONTAINED, ESCAPED]))
    assert regreen("doctor", "--attack").status == 3
    ran = regreen("doctor", "--attack", "--json")
    assert ran.status == 3
    assert [attack["held"] for attack in json.loads(ran.out)["attacks"]] == [True, False]
    monkeypatch.setattr("regreen.cli.doctor._attack_results", lambda *_: iter([CONTAINED]))
    assert regreen("doctor", "--attack").status == 0
