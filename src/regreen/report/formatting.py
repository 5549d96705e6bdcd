"""Numbers and protocols as text, the same in the terminal, the picture and the page."""

from __future__ import annotations

from collections.abc import Sequence

from regreen.evaluate.metrics import PassAtK, interval_name
from regreen.evaluate.paired import PassRateDifference
from regreen.evaluate.records import RepairOrigin, Result
from regreen.report.costs import CostSummary
from regreen.report.run_reader import ReplyCounts, Run
from regreen.report.run_statistics import BOUNDS, Rate, RunStatistics
from regreen.report.safe_text import visible_line
from regreen.report.sample import Setup
from regreen.types import Stop

INTERVALS = {
    "wilson": "Wilson",
    "wilson-tasks": "Wilson over tasks",
    "bootstrap": "bootstrap over tasks",
    "normal": "normal, over tasks",
}
PROTOCOLS = {
    "none": "no check was run while repairing: one shot",
    "examples": "the visible checks could be run, the hidden ones decide",
    "all": "the checks that decide were shown and could be run",
}
_MAX_NAME = 80
_ALL_KS = 10
"""Up to this k every pass@k is shown."""
_LANDMARKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def percent(value: float) -> str:
    """A share, e.g. "96.7 %"."""
    return f"{value * 100:.1f} %"


def interval_text(low: float, high: float) -> str:
    """The ends of an interval of shares in percent, e.g. "83.3 to 99.4"."""
    return f"{low * 100:.1f} to {high * 100:.1f}"


def rate_text(of: Rate) -> str:
    """A rate with its count and interval, e.g. "96.7 % (29 of 30; 83.3 to 99.4)"; its bounds in an unfinished run."""
    if of.interval == BOUNDS:
        return f"{interval_text(of.low, of.high)} % ({of.count:,} so far, of {of.total:,} planned)"
    return f"{percent(of.value)} ({of.count:,} of {of.total:,}; {interval_text(of.low, of.high)})"


def rate_cell(of: Rate) -> str:
    """A rate with its interval in the least space, e.g. "96.7 % (83.3 to 99.4)"; its bounds in an unfinished run."""
    value, interval = rate_parts(of)
    return f"{value}, unfinished" if of.interval == BOUNDS else f"{value} ({interval})"


def rate_parts(of: Rate) -> tuple[str, str]:
    """A rate, and its interval; in an unfinished run its bounds, and a word on them."""
    if of.interval == BOUNDS:
        return f"{interval_text(of.low, of.high)} %", f"{of.count:,} so far, of {of.total:,} planned"
    return percent(of.value), interval_text(of.low, of.high)


def pass_at_text(of: PassAtK) -> str:
    """A pass@k with its interval."""
    return f"{percent(of.value)} ({interval_text(of.low, of.high)})"


def points(value: float) -> str:
    """A difference of shares in percentage points, with its sign."""
    return f"{value * 100:+.1f}".replace("-", "\N{MINUS SIGN}")


def difference_text(of: PassRateDifference) -> str:
    """A difference of pass@1 with its interval, e.g. "+3.1 points (+0.6 to +5.5)"."""
    return f"{points(of.value)} points ({difference_interval_text(of)})"


def difference_interval_text(of: PassRateDifference) -> str:
    """The ends of the interval of a difference; a remark where it has none, all tasks having the same."""
    if of.low is None or of.high is None:
        return "no interval: every task has the same difference"
    return f"{points(of.low)} to {points(of.high)}"


def interval_method(of: PassRateDifference) -> str:
    """The method of the interval of a difference, e.g. "bootstrap over tasks"."""
    return INTERVALS[interval_name(of.tasks)]


def signed(value: float, form: str) -> str:
    """A difference with its sign first, e.g. "+$0.12"."""
    return ("+" if value > 0 else "\N{MINUS SIGN}" if value < 0 else "") + form.format(abs(value))


def p_value_text(p: float) -> str:
    """A p-value, e.g. "p = 0.031"."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}" if p < 0.1 else f"p = {p:.2f}"


def duration_text(value: float) -> str:
    """A time in seconds, minutes or hours, by its length."""
    if value < 120:
        return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02} s" if minutes < 120 else f"{minutes // 60:,} h {minutes % 60:02} min"


def money_text(of: CostSummary, samples: int) -> str:
    """The known price, and the number of samples without one."""
    if of.usd_unknown and of.usd_unknown == samples:
        return "unknown"
    known = dollars(of.usd)
    return f"{known}, unknown for {quantity(of.usd_unknown, 'sample')}" if of.usd_unknown else known


def dollars(value: float) -> str:
    """US dollars; small sums keep their digits."""
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def tokens_text(of: CostSummary, samples: int) -> str:
    """Tokens of prompts and replies, as far as they are known."""
    if of.tokens_unknown and of.tokens_unknown == samples:
        return "unknown"
    known = f"{of.tokens:,} ({of.prompt_tokens:,} prompt, {of.completion_tokens:,} reply)" if of.tokens else "0"
    return f"{known}, unknown for {quantity(of.tokens_unknown, 'sample')}" if of.tokens_unknown else known


def quantity(number: int, noun: str) -> str:
    """A number with its noun, e.g. "1 sample", "2,000 samples"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def denominators(of: RunStatistics) -> str:
    """How many of the planned samples are decided, and the rate of fixes over all samples, errors included."""
    planned = f"{of.planned:,} planned" if of.planned and of.planned >= of.samples else f"{of.samples:,}"
    samples = "sample" if (of.planned or of.samples) == 1 else "samples"
    decided = f"{of.decided:,} of {planned} {samples} decided, {quantity(of.tasks, 'task')}"
    errors = of.samples - of.decided
    if of.missing:
        return f"{decided}; {quantity(errors, 'error')}" if errors else decided
    if not errors or not of.samples:
        return decided
    over_all = percent(of.rates["fixed"].count / of.samples) if "fixed" in of.rates else percent(0)
    return f"{decided}; {quantity(errors, 'error')} in no rate (over all samples {over_all} would be fixed)"


ORIGINS = {
    RepairOrigin.SEARCH: "by search alone",
    RepairOrigin.MODEL: "by the model",
    RepairOrigin.AROUND: "by search around a model's candidate",
}


def split_credit(of: RunStatistics) -> dict[str, Rate]:
    """The rates of fixes by whom they are owed to, in words; empty where the model wrote all of them."""
    if not {origin for origin, count in of.origins.items() if count} - {RepairOrigin.MODEL}:
        return {}
    found = {name: of.rates.get(f"fixed_by_{origin}") for origin, name in ORIGINS.items()}
    return {name: rate for name, rate in found.items() if rate}


def credit_text(of: RunStatistics) -> str:
    """To whom the fixes of a run with a model are owed; "" for a run without one."""
    if not any(setup.model for setup in of.setups) or not of.decided:
        return ""
    owed = [f"{of.origins[origin]:,} {name}" for origin, name in ORIGINS.items() if of.origins.get(origin)]
    owed += [f"{of.origins['']:,} by whom is not recorded"] if of.origins.get("") else []
    fixed = f"fixed: {', '.join(owed)}; " if owed else ""
    return f"{fixed}the model was asked in {of.asked:,} of {quantity(of.decided, 'sample')}"


def reply_rows(of: ReplyCounts) -> list[tuple[str, str]]:
    """The model's replies: how many were usable, and what the others lacked; nothing where none was asked for."""
    if not of.replies:
        return []
    return [
        ("all", f"{of.replies:,}"),
        ("usable", f"{of.replies - sum(of.faults.values()):,}"),
        ("cut off at the limit of their length", f"{of.cut_off:,}"),
        *(
            (visible_line(f"fault: {fault.replace('_', ' ')}", 60), f"{n:,}")
            for fault, n in list(of.faults.items())[:40]
        ),
    ]


def outcome_note(of: RunStatistics, result: Result) -> str:
    """The remark beside the count of an outcome without a rate."""
    if result is Result.ERROR:
        return "in no rate"
    return "not measured: no further checks" if result is Result.OVERFITTED and of.decided else ""


def setup_text(of: Setup) -> str:
    """A setup on one line."""
    parts = [of.dataset, of.strategy, *([of.model] if of.model else []), f"feedback {of.feedback}"]
    return ", ".join(visible_line(part, _MAX_NAME) for part in parts)


def setup_remarks(of: RunStatistics) -> list[str]:
    """Remarks on a run that is unfinished, mixes setups or lacks iterations."""
    told = []
    if of.missing:
        told.append(
            f"UNFINISHED: {of.missing:,} of {of.planned:,} planned samples have no result yet. Those that end quickly"
            " come first, so every rate is given as what it may still become."
        )
    fields = (("feedback", "feedback protocols"), ("dataset", "data sets"), ("strategy", "strategies"))
    for name, what in fields:
        values = sorted({str(getattr(one, name)) for one in of.setups})
        if len(values) > 1:
            shown = ", ".join(visible_line(value, _MAX_NAME) for value in values[:5])
            told.append(f"This run mixes {what} ({shown}): its rates are over all of them together.")
    if blind := of.stops.get(Stop.NOTHING_RED.value, 0):
        most = percent((of.samples - blind) / of.samples)
        told.append(
            f"{quantity(blind, 'sample')} ended with nothing red: no check that the strategy could see failed there, so"
            f" it had nothing to go by. Under this protocol it can fix {most} of these samples at most."
        )
    if guessed := of.stops.get(Stop.GUESSED.value, 0):
        told.append(
            f"{quantity(guessed, 'sample')} had nothing red either: a guess was handed over there, the likeliest change"
            " that keeps every visible check green, and no check confirmed it."
        )
    if of.iteration_unknown and of.iterations:
        fixes = "1 fix" if of.iteration_unknown == 1 else f"{of.iteration_unknown:,} fixes"
        told.append(f"In which iteration {fixes} came is not recorded: the curve over iterations leaves them out.")
    return told


def shown_passes(of: Sequence[PassAtK]) -> list[PassAtK]:
    """Every k up to 10; of more, round ones and the last."""
    if len(of) <= _ALL_KS:
        return list(of)
    return [one for one in of if one.k in _LANDMARKS or one.k == of[-1].k]


def run_name(run: Run) -> str:
    """The run's name on one line."""
    return visible_line(run.name, _MAX_NAME)
