"""What a repair had come to before it was cut short: kept, so that nothing that was found, or paid for, is lost."""

from __future__ import annotations

from regreen.errors import RegreenError
from regreen.strategies.bench import Bench
from regreen.strategies.handover import best_of
from regreen.strategies.state import State, attempts_of, pack
from regreen.types import Repair, Stop

KEPT = "repair"
"""The name under which an error carries the repair that it ended."""


def cut_short(bench: Bench, state: State, stop: Stop) -> State:
    """The state with which a repair ends early: what passes already is handed over, though not made small."""
    proven = best_of(bench.relied_on, attempts_of(state))
    chosen = state["chosen"] or (pack(proven) if proven else "")
    return State(**{**state, "stop": stop.value, "chosen": chosen})


def keep(error: RegreenError, repair: Repair) -> None:
    """Let an error carry what came of the repair until then."""
    vars(error)[KEPT] = repair


def kept(error: RegreenError) -> Repair | None:
    """What came of the repair that an error ended; None where that is not known."""
    repair = vars(error).get(KEPT)
    return repair if isinstance(repair, Repair) else None
