"""`regreen doctor`: what confines programs on this machine and whether it holds, and which models can be asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from regreen.cli import flags

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.sandbox.attacks import AttackResult
    from regreen.sandbox.probe import MachineSupport

_CONFINED, _UNCONFINED = 0, 3


@flags.with_settings("python", "layers", "debug")
def doctor_command(
    context: typer.Context,
    attack: Annotated[bool, typer.Option("--attack", help="Try to break out, and to fake a pass.")] = False,
    as_json: flags.Json = False,
) -> int:
    """Say what confines programs on this machine, and which models can be asked from it.

    Exit status: 0 programs can be confined, and no attack got through; 3 they cannot, or one did.
    """
    from regreen.sandbox.probe import probe

    settings = flags.resolve(context)
    support = probe()
    attack_results = _attack_results(settings) if attack and support.best else iter(())
    held = _print_json(support, attack_results) if as_json else _print(support, attack_results, settings)
    return _CONFINED if support.best and held else _UNCONFINED


def _attack_results(settings: Settings) -> Iterator[AttackResult]:
    from regreen.sandbox.attacks import ATTACKS, run_attacks
    from regreen.verify.judge import open_judge
    from regreen.verify.suites import read_suite

    with open_judge(layers=settings.layers, python=settings.python) as judge:
        yield from run_attacks(
            judge,
            lambda program, tests: read_suite(tests, program=program, module="program", entry_point="answer"),
            ATTACKS,
        )


def _print(support: MachineSupport, attack_results: Iterator[AttackResult], settings: Settings) -> bool:
    from regreen.cli.console import results
    from regreen.cli.show_doctor import models_table, show_attack_results, show_machine
    from regreen.models.provider_status import provider_statuses
    from regreen.sandbox.interpreter import inspect_interpreter

    out = results(settings)
    show_machine(out, support, settings, inspect_interpreter(settings.python))
    out.print()
    out.print(models_table(provider_statuses()))
    return show_attack_results(out, attack_results)


def _print_json(support: MachineSupport, attack_results: Iterator[AttackResult]) -> bool:
    from regreen.evaluate import jsonl
    from regreen.models.provider_status import provider_statuses

    tried = list(attack_results)
    attacks = [
        {"name": result.attack.name, "held": result.contained, "complaints": result.complaints} for result in tried
    ]
    models = [asdict(status) for status in provider_statuses()]
    sys.stdout.write(
        jsonl.encode_line({**asdict(support), "best": support.best, "attacks": attacks, "models": models}).decode(
            "ascii"
        )
    )
    return all(result.contained for result in tried)
