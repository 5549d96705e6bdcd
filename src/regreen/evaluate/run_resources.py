"""The resources of a run, opened once its folder is locked: the model with its tape, and the executor."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from regreen.config import Settings
from regreen.errors import RunError
from regreen.evaluate.records import ResultLine, RunConfiguration
from regreen.evaluate.result_log import PriorSpending
from regreen.evaluate.run_loop import Executor
from regreen.evaluate.sample_runner import LocalExecutor, SampleJob, open_sample_runner
from regreen.strategies import chosen_name

if TYPE_CHECKING:
    from regreen.models import ChatModel, Meter

TAPE = "cassette.sqlite"
CHECKPOINTS = "checkpoints.sqlite"


@contextlib.contextmanager
def open_run_model(settings: Settings, run_dir: Path, spent: PriorSpending) -> Iterator[ChatModel | None]:
    """The model of a run, recorded on the run's tape, for the block; None where the strategy asks none.

    `spent` counts towards the limits of the run. Raises ModelError where the model cannot be opened.
    """
    if chosen_name(settings) == "search":
        yield None
        return
    from regreen.models import open_model

    with open_model(settings, tape=run_dir / TAPE, meter=_meter(settings, run_dir / TAPE, spent)) as model:
        yield model


@contextlib.contextmanager
def open_replay_model(
    settings: Settings, run_dir: Path, out: Path, from_turn: int | None, spent: PriorSpending
) -> Iterator[ChatModel | None]:
    """The model of the run in `run_dir`, played from its tape, for the block; None where the strategy asks none.

    From turn `from_turn` of each repair, counted from 0, the model itself is asked (None: never), and what it says is
    put on a tape in `out`, together with the turns before. Raises RunError where there is no tape.
    """
    if chosen_name(settings) == "search":
        yield None
        return
    from regreen.models.cassette import recording, replaying

    tape = run_dir / TAPE
    if not tape.exists():
        raise RunError(f"{run_dir} holds no {TAPE}, so there is nothing to replay.", remedy="Check the path.")
    with contextlib.ExitStack() as stack:
        live = None
        if from_turn is not None:
            from regreen.models import open_model

            live = stack.enter_context(open_model(settings, meter=_meter(settings, out / TAPE, spent)))
        player = replaying(tape, live=live, from_turn=from_turn)
        player = player if live is None else recording(player, out / TAPE)
        stack.callback(player.close)
        yield player


def _meter(settings: Settings, tape: Path, spent: PriorSpending) -> Meter:
    """A meter that starts from the run's spending; replies of repairs that did not end are on the tape alone."""
    from regreen.models import Meter, spent_on

    tokens, usd = spent.tokens, spent.usd
    if settings.max_tokens is not None or settings.max_usd is not None:
        taped_tokens, taped_usd = spent_on(tape, settings)
        tokens, usd = max(tokens, taped_tokens), max(usd, taped_usd)
    return Meter(max_tokens=settings.max_tokens, max_usd=settings.max_usd, spent_tokens=tokens, spent_usd=usd)


@contextlib.contextmanager
def open_executor(
    settings: Settings,
    configuration: RunConfiguration,
    model: ChatModel | None,
    *,
    run_dir: Path,
    jobs: int,
    notify: Callable[[str], object] | None = None,
    on_phase: Callable[[str, int, str], object] | None = None,
) -> Iterator[Executor[SampleJob, ResultLine]]:
    """Threads of this process, or the nodes of a cluster, for a run of at most `jobs` samples, for the block.

    Repairs that ask a model and are killed resume from a file in `run_dir`; those on a cluster begin again. `notify`
    gets a line for what happens to nodes, `on_phase`, on this machine, the phase of a sample. Raises SandboxUnavailable
    where no sandbox can be built, ConfigError where a cluster cannot be joined.
    """
    if settings.spread == "ray":
        from regreen.evaluate.spread.cluster_pool import open_cluster_pool

        at_once = None if model is None else settings.concurrency
        with open_cluster_pool(
            settings, configuration, jobs=jobs, at_once=at_once, model=model, notify=notify or (lambda text: None)
        ) as pool:
            yield pool
        return
    at_once = min(_samples_at_once(settings), jobs)
    checkpoints = run_dir / CHECKPOINTS if model else None
    with open_sample_runner(
        settings, configuration, model=model, samples_at_once=at_once, checkpoints=checkpoints
    ) as runner:
        yield LocalExecutor(replace(runner, on_phase=on_phase or runner.on_phase), at_once)


def _samples_at_once(settings: Settings) -> int:
    """One a worker where all is computing; where a model is asked, twice as many as may ask at once.

    While some begin or are judged, the others keep the service busy.
    """
    return settings.workers if chosen_name(settings) == "search" else 2 * settings.concurrency
