"""What hostile programs try, as a table: `doctor --attack` and the tests run all of it against a real sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from regreen.sandbox.attacks.answer_hunting import HUNTS
from regreen.sandbox.attacks.attack import BREACH, Attack, LeakDetector
from regreen.sandbox.attacks.credulous_checks import CREDULOUS
from regreen.sandbox.attacks.early_exit import LEAVING
from regreen.sandbox.attacks.forged_messages import MESSAGES
from regreen.sandbox.attacks.host_files import FILES
from regreen.sandbox.attacks.hostile_values import VALUES
from regreen.sandbox.attacks.interpreter_patches import PATCHES
from regreen.sandbox.attacks.kernel_calls import KERNEL
from regreen.sandbox.attacks.leak_monitor import AttackResult, run_attacks
from regreen.sandbox.attacks.leftovers import LEFTOVERS
from regreen.sandbox.attacks.network_access import NETWORK
from regreen.sandbox.attacks.other_processes import PROCESSES
from regreen.sandbox.attacks.resource_use import SPENDING
from regreen.sandbox.attacks.shared_cheating import SHARED
from regreen.sandbox.attacks.shared_deciders import DECIDERS
from regreen.sandbox.attacks.shared_replacements import REPLACEMENTS
from regreen.sandbox.attacks.stalling import STALLING
from regreen.sandbox.attacks.surroundings import SURROUNDINGS

__all__ = ["ATTACKS", "BREACH", "FAMILIES", "Attack", "AttackResult", "LeakDetector", "attacks_on", "run_attacks"]

FAMILIES: Mapping[str, tuple[Attack, ...]] = {
    "stalling": STALLING,
    "leaving": LEAVING,
    "spending": SPENDING,
    "network": NETWORK,
    "files": FILES,
    "processes": PROCESSES,
    "kernel": KERNEL,
    "values": VALUES,
    "hunts": HUNTS,
    "messages": MESSAGES,
    "patches": PATCHES,
    "credulous": CREDULOUS,
    "leftovers": LEFTOVERS,
    "surroundings": SURROUNDINGS,
    "shared": SHARED,
    "deciders": DECIDERS,
    "replacements": REPLACEMENTS,
}

ATTACKS: tuple[Attack, ...] = tuple(row for family in FAMILIES.values() for row in family)


def attacks_on(container_layers: Sequence[str] | None) -> tuple[Attack, ...]:
    """All attacks on what a sandbox promises: a container with these layers, or (with None) any other sandbox."""
    hidden = container_layers is None or "landlock" in container_layers
    return tuple(row for row in ATTACKS if hidden or not row.needs_landlock)
