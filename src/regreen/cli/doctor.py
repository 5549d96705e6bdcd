"""`regreen doctor`: what confines programs on this machine and whether it holds, and which models can be asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli import flags
from regreen.errors import ConfigError
from regreen.report.safe_text import visible_line

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.sandbox.attacks import AttackResult
    from regreen.sandbox.probe import MachineSupport

_CONFINED, _UNCONFINED = 0, 3


@flags.with_settings("python", "sandbox", "layers", *flags.CONTAINER, "debug")
def doctor_command(
    context: typer.Context,
    attack: Annotated[bool, typer.Option("--attack", help="Try to break out, and to fake a pass.")] = False,
    build_image: Annotated[
        bool, typer.Option("--build-image", help="Build the image of the containers, with what the programs need.")
    ] = False,
    requirements: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --build-image: packages to install there, as pip reads it."),
    ] = None,
    base_image: Annotated[
        str | None, typer.Option(metavar="IMAGE", help="With --build-image: what to build on [python:3.x-slim].")
    ] = None,
    as_json: flags.Json = False,
) -> int:
    """Say what confines programs on this machine, what the chosen sandbox promises, and which models can be asked.

    With --sandbox docker a container is started and looked into as well; with --sandbox restricted no wall is asked
    for. Promises are kept, weaker (against accidents only), untried or not kept. Exit status: 0 programs can be
    confined, and no attack got through; 3 they cannot, or one did.
    """
    from regreen.sandbox.probe import probe

    settings = flags.resolve(context)
    if build_image:
        _build_image(settings, base_image, requirements)
    elif requirements or base_image:
        raise ConfigError("--requirements and --base-image are for an image.", remedy="Add --build-image.")
    support = probe()
    container = _look_into_container(settings) if settings.sandbox == "docker" else None
    if settings.sandbox == "restricted":
        _need_restricted()
    sandbox = _sandbox_name(settings, support, container)
    confined = sandbox is not None
    attack_results = _attack_results(settings, container) if attack and confined else iter(())
    if as_json:
        held = _print_json(support, container, sandbox, attack_results)
    else:
        held = _print(support, container, sandbox, attack_results, settings)
    return _CONFINED if confined and held else _UNCONFINED


def _build_image(settings: Settings, base: str | None, requirements: Path | None) -> None:
    """Build the image that the settings name, or the one that is taken where they name none."""
    from regreen.cli.console import notices
    from regreen.sandbox.container_image import build_image

    try:
        packages = requirements.read_text(encoding="utf-8") if requirements else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{requirements} cannot be read: {error}.", remedy="Check the path.") from error
    out = notices(settings)
    image = build_image(
        settings.confinement.container, base=base, packages=packages, tell=lambda line: out.print(visible_line(line))
    )
    out.print(f"Built {image}.")


def _need_restricted() -> None:
    """Raises SandboxUnavailable where RestrictedPython is not installed."""
    from regreen.sandbox.restricted_text import need_restricted_python

    need_restricted_python()


def _look_into_container(settings: Settings) -> Mapping[str, Any]:
    """What a container of the chosen engine gives. Raises SandboxUnavailable where none can be had."""
    from regreen.sandbox.container_engine import open_container_engine
    from regreen.sandbox.container_server import ContainerServer

    with open_container_engine(settings.confinement.container, settings.memory_mb << 20) as engine:
        server = ContainerServer(engine, "guests")
        try:
            notes = [*server.report["notes"], *engine.notes]
            return {**engine.describe(), "image": engine.image, **server.report, "notes": notes}
        finally:
            server.close()


def _sandbox_name(settings: Settings, support: MachineSupport, container: Mapping[str, Any] | None) -> str | None:
    """What the table of promises calls the chosen sandbox; None where this machine cannot build it."""
    from regreen.sandbox.promises import RESTRICTED, jail_name

    if container is not None:
        return str(container["sandbox"])
    if settings.sandbox == "restricted":
        return RESTRICTED
    build = support.build(settings.layers)
    return jail_name(build.name) if build is not None else None


def _attack_results(settings: Settings, container: Mapping[str, Any] | None) -> Iterator[AttackResult]:
    """Each attack on what the chosen sandbox promises, as it ends."""
    from regreen.sandbox.attacks import attacks_on, run_attacks
    from regreen.verify.judge import open_judge
    from regreen.verify.suites import read_suite

    with open_judge(settings.confinement) as judge:
        yield from run_attacks(
            judge,
            lambda program, tests: read_suite(tests, program=program, module="program", entry_point="answer"),
            attacks_on(None if container is None else container["layers"]),
        )


def _print(
    support: MachineSupport,
    container: Mapping[str, Any] | None,
    sandbox: str | None,
    attack_results: Iterator[AttackResult],
    settings: Settings,
) -> bool:
    from regreen.cli.console import results
    from regreen.cli.show_doctor import (
        models_table,
        promises_table,
        show_attack_results,
        show_container,
        show_machine,
        show_restricted,
    )
    from regreen.models.provider_status import provider_statuses
    from regreen.sandbox.interpreter import inspect_interpreter

    out = results(settings)
    show_machine(out, support, settings, inspect_interpreter(settings.python))
    out.print()
    if settings.sandbox == "restricted":
        show_restricted(out)
        out.print()
    if container is not None:
        show_container(out, container)
        out.print()
    if sandbox is not None:
        out.print(promises_table(sandbox))
        out.print()
    out.print(models_table(provider_statuses()))
    return show_attack_results(out, attack_results)


def _print_json(
    support: MachineSupport,
    container: Mapping[str, Any] | None,
    sandbox: str | None,
    attack_results: Iterator[AttackResult],
) -> bool:
    from regreen.evaluate import jsonl
    from regreen.models.provider_status import provider_statuses
    from regreen.sandbox.promises import promises_of

    tried = list(attack_results)
    attacks = [
        {
            "name": result.attack.name,
            "held": result.contained,
            "refused": result.verdict.refused,
            "complaints": result.complaints,
        }
        for result in tried
    ]
    models = [asdict(status) for status in provider_statuses()]
    sys.stdout.write(
        jsonl.encode_line(
            {
                **asdict(support),
                "best": support.best,
                "container": None if container is None else dict(container),
                "sandbox": sandbox,
                "promises": [asdict(promise) for promise in (promises_of(sandbox) if sandbox else ())],
                "attacks": attacks,
                "models": models,
            }
        ).decode("ascii")
    )
    return all(result.contained for result in tried)
