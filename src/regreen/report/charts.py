"""The charts of the page, as SVG text: positions across are shares of the width, colours come from the style sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from regreen.evaluate.paired import PassRateDifference
from regreen.evaluate.records import Result
from regreen.report.formatting import interval_text, percent
from regreen.report.safe_text import visible_line
from regreen.report.series import Curve, Point, TaskValues

_Attribute = str | float | int

_HEIGHT = 230
_TOP, _BOTTOM = 18.0, 200.0
_LEFT, _RIGHT = 0.09, 0.97
_MARK = 3.2
RUN_COLOURS = 6
"""Number of colours and dash patterns of the style sheet; the seventh run has those of the first."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The horizontal scale of a chart: a value's place as a share of the width."""

    first: float
    last: float

    def x(self, value: float) -> float:
        """The share of the width; a single value stands in the middle."""
        if self.last == self.first:
            return (_LEFT + _RIGHT) / 2
        return _LEFT + (_RIGHT - _LEFT) * (value - self.first) / (self.last - self.first)


def down(share: float) -> float:
    """The height of a share from 0 (below) to 1 (above)."""
    return _BOTTOM - (_BOTTOM - _TOP) * share


def rate_chart(curves: Sequence[Curve], label: str) -> str:
    """Rates in percent against whole numbers, with their intervals; a dash pattern for each run."""
    xs = [point.x for curve in curves for point in curve.points]
    scale = Scale(min(xs), max(xs))
    parts = [*_grid({share / 4: f"{share * 25} %" for share in range(5)}), *_numbers(sorted(set(xs)), scale)]
    for place, curve in enumerate(curves):
        shift = (place - (len(curves) - 1) / 2) * 0.008
        parts.append(_element("g", *_curve(curve, scale, shift), class_=f"run run{curve.run % RUN_COLOURS}"))
    return _chart(label, parts)


def task_chart(runs: Sequence[TaskValues], label: str, unit: str, *, alone: bool) -> str:
    """Seconds or tokens of each task, the greatest first, on a logarithmic scale; an `alone` run by outcome."""
    values = [value.value for run in runs for value in run.values]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    parts = [*_grid({(power - low) / (high - low): _power(power, unit) for power in _few(low, high)})]
    for run in runs:
        marks = _task_marks(run, low, high, unit, by_outcome=alone)
        parts.append(_element("g", *marks, class_=f"dots run{run.run % RUN_COLOURS}"))
    return _chart(label, parts)


def outcome_bar(outcomes: Mapping[Result, int]) -> str:
    """A bar divided by outcome."""
    total = sum(outcomes.values())
    parts, start = [], 0.0
    for result in Result:
        share = outcomes.get(result, 0) / total if total else 0.0
        if share:
            title = _element("title", _content(f"{result.value}: {outcomes[result]:,} of {total:,}"))
            place: dict[str, _Attribute] = {"x": _across(start), "width": _across(share), "y": 0, "height": "100%"}
            parts.append(_element("rect", title, class_=result.value, **place))
        start += share
    told = ", ".join(f"{result.value} {outcomes.get(result, 0):,}" for result in Result)
    return _element("svg", *parts, class_="bar", role="img", aria_label=told)


def interval_bar(value: float, low: float, high: float) -> str:
    """A rate between 0 and 100 % with its interval."""
    told = f"{percent(value)}, 95 % interval {interval_text(low, high)}"
    return _element(
        "svg",
        _element("line", class_="axis", x1="0%", x2="100%", y1="50%", y2="50%"),
        _element("rect", class_="span", x=_across(low), width=_across(high - low), y="30%", height="40%", rx=3),
        _element("circle", class_="at", cx=_across(value), cy="50%", r=5),
        class_="interval",
        role="img",
        aria_label=told,
    )


def bounds_bar(low: float, high: float) -> str:
    """The bounds between which a rate still may end."""
    return _element(
        "svg",
        _element("line", class_="axis", x1="0%", x2="100%", y1="50%", y2="50%"),
        _element("rect", class_="span", x=_across(low), width=_across(max(high - low, 0.002)), y="30%", height="40%"),
        class_="interval",
        role="img",
        aria_label=f"between {interval_text(low, high)} %",
    )


def difference_bar(of: PassRateDifference) -> str:
    """A difference between -100 and +100 points with its interval, and a line at 0."""
    value = of.value
    low, high = (value if end is None else end for end in (of.low, of.high))
    reach = max(abs(low), abs(high), 0.05) * 1.1
    low, value, high = ((end / reach + 1) / 2 for end in (low, value, high))
    return _element(
        "svg",
        _element("line", class_="axis", x1="0%", x2="100%", y1="50%", y2="50%"),
        _element("line", class_="zero", x1="50%", x2="50%", y1="10%", y2="90%"),
        _element(
            "rect", class_="span", x=_across(low), width=_across(max(high - low, 0.002)), y="30%", height="40%", rx=3
        ),
        _element("circle", class_="at", cx=_across(value), cy="50%", r=5),
        class_="interval",
        aria_hidden="true",
    )


def _chart(label: str, parts: Sequence[str]) -> str:
    return _element("svg", *parts, class_="chart", height=_HEIGHT, role="img", aria_label=label)


def _grid(lines: Mapping[float, str]) -> Iterator[str]:
    for share, name in lines.items():
        y = down(share)
        yield _element("line", class_="grid", x1="0%", x2="100%", y1=y, y2=y)
        yield _element("text", _content(name), class_="tick", x=0, y=y - 4)


def _numbers(xs: Sequence[float], scale: Scale) -> Iterator[str]:
    step = max(math.ceil(len(xs) / 12), 1)
    for x in xs[::step]:
        yield _element(
            "text", _content(f"{x:g}"), class_="tick", x=_across(scale.x(x)), y=_BOTTOM + 20, text_anchor="middle"
        )


def _curve(curve: Curve, scale: Scale, shift: float) -> Iterator[str]:
    places = [(scale.x(point.x) + shift, point) for point in curve.points]
    for (x, point), (x2, point2) in pairwise(places):
        ends: dict[str, _Attribute] = {
            "x1": _across(x),
            "y1": down(point.value),
            "x2": _across(x2),
            "y2": down(point2.value),
        }
        yield _element("line", class_="line", **ends)
    for x, point in places:
        at: dict[str, _Attribute] = {"x1": _across(x), "x2": _across(x), "y1": down(point.low), "y2": down(point.high)}
        yield _element("line", class_="whisker", **at)
        yield _element(
            "circle",
            _element("title", _told(curve, point)),
            class_="mark",
            cx=_across(x),
            cy=down(point.value),
            r=_MARK,
        )


def _told(curve: Curve, point: Point) -> str:
    return _content(f"{curve.name}, {point.x:g}: {percent(point.value)} ({interval_text(point.low, point.high)})")


def _task_marks(run: TaskValues, low: int, high: int, unit: str, *, by_outcome: bool) -> Iterator[str]:
    scale = Scale(0, max(len(run.values) - 1, 1))
    for place, value in enumerate(run.values):
        title = _element("title", _content(f"{value.task}: {value.value:,.4g} {unit}, {value.outcome.value}"))
        y = down((math.log10(value.value) - low) / (high - low))
        kind = value.outcome.value if by_outcome else "mark"
        yield _element("circle", title, class_=kind, cx=_across(scale.x(place)), cy=y, r=_MARK - 0.4)


def _few(low: int, high: int) -> range:
    return range(low, high + 1, max(math.ceil((high - low) / 6), 1))


def _power(power: int, unit: str) -> str:
    return f"{10**power:,} {unit}" if power >= 0 else f"{10**power:.{-power}f} {unit}"


def _element(name: str, *children: str, **attributes: _Attribute) -> str:
    """One element; an underscore in the name of an attribute stands for "-", one at its end for nothing."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(children)}</{name}>"


def _content(text: str) -> str:
    """Text as the content of an element, on one line."""
    return escape(visible_line(text, 120))


def _across(share: float) -> str:
    """A position from 0 (left) to 1 (right)."""
    return f"{share * 100:.3f}".rstrip("0").rstrip(".") + "%"


def _plain(value: _Attribute) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
