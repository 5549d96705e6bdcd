"""The page: one file that holds everything it shows, fetches nothing, and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from regreen.evaluate.records import Result
from regreen.report import charts, formatting, page_runs, series
from regreen.report.atomic_write import atomic_write
from regreen.report.contents import MAX_DETAILS, Contents
from regreen.report.gather import RunReport
from regreen.report.page_runs import fact, pass_1
from regreen.report.run_comparison import RunComparison
from regreen.report.run_reader import Run
from regreen.report.run_statistics import LabelGroup, RunStatistics
from regreen.report.safe_text import visible_line

_SCRIPTS = ("dom.js", "model.js", "list.js", "diff.js", "task.js", "main.js")
_MAX_ENDS = 20
_MAX_KINDS = 10
"""Values of a label shown at once; others are folded."""


@dataclass(frozen=True, slots=True)
class Assets:
    """The page's script and style, and the content security policy that allows these two and nothing else."""

    script: str
    style: str

    @property
    def policy(self) -> str:
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src '{_hash(self.script)}'",
                f"style-src '{_hash(self.style)}'",
                "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
                "require-trusted-types-for 'script'",
                "trusted-types 'none'",
            )
        )


def write_page(report: RunReport, path: Path, *, detail_bytes: int = MAX_DETAILS) -> Path:
    """Write the page of a report; what it holds is read again from the runs' files, a task at a time.

    Tasks whose details do not fit into so many packed bytes are in the table alone.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # Everything but what is marked safe in the template is escaped.
    environment = Environment(
        loader=PackageLoader("regreen.report", "html"), autoescape=True, undefined=StrictUndefined, auto_reload=False
    )
    contents = Contents(report.runs, detail_bytes=detail_bytes)
    page = environment.get_template("page.html.j2").stream(**_told(report, contents))
    page.enable_buffering(20)
    with atomic_write(path) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(page)
    return path


def assets() -> Assets:
    """The script and the style of every page."""
    folder = files("regreen.report") / "html"
    parts = [(folder / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    script = '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"
    return Assets(script, (folder / "page.css").read_text(encoding="utf-8"))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _told(report: RunReport, contents: Contents) -> dict[str, Any]:
    own = assets()
    many = len(report.runs) > 1
    return {
        "policy": own.policy,
        "style": own.style,
        "script": own.script,
        "title": page_runs.title(report.runs),
        "many": many,
        "alarms": [_alarm(one) for one in report.comparisons if one.mismatches],
        "remarks": list(_remarks(report, contents, many=many)),
        "runs": [_run(run, statistics) for run, statistics in report.with_statistics],
        "compared": page_runs.compared_runs(report) if many else None,
        "charts": list(_charts(report, many=many)),
        "details": contents.details(),
        "index": contents.index,
        "footer": " · ".join(_origin(run) for run in report.runs),
    }


def _alarm(comparison: RunComparison) -> dict[str, Any]:
    title = f"{visible_line(comparison.second, 80)} and {visible_line(comparison.first, 80)}"
    return {"title": title, "reasons": [visible_line(reason, 500) for reason in comparison.mismatches]}


def _remarks(report: RunReport, contents: Contents, *, many: bool) -> Iterator[str]:
    for run, statistics in report.with_statistics:
        for remark in (*formatting.setup_remarks(statistics), *run.remarks):
            yield visible_line(f"{run.name}: {remark}" if many else remark, 500)
    if contents.left_out:
        left = formatting.quantity(contents.left_out, "sample")
        yield f"{left} more than this page can hold: in every number and chart, and not in the table of tasks."


def _run(run: Run, statistics: RunStatistics) -> dict[str, Any]:
    fixed = statistics.rates.get("fixed")
    label, groups = next(iter(statistics.groups.items()), ("", ()))
    return {
        "name": formatting.run_name(run),
        "setups": [
            {"words": formatting.setup_text(setup), "protocol": formatting.PROTOCOLS.get(setup.feedback, "")}
            for setup in list(statistics.setups)[:5]
        ],
        "samples": f"{statistics.samples:,}" if statistics.samples else "",
        "denominators": formatting.denominators(statistics),
        "credit": formatting.credit_text(statistics),
        "pass_1": pass_1(fixed) if fixed else None,
        "outcome_bar": charts.outcome_bar(statistics.outcomes),
        "outcomes": [_outcome(statistics, result) for result in Result],
        "facts": list(_facts(statistics)),
        "ends": [(visible_line(stop, 60), f"{count:,}") for stop, count in list(statistics.stops.items())[:_MAX_ENDS]],
        "replies": formatting.reply_rows(statistics.replies),
        "label": visible_line(label.replace("_", " "), 60),
        "kinds": [
            [_label_group(group) for group in part] for part in (groups[:_MAX_KINDS], groups[_MAX_KINDS:]) if part
        ],
    }


def _outcome(statistics: RunStatistics, result: Result) -> dict[str, str]:
    rate = statistics.rates.get(result.value)
    told = ", ".join(formatting.rate_parts(rate)) if rate else ""
    count = f"{statistics.outcomes[result]:,}"
    return {"name": result.value, "count": count, "note": told or formatting.outcome_note(statistics, result)}


def _facts(statistics: RunStatistics) -> Iterator[dict[str, str]]:
    rates, spent = statistics.rates, statistics.costs
    for one in formatting.shown_passes(statistics.passes)[1:]:
        over = "" if one.tasks == statistics.passes[0].tasks else f", over {formatting.quantity(one.tasks, 'task')}"
        yield fact(
            f"pass@{one.k}", formatting.percent(one.value), f"{formatting.interval_text(one.low, one.high)}{over}"
        )
    for name, owed in formatting.split_credit(statistics).items():
        yield fact(f"fixed {name}", *formatting.rate_parts(owed))
    named = (
        ("first", "fixed by the model's first attempt"),
        ("plausible", "plausible: passes what could be seen"),
    )
    for name, title in named:
        if rate := rates.get(name):
            yield fact(title, *formatting.rate_parts(rate))
    if statistics.outcomes[Result.OVERFITTED]:
        yield fact("passes the hidden checks", formatting.rate_parts(rates["passed"])[0], "fixed or overfitted")
    tokens, _, note = formatting.tokens_text(spent, statistics.samples).partition(" (")
    yield fact("tokens", tokens, note.replace(")", ""))
    yield fact("money", *_money(statistics))
    if spent.model_calls:
        yield fact("model calls", f"{spent.model_calls:,}")
    if spent.candidates:
        yield fact("candidates tried", f"{spent.candidates:,}")
    if spent.seconds_median is not None and spent.seconds_p95 is not None:
        median, p95 = (formatting.duration_text(each) for each in (spent.seconds_median, spent.seconds_p95))
        total = formatting.duration_text(spent.seconds)
        yield fact("time, all samples", total, f"median {median}, p95 {p95} a sample")


def _money(statistics: RunStatistics) -> tuple[str, str]:
    told, _, unknown = formatting.money_text(statistics.costs, statistics.samples).partition(", ")
    return told, unknown


def _label_group(group: LabelGroup) -> dict[str, str]:
    return {
        "value": visible_line(group.value, 80),
        "bar": charts.outcome_bar(group.outcomes),
        "samples": f"{sum(group.outcomes.values()):,}",
        "fixed": f"{group.outcomes.get(Result.FIXED, 0):,}",
        "rate": formatting.percent(group.fixed.value) if group.fixed else "-",
        "interval": formatting.interval_text(group.fixed.low, group.fixed.high) if group.fixed else "",
    }


def _charts(report: RunReport, *, many: bool) -> Iterator[dict[str, Any]]:
    keys = [formatting.run_name(run) for run in report.runs] if many else []
    curves = series.iteration_curves(report)
    if any(len(curve.points) > 1 for curve in curves):
        note = "The share fixed had every repair ended after that iteration; 0 is the first attempt."
        yield _chart(
            "pass@1 after each iteration", note, charts.rate_chart(curves, "pass@1 after each iteration"), keys
        )
    if curves := series.pass_curves(report):
        note = "The chance that at least one of k samples is right, averaged over tasks."
        yield _chart("pass@k", note, charts.rate_chart(curves, "pass@k against k"), keys)
    for title, unit, values in (
        ("Time by task", "s", series.seconds_by_task(report)),
        ("Tokens by task", "tokens", series.tokens_by_task(report)),
    ):
        if values:
            colours = "" if many else ", coloured by the outcome"
            note = f"Each task a dot{colours}, the greediest first; a scale of powers of ten."
            yield _chart(title, note, charts.task_chart(values, title, unit, alone=not many), keys)


def _chart(title: str, note: str, drawing: str, keys: list[str]) -> dict[str, Any]:
    return {"title": title, "note": note, "drawing": drawing, "legend": keys}


def _origin(run: Run) -> str:
    """Start, versions, seed and data set of a run, as far as run.json has them."""
    versions, settings = run.header.get("versions"), run.header.get("settings")
    told = [formatting.run_name(run)]
    if isinstance(started := run.header.get("started"), str):
        told.append(f"begun {started}")
    if isinstance(versions, dict):
        told.append(", ".join(f"{name} {version}" for name, version in list(versions.items())[:6]))
    if isinstance(settings, dict) and isinstance(settings.get("seed"), int):
        told.append(f"seed {settings['seed']}")
    if isinstance(hashed := run.header.get("dataset_hash"), str):
        told.append(f"data set {hashed[:12]}")
    return visible_line(", ".join(told), 500)
