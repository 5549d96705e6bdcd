"""Clocks: times of the day, which end at midnight, halves of the day, and the zones in which a time is told."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import AND, SUM, TERM, Expression, attribute_of, binary_operation
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, whole_number
from regreen.types import Edit

_CLOCKS: Final[dict[str, tuple[str, ...]]] = {"60": ("24", "60"), "3600": ("24",), "24": ("7",)}
"""After how many of a unit the next one begins, by how many of a smaller one make it."""
_MAKES_TIMES: Final = frozenset(("combine", "strptime", "datetime", "fromisoformat", "replace"))
_UNITS_OF_HOURS: Final = ("60", "3600")


def clock_face(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`minutes // 60` becomes `minutes // 60 % 24`, or `% 60` where it is of seconds: what a clock shows."""
    parent = context.parent(node)
    if not isinstance(node.op, ast.FloorDiv) or (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod)):
        return
    for around in _CLOCKS.get(context.text(node.right), ()):
        yield context.put(node, binary_operation(context.expression(node), "%", Expression(around)))


def past_midnight(node: ast.Assign | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return h * 60 + m` becomes `return (h * 60 + m) % (24 * 60)`, where prose is of clocks: they begin anew."""
    words, value = context.clues.prose.lower(), node.value
    if value is None or not any(word in words for word in ("next day", "clock", "midnight", "hh:mm", "time of day")):
        return
    is_number = isinstance(value, ast.BinOp | ast.Name) and context.kind(value) in ("int", "")
    if is_number and re.search(r"\* *60\b|\b60 *\*", context.program.source):
        day = binary_operation(Expression("24"), "*", Expression("60"))
        yield context.put(value, binary_operation(context.expression(value), "%", day))


def ends_next_day(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end = datetime.combine(day, until)` is followed by `if end <= start: end += timedelta(days=1)`, where `start` is
    made likewise: what ends before it begins ends on the next day."""
    end, made = node.targets[0], node.value
    if not isinstance(end, ast.Name) or not isinstance(made, ast.Call) or callee_name(made) not in _MAKES_TIMES:
        return
    block = context.program.block(node)
    name, imports = context.member_of("datetime", "timedelta")
    for other in block[: block.index(node)]:
        match other:
            case ast.Assign(targets=[ast.Name(id=start)], value=ast.Call() as call):
                likewise = callee_name(call) == callee_name(made)
            case _:
                continue
        for sign in ("<=", "<") if likewise else ():
            for put in context.after(node, (f"if {end.id} {sign} {start}:", f"\t{end.id} += {name}(days=1)")):
                yield WeightedEdits((*imports, *put.edits))


def span_past_midnight(node: ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end - start` of times of the day becomes `(end - start) % (24 * 60)`, or `% (24 * 3600)`, and so does `abs` of
    it: what ends before it begins goes on past midnight."""
    is_distance = isinstance(node, ast.Call) and callee_name(node) == "abs" and len(node.args) == 1
    span = node.args[0] if isinstance(node, ast.Call) and is_distance else node
    if not isinstance(span, ast.BinOp) or not isinstance(span.op, ast.Sub) or whole_number(span.right) is not None:
        return
    sides = [context.kind(side) in ("int", "") for side in (span.left, span.right)]
    for unit in _UNITS_OF_HOURS:
        if all(sides) and re.search(rf"\* *{unit}\b|\b{unit} *\*", context.program.source):
            day = binary_operation(Expression("24"), "*", Expression(unit))
            wrapped = context.put(node, binary_operation(context.expression(span), "%", day))
            yield wrapped
            for start, end in _questions_of_order(node, span, context):
                # What is over today comes tomorrow.
                yield WeightedEdits((*wrapped.edits, Edit(start, end, "")))


def _questions_of_order(node: ast.expr, span: ast.BinOp, context: TemplateContext) -> Iterator[tuple[int, int]]:
    """Where a comprehension that gives a span asks, and asks nothing else, which of its ends comes later."""
    around = context.parent(node)
    for loop in around.generators if isinstance(around, ast.ListComp | ast.GeneratorExp) else ():
        if len(loop.ifs) == 1:
            start, end = context.program.spans[loop.iter][1], context.program.spans[loop.ifs[0]][1]
            asked = context.text(loop.ifs[0])
            if context.text(span.left) in asked and context.text(span.right) in asked:
                yield start, end


def first_half_of_day(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if half == "PM": hour += 12` becomes `if half == "PM" and hour != 12: hour += 12`, since noon is 12, and gains
    `elif half == "AM" and hour == 12: hour = 0`: midnight. Each of it alone, too."""
    found = _AFTERNOON.search(context.text(node.test))
    if found is None or len(node.body) > 1 or not _adds_half_a_day(node.body[0], context):
        return
    target = node.body[0].targets[0] if isinstance(node.body[0], ast.Assign) else node.body[0].target  # type: ignore[attr-defined]
    hour, test = context.text(target), context.text(node.test)
    noon = f"({test})" if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or) else test
    noons = () if "12" in test else (context.edit(node.test, Expression(f"{noon} and {hour} != 12", AND)),)
    if noons:
        yield WeightedEdits(noons)
    if not node.orelse:
        half = re.sub("([Pp])(?=\\.?[Mm])", lambda match: "A" if match[1] == "P" else "a", found[0])
        for midnight in context.after(node, (f"elif {half} and {hour} == 12:", f"\t{hour} = 0")):
            yield midnight
            if noons:
                yield WeightedEdits((*noons, *midnight.edits))


_AFTERNOON: Final = re.compile(
    r"""\w[\w.\[\]]* == (["'])[Pp]\.?[Mm]\.?\1|(["'])[Pp]\.?[Mm]\.?\2 in \w+"""
    r"""|\w[\w.\[\]]*\.endswith\((["'])[Pp]\.?[Mm]\.?\3\)"""
)
"""What asks whether it is the second half of the day."""


def _adds_half_a_day(step: ast.stmt, context: TemplateContext) -> bool:
    """Whether a statement is `hour += 12`, or `hour = hour + 12`."""
    if isinstance(step, ast.AugAssign):
        return context.text(step.value) == "12"
    target = context.text(step.targets[0]) if isinstance(step, ast.Assign) else ""
    return bool(target) and context.text(step.value) in (f"{target} + 12", f"12 + {target}")  # type: ignore[attr-defined]


def only_where_naive(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`moment = moment.replace(tzinfo=zone)` is done only `if moment.tzinfo is None`: no other zone is taken away."""
    name, made = context.text(node.targets[0]), context.text(node.value)
    if isinstance(node.targets[0], ast.Name) and made.startswith(f"{name}.replace(tzinfo="):
        yield from context.restate(node, (f"if {name}.tzinfo is None:", f"\t{name} = {made}"))


def naive_is_utc(node: ast.Return | ast.Assign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `moment.astimezone(zone)` comes `if moment.tzinfo is None: moment = moment.replace(tzinfo=timezone.utc)`;
    and what is written of a moment is written as UTC has it."""
    for part in ast.walk(node):
        if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Attribute):
            continue
        moment = part.func.value
        if not isinstance(moment, ast.Name) or part.func.attr not in _READ_IN_A_ZONE:
            continue
        zone, imports = _utc(context)
        if part.func.attr in ("astimezone", "timestamp"):
            lines = (f"if {moment.id}.tzinfo is None:", f"\t{moment.id} = {moment.id}.replace(tzinfo={zone})")
            for guarded in context.before(node, lines):
                yield WeightedEdits((*imports, *guarded.edits))
        else:
            edit = context.edit(moment, Expression(f"{moment.id}.astimezone({zone})"))
            yield WeightedEdits((*imports, edit))


_MAKES_MOMENTS = (
    "strptime",
    "datetime",
    "utcnow",
    "now",
    "fromtimestamp",
    "utcfromtimestamp",
    "combine",
    "fromisoformat",
)


def made_in_zone(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`datetime.strptime(text, form)` becomes `....replace(tzinfo=timezone.utc)`; `datetime.now()` takes the zone."""
    name = callee_name(node)
    if name not in _MAKES_MOMENTS or "tzinfo" in context.text(context.parent(node)):
        return
    zone, imports = _utc(context)
    if name in ("now", "fromtimestamp") and len(node.args) == int(name != "now") and not node.keywords:
        end = context.program.spans[node][1] - 1
        yield WeightedEdits((*imports, Edit(end, end, f", {zone}" if node.args else zone)))
        return
    made = attribute_of(context.expression(node), f"replace(tzinfo={zone})")
    yield WeightedEdits((*imports, context.edit(node, made)))


_READ_IN_A_ZONE = ("astimezone", "timestamp", "strftime", "isoformat")


def _utc(context: TemplateContext) -> tuple[str, tuple[Edit, ...]]:
    """How the program writes UTC, and what it has to import for it."""
    if "UTC" in context.scope.globals:
        return "UTC", ()
    if "datetime" in context.scope.globals and "datetime.datetime" in context.program.source:
        return "datetime.timezone.utc", ()
    name, imports = context.member_of("datetime", "timezone", by_itself=True)
    return f"{name}.utc", imports


def carry_minutes(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.hour = hour` and `self.minute = minute` become `(hour + minute // 60) % 24` and `minute % 60`: more than an
    hour of minutes is carried, and a day ends at midnight."""
    block = context.program.block(node)
    steps = [step for step in block if isinstance(step, ast.Assign) and isinstance(step.value, ast.Name)]
    fields = {step.value.id: step.value for step in steps if isinstance(step.value, ast.Name)}
    for hour, minute, day in _HOURS_AND_MINUTES:
        if hour in fields and minute in fields and context.text(node.value) == hour:
            whole = Expression(f"({hour} + {minute} // 60){day}", TERM)
            rest = Expression(f"{minute} % 60", TERM)
            edits = (context.edit(fields[hour], whole), context.edit(fields[minute], rest))
            yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


_HOURS_AND_MINUTES: Final = (
    ("hour", "minute", " % 24"),
    ("hours", "minutes", " % 24"),
    ("h", "m", " % 24"),
    ("hours", "minutes", ""),
    ("minutes", "seconds", ""),
    ("minute", "second", ""),
)
"""The names of two fields of a time, and where the greater one ends, if anywhere."""


def next_day_for_distance(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`abs(end - begin)` becomes `(end - begin) % (24 * 60)`, in minutes, seconds or hours: what ends before it begins
    ends on the next day."""
    span = node.args[0] if context.text(node.func) == "abs" and len(node.args) == 1 else None
    if (
        not isinstance(span, ast.BinOp)
        or not isinstance(span.op, ast.Sub)
        or not _OF_CLOCKS.search(context.program.source)
    ):
        return
    statement = next(part for part in context.around(node) if isinstance(part, ast.stmt))
    begin, end = context.text(span.right), context.text(span.left)
    for day in ("24 * 60", "24 * 3600", "24"):
        yield context.put(node, Expression(f"({context.text(span)}) % ({day})", TERM))
        for put in (
            context.before(statement, (f"if {end} <= {begin}:", f"\t{end} += {day}")) if end.isidentifier() else ()
        ):
            yield WeightedEdits((*put.edits, context.edit(node, context.expression(span))))


_OF_CLOCKS: Final = re.compile(r"clock|hour|minute|midnight|shift|time", re.I)


def rest_of_the_round(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`now + red` behind `phase = now % (green + red)` becomes `now + (green + red - phase)`: what is left of the
    round, not a part of it."""
    if not isinstance(node.op, ast.Add) or not isinstance(node.left, ast.Name) or not isinstance(node.right, ast.Name):
        return
    for step in context.scope.nodes:
        match step:
            case ast.Assign(
                targets=[ast.Name(id=phase)],
                value=ast.BinOp(left=ast.Name(id=now), op=ast.Mod(), right=whole),
            ) if now == node.left.id and node.right.id in names_within(whole):
                left = f"{context.expression(whole).at(SUM)} - {phase}"
                yield context.put(node, Expression(f"{now} + ({left})", SUM))


def whole_minutes(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`now.replace(hour=h, minute=m)` becomes `now.replace(hour=h, minute=m, second=0, microsecond=0)`: a time of day
    has no seconds of another moment."""
    given = [keyword.arg for keyword in node.keywords]
    if isinstance(node.func, ast.Attribute) and node.func.attr == "replace" and "minute" in given:
        missing = [f"{name}=0" for name in ("second", "microsecond") if name not in given]
        for name in (", ".join(missing), missing[-1]) if missing else ():
            yield from context.with_keyword(node, name)


def hours_of_both_halves(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if half == "PM": hour += 12` gains `hour %= 12` before it: 12 is the first hour of each half. `if hour > 12:
    hour -= 12` becomes `hour = hour % 12 or 12`."""
    if len(node.body) != 1:
        return
    if _AFTERNOON.search(context.text(node.test)) and _adds_half_a_day(node.body[0], context):
        target = node.body[0].targets[0] if isinstance(node.body[0], ast.Assign) else node.body[0].target  # type: ignore[attr-defined]
        if f"{context.text(target)} != 12" not in context.text(node.test):
            yield from context.before(node, (f"{context.text(target)} %= 12",))
    match node:
        case ast.If(
            test=ast.Compare(left=hour, ops=[ast.Gt()], comparators=[ast.Constant(value=12)]),
            body=[ast.AugAssign(target=taken, op=ast.Sub(), value=ast.Constant(value=12))],
            orelse=[],
        ) if context.text(hour) == context.text(taken):
            name = context.text(hour)
            yield from context.restate(node, (f"{name} = {name} % 12 or 12",))


TEMPLATES = (
    Template("rest_of_the_round", (ast.BinOp,), rest_of_the_round, ("larger", "content")),
    Template("next_day_for_distance", (ast.Call,), next_day_for_distance, ("smaller", "larger", "content")),
    Template("carry_minutes", (ast.Assign,), carry_minutes, ("larger", "content")),
    Template("ends_next_day", (ast.Assign,), ends_next_day, ("sign", "smaller", "negated")),
    Template("made_in_zone", (ast.Call,), made_in_zone, ("content", "kind", "type")),
    Template("only_where_naive", (ast.Assign,), only_where_naive, ("content",)),
    Template("naive_is_utc", (ast.Return, ast.Assign, ast.Expr), naive_is_utc, ("type", "content")),
    Template("first_half_of_day", (ast.If,), first_half_of_day, ("content", "zero")),
    Template("clock_face", (ast.BinOp,), clock_face),
    Template("span_past_midnight", (ast.BinOp, ast.Call), span_past_midnight, ("negative", "larger", "sign")),
    Template("past_midnight", (ast.Assign, ast.Return), past_midnight, ("negative",)),
    Template("whole_minutes", (ast.Call,), whole_minutes, ("content", "close", "larger")),
    Template("hours_of_both_halves", (ast.If,), hours_of_both_halves, ("content", "larger", "off_by_one")),
)
