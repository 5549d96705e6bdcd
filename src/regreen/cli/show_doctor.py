"""Tables of `regreen doctor`: layers of confinement, results of attacks, and usable models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regreen.cli.console import print_wrapped
from regreen.config import Settings
from regreen.models.provider_status import ProviderStatus
from regreen.report.safe_text import visible_line
from regreen.sandbox.attacks import AttackResult
from regreen.sandbox.interpreter import Interpreter
from regreen.sandbox.probe import Layer, MachineSupport
from regreen.sandbox.promises import Standing, promises_of
from regreen.sandbox.restricted_text import NO_WALL


def show_machine(out: Console, support: MachineSupport, settings: Settings, interpreter: Interpreter) -> None:
    """Print the layers of this machine, whether programs can be confined, and the limits that apply."""
    out.print(layers_table(support.layers))
    out.print()
    out.print(verdict_on(support, settings))
    for build in support.builds.values():
        print_wrapped(out, _build_line(build), label=" ")
    out.print()
    out.print(facts_table(support, settings, interpreter))


def layers_table(layers: tuple[Layer, ...]) -> Table:
    """Each layer: whether this machine has it, what it gives, and how to get it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("layer", no_wrap=True)
    table.add_column("here", no_wrap=True)
    table.add_column("what it gives, or how to get it")
    for layer in layers:
        here = Text("yes", style="green") if layer.works else Text("no", style="bold red")
        table.add_row(Text(layer.name), here, Text(_told(layer)))
    return table


def verdict_on(support: MachineSupport, settings: Settings) -> Text:
    """Whether the jail can be built here, on the layers that were chosen."""
    build = support.build(settings.layers)
    if build is not None:
        return Text(f"Programs can be confined here; the jail is built on {build.name}.", style="bold green")
    if support.best is None:
        # Another sandbox may have been chosen, and is told of below.
        lacks = "Programs cannot be confined here" if settings.sandbox == "jail" else "There can be no jail here"
        return Text(f"{lacks}. {visible_line(support.refusal, 2000)}", style="bold red")
    chosen = support.builds[settings.layers]
    why = f"{visible_line(chosen.detail, 500)}. {chosen.remedy} Without --layers, it is built on {support.best}."
    return Text(f"The jail cannot be built on {chosen.name} here: {why}", style="bold red")


def facts_table(support: MachineSupport, settings: Settings, interpreter: Interpreter) -> Table:
    """Versions, and the limits of one candidate."""
    limits = settings.limits
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    facts = {
        "kernel": support.kernel,
        "landlock": f"ABI {support.landlock_abi}" if support.landlock_abi else "none",
        "cgroups": f"{support.cgroup} (not needed)",
        "cores": str(support.cores),
        "user": "root" if support.uid == 0 else f"uid {support.uid}",
        "regreen runs on": f"Python {support.python}",
        "programs run on": f"Python {'.'.join(map(str, interpreter.version))} ({interpreter.executable})",
        "limits": (
            f"{limits.seconds:g} s CPU a check, {limits.total_seconds:g} s in all, "
            f"{settings.memory_mb} MiB memory, {settings.output_kb} KiB output"
        ),
    }
    for name, fact in facts.items():
        table.add_row(name, Text(visible_line(fact)))
    return table


def show_container(out: Console, container: Mapping[str, Any]) -> None:
    """Print what a container of the chosen engine gives, and what is weaker in it."""
    out.print(Text(f"Containers of {container['image']} can confine programs.", style="bold green"))
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    facts = {name: container[name] for name in ("engine", "runtimes", "security", "kernel") if name in container}
    facts["layers"] = ", ".join(container["layers"])
    facts["programs run on"] = f"Python {'.'.join(map(str, container['python']))}, as user {container['uid']}"
    for name, fact in facts.items():
        table.add_row(name, Text(visible_line(str(fact), 500)))
    for note in container["notes"]:
        table.add_row("weaker here", Text(visible_line(note, 500), style="yellow"))
    out.print(table)


def show_restricted(out: Console) -> None:
    """Print what the restricted sandbox is, and is not."""
    out.print(Text("Programs can be run with limits, by their words.", style="bold yellow"))
    print_wrapped(out, Text(f"{NO_WALL}."), label=" ")


_STANDING_STYLES = {Standing.KEPT: "green", Standing.BROKEN: "bold red"}


def promises_table(sandbox: str) -> Table:
    """Each promise: whether the sandbox of that name keeps it, and by what."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(Text(f"a program in this sandbox ({visible_line(sandbox, 200)})"))
    table.add_column("is", no_wrap=True)
    table.add_column("by what, or what happens", overflow="fold")
    for promise in promises_of(sandbox):
        standing = Text(promise.standing, style=_STANDING_STYLES.get(promise.standing, "yellow"))
        table.add_row(Text(promise.text), standing, Text(promise.means))
    return table


def models_table(statuses: Iterable[ProviderStatus]) -> Table:
    """Each provider of models: whether it is usable here, and what it has or lacks."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("models of", no_wrap=True)
    table.add_column("usable", no_wrap=True)
    table.add_column("what is there, or missing", overflow="fold")
    for status in statuses:
        usable = Text("yes", style="green") if status.ready else Text("no", style="dim")
        table.add_row(Text(status.provider), usable, Text(visible_line(status.detail, 500)))
    return table


def _told(layer: Layer) -> str:
    if layer.works:
        return layer.meaning
    return visible_line(f"without it, this does not hold: {layer.meaning}. {layer.detail}. {layer.remedy}", 2000)


def _build_line(build: Layer) -> Text:
    state = "works" if build.works else "does not work"
    detail = f": {visible_line(build.detail, 500)}" if build.detail else ""
    return Text(f"{build.name} ({build.meaning}) {state}{detail}", style="" if build.works else "red")


def show_attack_results(out: Console, attack_results: Iterable[AttackResult]) -> bool:
    """Print a line for each attack as it ends, then the number contained; returns whether all were."""
    counts = Counter[bool]()
    refused = 0
    for result in attack_results:
        if not counts:
            out.print()
        counts[result.contained] += 1
        refused += result.contained and result.refused
        out.print(attack_line(result), soft_wrap=True)
    if counts[False]:
        out.print(f"{counts[False]} of {counts.total()} attacks were NOT contained.", style="bold red")
    elif counts and not refused:
        out.print(f"All {counts.total()} attacks were contained.", style="bold green")
    if refused:
        # Another wording of the same deed may be let pass.
        words = f"{refused} of {counts.total()} attacks were refused by their words alone"
        out.print(f"{words}, {counts[True] - refused} contained.", style="bold yellow")
    return not counts[False]


def attack_line(result: AttackResult) -> Text:
    """One attack and its outcome; one that was not contained with every complaint."""
    outcomes = sorted({result.outcome.value.replace("_", " ") for result in result.verdict.results.values()})
    if result.contained and result.refused:
        return Text(f"refused        {visible_line(result.attack.name)} ({visible_line(result.verdict.refused, 200)})")
    if result.contained:
        return Text(f"contained      {visible_line(result.attack.name)} ({', '.join(outcomes)})")
    said = "; ".join(visible_line(complaint, 500) for complaint in result.complaints)
    return Text(f"NOT contained  {visible_line(result.attack.name)}: {said}", style="bold red")
