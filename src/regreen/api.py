"""The functions of `import regreen`: a repair or a whole run in one call."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regreen.config import Settings, load_settings
from regreen.environment import shown_variables, variable_names
from regreen.errors import ConfigError
from regreen.judging import read_checks
from regreen.setting_table import SETTINGS
from regreen.strategies import Event, chosen_name, ignore, repair_task
from regreen.types import Case, ProjectRepair, Repair, Task
from regreen.verify.bindings import guess_entry_point

if TYPE_CHECKING:
    from regreen.evaluate.provenance import Header
    from regreen.evaluate.records import Feedback, Result, ResultLine, RunConfiguration
    from regreen.evaluate.run import RunSummary
    from regreen.evaluate.run_loop import Progress


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
    tests when None). `settings` are those of `load_settings()` when None. `on_event` is called as the repair advances.

    Raises TaskError when the tests cannot be used, ConfigError for a bad setting, SandboxError when the sandbox fails,
    ModelError when a model's service does; `repair` of the last two is the partial result, if the repair had begun.
    Where every red test is red whatever `source` says, that is OutOfReach, a TaskError, or SandboxRefusal, a
    SandboxError, where only the sandbox is in the way; their `obstacles` are the causes.
    """
    task = Task(
        id=module,
        source=source,
        entry_point=entry_point or guess_entry_point(source, tests or ""),
        suite=read_checks(source, tests, entry_point, module),
        statement=statement,
        module=module,
    )
    return repair_task(task, settings=settings or load_settings(), on_event=on_event or ignore)


def repair_project(
    root: str | os.PathLike[str] = ".",
    pytest_args: Sequence[str] = (),
    *,
    model: str | None = None,
    strategy: str | None = None,
    settings: Settings | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> ProjectRepair:
    """Run the tests of the project that the folder `root` is in, and look for the smallest change that turns red ones
    green; the whole suite proves it, in the sandbox, on a copy. No file of the project is written.

    pytest runs in `root` with `pytest_args`. `settings` are those of `load_settings(near=root)` when None; `model` and
    `strategy` take the place of theirs. Without a model, it is a search. `on_event` is called as the repair advances.

    Raises TaskError where there is no project or no test, ConfigError for a bad setting, SandboxError when the sandbox
    fails, ModelError when the model's service does; `project_repair` of the last two is what had been found by then.
    """
    from regreen.strategies.whole_projects.project_repair import repair_whole_project
    from regreen.tasks.project_files import UserPlace
    from regreen.tasks.whole_project import read_whole_project

    folder = Path(root)
    flags = {name: value for name, value in (("model", model), ("strategy", strategy)) if value is not None}
    if settings is None:
        settings = load_settings(flags, near=folder)
    elif flags:
        settings = load_settings({**settings.model_dump(), **flags}, environ={}, near=Path("/"))
    user_place = UserPlace(folder, shown_variables(settings.env), variable_names())
    whole = read_whole_project(folder, pytest_args, user_place)
    return repair_whole_project(whole, settings=settings, on_event=on_event or ignore)


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
    selection: Mapping[str, Any] | None = None,
    progress: Progress[Result, ResultLine] | None = None,
    drain: threading.Event | None = None,
    on_phase: Callable[[str, int, str], object] | None = None,
    tell: Callable[[str], object] | None = None,
) -> RunSummary:
    """Repair `samples` samples of every case into a run folder; returns the counts of the run.

    `dataset` is the name that the records bear, `origin` the files that it was read from ("path", "extra"), seen from
    the run's folder, `selection` what part of it `cases` are, `feedback` the protocol: "none", "examples" or "all". The
    folder holds run.json, results.jsonl and, where a model is asked, the tape of all requests and replies. Once `drain`
    is set, samples under way are finished and none is begun. With `resume`, the run in the folder is continued, with
    more cases where it is given more. With the setting `spread`, repairs run on the nodes of a cluster, and `tell` gets
    a line for what happens to them. On this machine, `on_phase` gets task, number and phase of a sample as it advances,
    and an empty phase at its end.

    Raises ConfigError for settings that do not fit together, RunError for a folder that cannot be used, ModelError
    when no model can be opened, SandboxError when no sandbox can.
    """
    from regreen.evaluate.run import RunOptions, evaluate_cases, open_results
    from regreen.evaluate.run_resources import open_executor, open_run_model

    settings = settings or load_settings()
    configuration = _configuration(settings, dataset, feedback, samples)
    jobs = max(1, len(cases) * samples)
    with (
        open_results(run_dir, configuration, cases, resume=resume, origin=origin, selection=selection) as results,
        open_run_model(settings, run_dir, results.spent) as model,
        open_executor(
            settings, configuration, model, run_dir=run_dir, jobs=jobs, notify=tell, on_phase=on_phase
        ) as executor,
    ):
        return evaluate_cases(cases, executor, configuration, RunOptions(results, progress, drain))


def replay(
    run_dir: Path,
    cases: Sequence[Case],
    out: Path,
    *,
    from_turn: int | None = None,
    model: str | None = None,
    settings: Settings | None = None,
    progress: Progress[Result, ResultLine] | None = None,
    drain: threading.Event | None = None,
) -> RunSummary:
    """Run a recorded run again from its tape into the folder `out`: free, offline, the same candidates.

    `cases` are the run's own. With `from_turn`, each repair asks `model` (the recorded one when None) from that turn
    on, counted from 0; without it, each ends where it was recorded to end, however long that takes. Of `settings`,
    those of this machine and its services count; the others are the run's own. A request that is not on the tape is an
    error in the record, which says how the prompt drifted.

    Raises RunError for a folder without a tape, and what `evaluate` raises.
    """
    from regreen.evaluate.provenance import read_header
    from regreen.evaluate.recorded_ends import recorded_ends
    from regreen.evaluate.result_log import RESULTS, read_results
    from regreen.evaluate.run import RunOptions, evaluate_cases, open_results
    from regreen.evaluate.run_resources import open_replay_model
    from regreen.evaluate.sample_runner import LocalExecutor, open_sample_runner

    header = read_header(run_dir)
    settings = _as_recorded(header, settings or load_settings(), model)
    samples = int(header.settings["samples"])
    configuration = _configuration(settings, header.dataset, str(header.settings["feedback"]), samples)
    ends = None if from_turn is not None else recorded_ends(read_results(run_dir / RESULTS))
    at_once = min(settings.workers if from_turn is None else settings.concurrency, max(1, header.cases))
    with (
        open_results(
            out, configuration, cases, origin=_origin_from(header, run_dir, out), selection=header.selection
        ) as results,
        open_replay_model(settings, run_dir, out, from_turn, results.spent) as taped,
        open_sample_runner(settings, configuration, model=taped, samples_at_once=at_once, ends=ends) as runner,
    ):
        return evaluate_cases(
            cases, LocalExecutor(runner, at_once), configuration, RunOptions(results, progress, drain)
        )


def _origin_from(header: Header, run_dir: Path, out: Path) -> dict[str, str]:
    """The files of a data set that a header names as seen from `run_dir`, as seen from `out`."""
    return {name: os.path.relpath(run_dir / file, out) for name, file in header.origin.items()}


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
        options=settings.model_dump(mode="json", exclude={"env", "allow"}),
    )


def _as_recorded(header: Header, ours: Settings, model: str | None) -> Settings:
    """The settings of a recorded run, but those of the machine and its services, which are ours."""
    from regreen.evaluate.provenance import FREE_TO_CHANGE

    recorded = header.settings["options"]
    here = {key: value for key, value in ours.model_dump().items() if key in FREE_TO_CHANGE | {"python", "layers"}}
    if recorded.get("sandbox") == "docker":
        here |= {key: SETTINGS[key].default() for key in ("python", "layers")}
    return load_settings({**recorded, **here, **({"model": model} if model else {})}, environ={}, near=Path("/"))


def _protocol(name: str) -> Feedback:
    from regreen.evaluate.records import Feedback

    try:
        return Feedback(name)
    except ValueError:
        raise ConfigError(f"--feedback is {name!r}.", remedy=f"It has to be {' or '.join(Feedback)}.") from None
