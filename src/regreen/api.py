"""What `import regreen` offers: a repair or a verdict in one call, on text instead of files."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from regreen.config import Settings, load_settings
from regreen.errors import ConfigError, RunError, TaskError
from regreen.strategies import Event, chosen_name, ignore, open_strategy, repair_task
from regreen.types import Case, Judge, Repair, Suite, Task, Verdict
from regreen.verify.bindings import guess_entry_point
from regreen.verify.doctests import read_doctests
from regreen.verify.judge import open_judge
from regreen.verify.suites import read_suite

if TYPE_CHECKING:
    from regreen.evaluate import run as runs
    from regreen.evaluate.provenance import Header
    from regreen.evaluate.records import Feedback, RunConfiguration
    from regreen.evaluate.result_log import PriorSpending
    from regreen.models import ChatModel, Meter

TAPE = "cassette.sqlite"
CHECKPOINTS = "checkpoints.sqlite"


def repair(
    source: str,
    tests: str | None = None,
    *,
    entry_point: str | None = None,
    module: str = "program",
    statement: str = "",
    settings: Settings | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Repair:
    """Search for the smallest change of `source` that passes `tests`, and prove it in the sandbox.

    `tests` is the text of a test file, as `regreen fix --tests` takes it; None for the doctest examples in `source`.
    `module` is the name by which the tests import the program, `entry_point` the function to repair (found from the
    tests when None). `settings` are those of `load_settings()` when None. `on_event` hears of the progress.

    Raises TaskError when the tests cannot be used, ConfigError for a bad setting, SandboxError when the sandbox fails,
    ModelError when a model's service does; `repair` of the last two is what the repair had come to, if it had begun.
    """
    task = Task(
        id=module,
        source=source,
        entry_point=entry_point or guess_entry_point(source, tests or ""),
        suite=_suite(source, tests, entry_point, module),
        statement=statement,
        module=module,
    )
    return repair_task(task, settings=settings or load_settings(), on_event=on_event or ignore)


def judge(
    source: str,
    checks: str | None = None,
    *,
    entry_point: str | None = None,
    module: str = "program",
    settings: Settings | None = None,
) -> Verdict:
    """Run every check against `source` in the sandbox, each by itself, and say what it showed.

    `checks` is the text of a test file; None for the doctest examples in `source`. The other arguments, and what is
    raised, are as for `repair`.
    """
    settings = settings or load_settings()
    suite = _suite(source, checks, entry_point, module)
    with open_judge(layers=settings.layers, python=settings.python) as sandbox:
        return sandbox.judge(source, suite, settings.limits)


def evaluate(
    cases: Sequence[Case],
    run_dir: Path,
    *,
    dataset: str,
    feedback: str = "all",
    samples: int = 1,
    resume: bool = False,
    settings: Settings | None = None,
    origin: Mapping[str, str] | None = None,
    progress: runs.Progress | None = None,
    drain: threading.Event | None = None,
    tell: Callable[[str], object] | None = None,
) -> runs.RunSummary:
    """Repair `samples` samples of every case into a run folder, and say what it came to.

    `dataset` is the name that the records bear, `origin` the files that it was read from ("path", "extra"), `feedback`
    the protocol: "none", "examples" or "all". The folder holds run.json, results.jsonl and, where a model is asked, the
    tape of all that was said. Once `drain` is set, what is under way is finished and nothing more is begun. With
    `resume`, a run in the folder is gone on with. With the setting `spread`, repairs run on the nodes of a cluster, and
    `tell` hears of them.

    Raises ConfigError for settings that do not fit together, RunError for a folder that cannot be used, ModelError
    when no model can be opened, SandboxError when no sandbox can.
    """
    from regreen.evaluate import run as runs

    settings = settings or load_settings()
    configuration = _configuration(settings, dataset, feedback, samples)
    jobs = max(1, len(cases) * samples)
    if settings.spread == "ray":
        return runs.evaluate_by(
            lambda spent: _spread(
                settings, configuration, jobs, _live(settings, run_dir, spent), tell or (lambda text: None)
            ),
            cases,
            run_dir,
            configuration,
            resume=resume,
            progress=progress,
            drain=drain,
            origin=origin,
        )
    at_once = min(_tasks_at_once(settings), jobs)
    return runs.evaluate_with(
        lambda spent: _equipped(settings, at_once, _live(settings, run_dir, spent), run_dir),
        cases,
        run_dir,
        configuration,
        limits=settings.limits,
        workers=at_once,
        resume=resume,
        progress=progress,
        drain=drain,
        origin=origin,
    )


def replay(
    run_dir: Path,
    cases: Sequence[Case],
    out: Path,
    *,
    from_turn: int | None = None,
    model: str | None = None,
    settings: Settings | None = None,
    progress: runs.Progress | None = None,
    drain: threading.Event | None = None,
) -> runs.RunSummary:
    """Run a recorded run again from its tape into the folder `out`: free, offline, the same candidates.

    `cases` are the run's own. With `from_turn`, each repair goes on live from that turn, counted from 0, and asks
    `model` (the recorded one when None). `settings` say how this machine works; what decides about candidates is the
    run's own. What is asked and is not on the tape is an error in the record, which says how the prompt drifted.

    Raises RunError for a folder without a tape, and what `evaluate` raises.
    """
    from regreen.evaluate import run as runs
    from regreen.evaluate.provenance import read_header

    header = read_header(run_dir)
    settings = _as_recorded(header, settings or load_settings(), model)
    at_once = min(settings.workers if from_turn is None else settings.concurrency, max(1, header.cases))
    return runs.evaluate_with(
        lambda spent: _equipped(settings, at_once, _played(settings, run_dir, out, from_turn, spent)),
        cases,
        out,
        _configuration(settings, header.dataset, str(header.settings["feedback"]), int(header.settings["samples"])),
        limits=settings.limits,
        workers=at_once,
        progress=progress,
        drain=drain,
        origin=header.origin,
    )


def _configuration(settings: Settings, dataset: str, feedback: str, samples: int) -> RunConfiguration:
    from regreen.evaluate.records import RunConfiguration

    name = chosen_name(settings)
    return RunConfiguration(
        dataset,
        name,
        _protocol(feedback),
        model=settings.model if name != "search" else None,
        seed=settings.seed,
        samples=samples,
        options=settings.model_dump(mode="json"),
    )


def _as_recorded(header: Header, ours: Settings, model: str | None) -> Settings:
    """The settings of a recorded run, with those that belong to a machine or a service from here."""
    from regreen.evaluate.provenance import FREE_TO_CHANGE

    recorded = header.settings["options"]
    here = {key: value for key, value in ours.model_dump().items() if key in FREE_TO_CHANGE | {"python", "layers"}}
    return load_settings({**recorded, **here, **({"model": model} if model else {})}, environ={}, near=Path("/"))


@contextlib.contextmanager
def _live(settings: Settings, run_dir: Path, spent: PriorSpending) -> Iterator[ChatModel | None]:
    """The model of a run, with its tape; None where the strategy asks none."""
    if chosen_name(settings) == "search":
        yield None
        return
    from regreen.models import open_model

    with open_model(settings, tape=run_dir / TAPE, meter=_meter(settings, run_dir / TAPE, spent)) as model:
        yield model


def _meter(settings: Settings, tape: Path, spent: PriorSpending) -> Meter:
    """A meter that begins with what the run has spent: tasks that did not end left their replies on the tape alone."""
    from regreen.models import Meter, spent_on

    tokens, usd = spent.tokens, spent.usd
    if settings.max_tokens is not None or settings.max_usd is not None:
        taped_tokens, taped_usd = spent_on(tape, settings)
        tokens, usd = max(tokens, taped_tokens), max(usd, taped_usd)
    return Meter(max_tokens=settings.max_tokens, max_usd=settings.max_usd, spent_tokens=tokens, spent_usd=usd)


@contextlib.contextmanager
def _played(
    settings: Settings, run_dir: Path, out: Path, from_turn: int | None, spent: PriorSpending
) -> Iterator[ChatModel | None]:
    """The model of a recorded run, played from its tape, live from a turn on where that is asked for.

    What is asked live is put on a tape of the new run, together with what came before.
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


def _tasks_at_once(settings: Settings) -> int:
    """A task a worker where all is computing; where a model is asked, twice as many as may ask at once.

    While some are begun or judged, the others keep the service busy.
    """
    return settings.workers if chosen_name(settings) == "search" else 2 * settings.concurrency


@contextlib.contextmanager
def _equipped(
    settings: Settings, at_once: int, asked: AbstractContextManager[ChatModel | None], run_dir: Path | None = None
) -> Iterator[tuple[runs.Strategy, Judge]]:
    """The strategy and the judge of a run; with `run_dir`, tasks that are killed go on from where they were."""
    from regreen.strategies.collector import rare_collections
    from regreen.strategies.resources import open_resources

    with rare_collections(), asked as model, open_resources(settings, tasks_at_once=at_once) as resources:
        checkpoints = run_dir / CHECKPOINTS if run_dir and model else None
        with open_strategy(settings, resources, model=model, checkpoints=checkpoints) as strategy:
            yield strategy.repair, resources.judge


@contextlib.contextmanager
def _spread(
    settings: Settings,
    configuration: RunConfiguration,
    jobs: int,
    asked: AbstractContextManager[ChatModel | None],
    tell: Callable[[str], object],
) -> Iterator[runs.Hands]:
    """Hands on the nodes of a cluster; the model is asked, and its tape kept, by this process."""
    from regreen.evaluate.spread.cluster_pool import open_cluster_pool

    with asked as model:
        at_once = None if model is None else settings.concurrency
        with open_cluster_pool(settings, configuration, jobs=jobs, at_once=at_once, model=model, notify=tell) as hands:
            yield hands


def _protocol(name: str) -> Feedback:
    from regreen.evaluate.records import Feedback

    try:
        return Feedback(name)
    except ValueError:
        raise ConfigError(f"--feedback is {name!r}.", remedy=f"It has to be {' or '.join(Feedback)}.") from None


def _suite(source: str, tests: str | None, entry_point: str | None, module: str) -> Suite:
    if tests is not None:
        return read_suite(tests, program=source, module=module, entry_point=entry_point)
    suite = read_doctests(source, module=module, entry_point=entry_point)
    if suite is None:
        raise TaskError("there are no tests, and the program has no doctest examples.", remedy="Give some tests.")
    return suite
