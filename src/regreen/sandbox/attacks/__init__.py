"""What hostile programs try, as a table: `doctor --attack` and the tests run all of it against a real sandbox."""

from __future__ import annotations

from collections.abc import Mapping

from regreen.sandbox.attacks.arena import Fight, run_attacks
from regreen.sandbox.attacks.files import FILES
from regreen.sandbox.attacks.hunts import HUNTS
from regreen.sandbox.attacks.kernel import KERNEL
from regreen.sandbox.attacks.leaving import LEAVING
from regreen.sandbox.attacks.messages import MESSAGES
from regreen.sandbox.attacks.network import NETWORK
from regreen.sandbox.attacks.nouns import BREACH, Attack, Witness
from regreen.sandbox.attacks.patches import PATCHES
from regreen.sandbox.attacks.processes import PROCESSES
from regreen.sandbox.attacks.shared import SHARED
from regreen.sandbox.attacks.spending import SPENDING
from regreen.sandbox.attacks.stalling import STALLING
from regreen.sandbox.attacks.values import VALUES

__all__ = ["ATTACKS", "BREACH", "FAMILIES", "Attack", "Fight", "Witness", "run_attacks"]

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
    "shared": SHARED,
}

ATTACKS: tuple[Attack, ...] = tuple(row for family in FAMILIES.values() for row in family)
