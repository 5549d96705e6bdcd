"""The charts of the page, as SVG that follows the width of its place and the colours of its style sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from regreen.evaluate.paired import PassRateDifference
from regreen.evaluate.records import Result
from regreen.report.formatting import interval_text, percent
from regreen.report.series import Curve, Point, TaskValues
from regreen.report.svg import Attribute, across, element, words

_HEIGHT = 230
_TOP, _BOTTOM = 18.0, 200.0
_LEFT, _RIGHT = 0.09, 0.97
_MARK = 3.2


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values from 0 to 1 stand across and down."""

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
        parts.append(element("g", *_curve(curve, scale, shift), class_=f"run run{curve.run}"))
    return _chart(label, parts)


def task_chart(runs: Sequence[TaskValues], label: str, unit: str, *, alone: bool) -> str:
    """What each task took, the greediest first, on a scale of powers of ten; an `alone` run by outcome."""
    values = [value.value for run in runs for value in run.values]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    parts = [*_grid({(power - low) / (high - low): _power(power, unit) for power in _few(low, high)})]
    for run in runs:
        marks = _task_marks(run, low, high, unit, by_outcome=alone)
        parts.append(element("g", *marks, class_=f"dots run{run.run}"))
    return _chart(label, parts)


def outcome_bar(outcomes: Mapping[Result, int]) -> str:
    """A bar cut into outcomes."""
    total = sum(outcomes.values())
    parts, start = [], 0.0
    for result in Result:
        share = outcomes.get(result, 0) / total if total else 0.0
        if share:
            title = element("title", words(f"{result.value}: {outcomes[result]:,} of {total:,}"))
            place: dict[str, Attribute] = {"x": across(start), "width": across(share), "y": 0, "height": "100%"}
            parts.append(element("rect", title, class_=result.value, **place))
        start += share
    told = ", ".join(f"{result.value} {outcomes.get(result, 0):,}" for result in Result)
    return element("svg", *parts, class_="bar", role="img", aria_label=told)


def interval_bar(value: float, low: float, high: float) -> str:
    """A rate between 0 and 100 % with its interval."""
    told = f"{percent(value)}, 95 % interval {interval_text(low, high)}"
    return element(
        "svg",
        element("line", class_="axis", x1="0%", x2="100%", y1="50%", y2="50%"),
        element("rect", class_="span", x=across(low), width=across(high - low), y="30%", height="40%", rx=3),
        element("circle", class_="at", cx=across(value), cy="50%", r=5),
        class_="interval",
        role="img",
        aria_label=told,
    )


def difference_bar(of: PassRateDifference) -> str:
    """A difference between -100 and +100 points with its interval, and where none would be."""
    value = of.value
    low, high = (value if end is None else end for end in (of.low, of.high))
    reach = max(abs(low), abs(high), 0.05) * 1.1
    low, value, high = ((end / reach + 1) / 2 for end in (low, value, high))
    return element(
        "svg",
        element("line", class_="axis", x1="0%", x2="100%", y1="50%", y2="50%"),
        element("line", class_="zero", x1="50%", x2="50%", y1="10%", y2="90%"),
        element(
            "rect", class_="span", x=across(low), width=across(max(high - low, 0.002)), y="30%", height="40%", rx=3
        ),
        element("circle", class_="at", cx=across(value), cy="50%", r=5),
        class_="interval",
        aria_hidden="true",
    )


def _chart(label: str, parts: Sequence[str]) -> str:
    return element("svg", *parts, class_="chart", height=_HEIGHT, role="img", aria_label=label)


def _grid(lines: Mapping[float, str]) -> Iterator[str]:
    for share, name in lines.items():
        y = down(share)
        yield element("line", class_="grid", x1="0%", x2="100%", y1=y, y2=y)
        yield element("text", words(name), class_="tick", x=0, y=y - 4)


def _numbers(xs: Sequence[float], scale: Scale) -> Iterator[str]:
    step = max(math.ceil(len(xs) / 12), 1)
    for x in xs[::step]:
        yield element(
            "text", words(f"{x:g}"), class_="tick", x=across(scale.x(x)), y=_BOTTOM + 20, text_anchor="middle"
        )


def _curve(curve: Curve, scale: Scale, shift: float) -> Iterator[str]:
    places = [(scale.x(point.x) + shift, point) for point in curve.points]
    for (x, point), (x2, point2) in pairwise(places):
        ends: dict[str, Attribute] = {
            "x1": across(x),
            "y1": down(point.value),
            "x2": across(x2),
            "y2": down(point2.value),
        }
        yield element("line", class_="line", **ends)
    for x, point in places:
        at: dict[str, Attribute] = {"x1": across(x), "x2": across(x), "y1": down(point.low), "y2": down(point.high)}
        yield element("line", class_="whisker", **at)
        yield element(
            "circle", element("title", _told(curve, point)), class_="mark", cx=across(x), cy=down(point.value), r=_MARK
        )


def _told(curve: Curve, point: Point) -> str:
    return words(f"{curve.name}, {point.x:g}: {percent(point.value)} ({interval_text(point.low, point.high)})")


def _task_marks(run: TaskValues, low: int, high: int, unit: str, *, by_outcome: bool) -> Iterator[str]:
    scale = Scale(0, max(len(run.values) - 1, 1))
    for place, value in enumerate(run.values):
        title = element("title", words(f"{value.task}: {value.value:,.4g} {unit}, {value.outcome.value}"))
        y = down((math.log10(value.value) - low) / (high - low))
        kind = value.outcome.value if by_outcome else "mark"
        yield element("circle", title, class_=kind, cx=across(scale.x(place)), cy=y, r=_MARK - 0.4)


def _few(low: int, high: int) -> range:
    return range(low, high + 1, max(math.ceil((high - low) / 6), 1))


def _power(power: int, unit: str) -> str:
    return f"{10**power:,} {unit}" if power >= 0 else f"{10**power:.{-power}f} {unit}"
