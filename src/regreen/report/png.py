"""The picture of a report: charts that can be read without colours, too."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regreen.errors import ConfigError
from regreen.evaluate.records import Result
from regreen.report import formatting, series
from regreen.report.atomic_write import atomic_write
from regreen.report.gather import RunReport
from regreen.report.run_reader import IterationSpending
from regreen.report.run_statistics import LabelGroup
from regreen.report.safe_text import visible_line
from regreen.report.series import Curve, TaskValues

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_REMEDY = "Install it with: pip install 'regreen[plots]'"
_INK, _SOFT, _LINE, _ACCENT = "#1d2021", "#5c6365", "#dededa", "#0f7048"
_FACES = {Result.FIXED: _ACCENT, Result.OVERFITTED: "#9fd4ba", Result.UNFIXED: "#c4c8c8", Result.ERROR: "#ffffff"}
_HATCHES = {Result.FIXED: "", Result.OVERFITTED: "////", Result.UNFIXED: "", Result.ERROR: "...."}
_MARKS = {Result.FIXED: "o", Result.OVERFITTED: "D", Result.UNFIXED: "s", Result.ERROR: "x"}
_RUN_COLOURS = (_SOFT, _ACCENT, "#5b4b8a", "#8a5a12", "#275c86", "#7a2f4d")
_RUN_STYLES: tuple[Any, ...] = ("--", "-", ":", "-.", (0, (8, 2)), (0, (1, 1)))
_RUN_MARKS = "soD^vP"
_MAX_KINDS = 14
_LARGE_CHARACTERS = 100
"""Up to this length of its lines the title is large."""
_LINE_INCHES = 0.26
"""Height of a line of the title."""
_SPENDING_INCHES = 4.3
"""Height of the charts of what a model's replies took."""
_LINE_CHARACTERS, _LEGEND_CHARACTERS, _NOTE_CHARACTERS = 126, 34, 60
"""The longest line of the title, the longest name in a legend, and the longest note below a chart."""
_STYLE: dict[str, Any] = {
    "font.size": 10,
    "text.color": _INK,
    "axes.labelcolor": _SOFT,
    "axes.edgecolor": _LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.axisbelow": True,
    "xtick.color": _SOFT,
    "ytick.color": _SOFT,
    "grid.color": _LINE,
    "hatch.linewidth": 0.7,
    "text.parse_math": False,
    "figure.facecolor": "white",
    "svg.fonttype": "none",
}


def write_picture(report: RunReport, path: Path) -> Path:
    """Draw the charts of a report. Raises ConfigError where matplotlib is not installed."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError:
        raise ConfigError("report.png was not drawn: matplotlib is not installed.", remedy=_REMEDY) from None
    with rc_context(_STYLE):  # type: ignore[arg-type]
        # Each run has its line above the charts, however many there are.
        height = 9.5 + _LINE_INCHES * max(0, len(report.runs) - 1) + (_SPENDING_INCHES if _spending(report) else 0)
        figure = Figure(figsize=(13.5, height), layout=ConstrainedLayoutEngine(w_pad=0.18, h_pad=0.16))
        _draw(figure, report)
        with atomic_write(path) as fresh:
            figure.savefig(fresh, dpi=150, format="png")
    return path


def _draw(figure: Figure, report: RunReport) -> None:
    title = title_of(report)
    size = 14 if max(map(len, title.split("\n"))) < _LARGE_CHARACTERS else 11
    figure.suptitle(title, x=0.012, ha="left", fontsize=size, fontweight="bold")
    # Each row by itself: long names in one of them do not narrow the other.
    spending = _spending(report)
    above, below, *last = figure.subfigures(2 + bool(spending), 1)  # type: ignore[misc]
    rates, groups = above.subplots(1, 2)
    seconds, tokens = below.subplots(1, 2)
    _rates(rates, report)
    _kinds(groups, report)
    alone = len(report.runs) == 1
    _tasks(seconds, series.seconds_by_task(report), "Time by task", "seconds", alone=alone)
    _tasks(tokens, series.tokens_by_task(report), "Tokens by task", "tokens", alone=alone)
    for row in last:
        charts = row.subplots(1, len(spending), squeeze=False)[0]
        for axes, (what, curves) in zip(charts, spending.items(), strict=True):
            _spent(axes, what, curves, alone=alone, legend=axes is charts[-1])


def _spending(report: RunReport) -> dict[str, list[Curve]]:
    """What is known of what the model's replies took by each iteration, under its unit."""
    measures: dict[str, Callable[[IterationSpending], float | None]] = {
        "tokens": lambda of: of.tokens,
        "seconds": lambda of: of.seconds,
        "US dollars": lambda of: of.usd,
    }
    found = {what: series.spending_curves(report, measure) for what, measure in measures.items()}
    return {what: curves for what, curves in found.items() if curves}


def _spent(axes: Axes, what: str, curves: Sequence[Curve], *, alone: bool, legend: bool) -> None:
    axes.set_title(f"Model: {what} by iteration")
    for curve in curves:
        _curve(axes, curve, 1 if alone else curve.run % len(_RUN_COLOURS))
    axes.set(xlabel="iteration (0 is the first attempt)", ylabel=f"{what} a sample")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(_formatter(lambda value: f"{value:,.10g}"))
    _whole_iterations(axes, curves)
    axes.grid(axis="y")
    if legend and not alone:
        _legend_beside(axes)


def _whole_iterations(axes: Axes, curves: Sequence[Curve]) -> None:
    """Ticks at iterations, a dozen at most; a single one stands in the middle."""
    xs = sorted({point.x for curve in curves for point in curve.points})
    axes.set_xticks(xs[:: math.ceil(len(xs) / 12)])
    if len(xs) == 1:
        axes.set_xlim(xs[0] - 1, xs[0] + 1)


def title_of(report: RunReport) -> str:
    """A line for each run: name, setup and pass@1."""
    told = []
    for run, statistics in report.with_statistics:
        rate = statistics.rates.get("fixed")
        setup = formatting.setup_text(next(iter(statistics.setups))) if statistics.setups else "no results yet"
        note = f" – pass@1 {formatting.rate_text(rate)}" if rate else ""  # noqa: RUF001
        credit = formatting.credit_text(statistics)
        told.append(_cut(f"{formatting.run_name(run)}: {setup}", note))
        told += [f"    {_cut(credit, '')}"] if credit and len(report.runs) == 1 else []
    return "\n".join(told)


def _cut(names: str, figures: str) -> str:
    """Names and figures on one line: names give way, figures never."""
    room = _LINE_CHARACTERS - len(figures)
    return (names if len(names) <= room else f"{names[: room - 1]}\N{HORIZONTAL ELLIPSIS}") + figures


def _rates(axes: Axes, report: RunReport) -> None:
    """pass@1 by iteration; pass@k where no iteration is recorded and there are several samples."""
    curves, what = series.iteration_curves(report), "iteration (0 is the first attempt)"
    if not curves:
        curves, what = series.pass_curves(report), "k"
    axes.set_title("pass@1 after each iteration" if what != "k" else "pass@k")
    if not curves:
        return _nothing(axes, "Of no fix is it known in which iteration it came.")
    alone = len(report.runs) == 1
    for curve in curves:
        _curve(axes, curve, 1 if alone else curve.run % len(_RUN_COLOURS))
    # A curve that stays at 0 % has to be seen.
    axes.set(xlabel=what, ylim=(-0.03, 1.03))
    axes.yaxis.set_major_formatter(_formatter(lambda value: f"{value * 100:.0f} %"))
    _whole_iterations(axes, curves)
    axes.grid(axis="y")
    if not alone:
        _legend_beside(axes)
    return None


def _curve(axes: Axes, curve: Curve, place: int) -> None:
    xs, values = [point.x for point in curve.points], [point.value for point in curve.points]
    colour = _RUN_COLOURS[place]
    lows, highs = [point.low for point in curve.points], [point.high for point in curve.points]
    name = visible_line(curve.name, 60)
    axes.plot(xs, values, color=colour, linestyle=_RUN_STYLES[place], marker=_RUN_MARKS[place], label=name, linewidth=2)
    axes.fill_between(xs, lows, highs, color=colour, alpha=0.12, linewidth=0)
    axes.vlines(xs, lows, highs, color=colour, alpha=0.5, linewidth=1)


def _kinds(axes: Axes, report: RunReport) -> None:
    """Outcomes by the first label; bars of several runs lie above one another."""
    from matplotlib.ticker import MaxNLocator

    label = next((name for statistics in report.statistics for name in statistics.groups), "")
    axes.set_title(f"Outcomes by {visible_line(label.replace('_', ' '), 40)}" if label else "Outcomes by kind of bug")
    if not label:
        return _nothing(axes, "The tasks have no labels.")
    by_run = [{kind.value: kind for kind in statistics.groups.get(label, ())} for statistics in report.statistics]
    names = list(dict.fromkeys(name for groups in by_run for name in groups))
    shown = names[:_MAX_KINDS]
    height = 0.74 / len(by_run)
    for place, groups in enumerate(by_run):
        shift = (place - (len(by_run) - 1) / 2) * height
        _bars(axes, [groups.get(name) for name in shown], [y + shift for y in range(len(shown))], height * 0.86)
    axes.set_yticks(range(len(shown)), [visible_line(name, 34) for name in shown])
    axes.invert_yaxis()
    notes = list(_bar_notes(report, len(names) - len(shown)))
    axes.set_xlabel("\n".join(notes))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlim(0, max(sum(kind.outcomes.values()) for groups in by_run for kind in groups.values()) * 1.03)
    axes.tick_params(axis="y", length=0, labelcolor=_INK)
    axes.grid(axis="x")
    _outcome_legend(axes, by_run, len(notes))
    return None


def _bar_notes(report: RunReport, left_out: int) -> Iterator[str]:
    yield "samples"
    if len(report.runs) > 1:
        names = ", ".join(formatting.run_name(run) for run in report.runs)
        yield f"from above: {names}" if len(names) <= _NOTE_CHARACTERS else "bars from above: the runs in their order"
    if left_out:
        yield f"({left_out} more groups are not shown)"


def _bars(axes: Axes, groups: Sequence[LabelGroup | None], ys: Sequence[float], height: float) -> None:
    starts = [0] * len(groups)
    for result in Result:
        widths = [kind.outcomes.get(result, 0) if kind else 0 for kind in groups]
        axes.barh(
            ys, widths, height, starts, color=_FACES[result], hatch=_HATCHES[result], edgecolor=_INK, linewidth=0.5
        )
        starts = [start + width for start, width in zip(starts, widths, strict=True)]


def _outcome_legend(axes: Axes, by_run: Sequence[dict[str, LabelGroup]], notes: int) -> None:
    from matplotlib.patches import Patch

    used = [r for r in Result if any(kind.outcomes.get(r) for groups in by_run for kind in groups.values())]
    patches = [
        Patch(facecolor=_FACES[r], hatch=_HATCHES[r], edgecolor=_INK, linewidth=0.5, label=r.value) for r in used
    ]
    place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.09 - 0.06 * notes), "ncols": 4}
    axes.legend(handles=patches, frameon=False, columnspacing=1.2, handlelength=1.4, **place)


def _tasks(axes: Axes, runs: Sequence[TaskValues], title: str, unit: str, *, alone: bool) -> None:
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set_title(title)
    if not runs:
        return _nothing(axes, f"No {unit} were spent." if unit == "tokens" else f"No {unit} are recorded.")
    if alone:
        _dots(axes, runs[0])
    else:
        for run in runs:
            values = [value.value for value in run.values]
            name = visible_line(run.name, 60)
            place = run.run % len(_RUN_COLOURS)
            axes.plot(values, color=_RUN_COLOURS[place], linestyle=_RUN_STYLES[place], linewidth=2, label=name)
    axes.set(yscale="log", xlabel="tasks, the greediest first", ylabel=unit)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(_formatter(lambda value: f"{value:,.10g}"))
    axes.set_xticks([])
    axes.grid(axis="y")
    _legend_beside(axes)
    return None


def _legend_beside(axes: Axes) -> None:
    """A legend to the right of a chart, over nothing; long names in it are cut."""
    handles, names = axes.get_legend_handles_labels()
    shown = [
        name if len(name) <= _LEGEND_CHARACTERS else f"{name[: _LEGEND_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
        for name in names
    ]
    axes.legend(handles, shown, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=9)


def _dots(axes: Axes, run: TaskValues) -> None:
    for result in Result:
        places = [(place, value.value) for place, value in enumerate(run.values) if value.outcome is result]
        if places:
            xs, ys = zip(*places, strict=True)
            # A cross is all edge: it takes its colour from its face.
            edge: dict[str, Any] = {} if result is Result.ERROR else {"edgecolor": _INK, "linewidth": 0.4}
            face = _INK if result is Result.ERROR else _FACES[result]
            axes.scatter(xs, ys, s=22, marker=_MARKS[result], color=face, label=result.value, **edge)


def _nothing(axes: Axes, why: str) -> None:
    axes.text(0.5, 0.5, why, ha="center", va="center", color=_SOFT, transform=axes.transAxes)
    axes.set_axis_off()


def _formatter(show: Callable[[float], str]) -> Any:
    from matplotlib.ticker import FuncFormatter

    return FuncFormatter(lambda value, _: show(value))
