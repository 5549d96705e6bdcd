"""Clocks and calendars: hours that wrap around, the two halves of a day, leap years, days that follow one another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import (
    AND,
    ATOM,
    COMPARISON,
    SUM,
    TERM,
    Expression,
    attribute_of,
    binary_operation,
    bool_operation,
    function_call,
)
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number
from regreen.types import Edit


def clock_face(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`minutes // 60` becomes `minutes // 60 % 24`, or `% 60` where it is of seconds: what a clock shows."""
    parent = context.parent(node)
    if not isinstance(node.op, ast.FloorDiv) or (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod)):
        return
    for around in _CLOCKS.get(context.text(node.right), ()):
        yield context.put(node, binary_operation(context.expression(node), "%", Expression(around)))


_CLOCKS: Final[dict[str, tuple[str, ...]]] = {"60": ("24", "60"), "3600": ("24",), "24": ("7",)}
"""After how many of a unit the next one begins, by how many of a smaller one make it."""


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


_MAKES_TIMES: Final = frozenset(("combine", "strptime", "datetime", "fromisoformat", "replace"))


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


_UNITS_OF_HOURS: Final = ("60", "3600")


def centuries(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`year % 4 == 0` becomes `year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)`, in part where part stands."""
    rest, around = node.left, context.parent(node)
    if not isinstance(rest, ast.BinOp) or not isinstance(rest.op, ast.Mod) or len(node.ops) != 1:
        return
    year, test = context.expression(rest.left).at(TERM), context.expression(node)
    is_first = isinstance(around, ast.BoolOp) and around.values[0] is node
    if is_first and {"4", "100", "400"} <= _divisors(around, context):
        assert isinstance(around, ast.BoolOp)
        yield context.put(around, Expression(f"{year} % 4 == 0 and ({year} % 100 != 0 or {year} % 400 == 0)", AND))
        return
    ages = Expression(f"{year} % 400 == 0", COMPARISON)
    if context.text(rest.right) == "4" and isinstance(node.ops[0], ast.Eq):
        rule = bool_operation(Expression(f"{year} % 100 != 0", COMPARISON), "or", ages)
        yield context.put(node, bool_operation(test, "and", rule))
    elif context.text(rest.right) == "100" and isinstance(node.ops[0], ast.NotEq):
        yield context.put(node, bool_operation(test, "or", ages))


def birthday_to_come(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`today.year - born.year` is one less where the birthday is to come: `- ((today.month, today.day) < ...)`."""
    sides = (node.left, node.right)
    if not isinstance(node.op, ast.Sub) or not all(isinstance(s, ast.Attribute) and s.attr == "year" for s in sides):
        return
    later, earlier = (context.text(side.value) for side in sides)  # type: ignore[attr-defined]
    is_to_come = f"(({later}.month, {later}.day) < ({earlier}.month, {earlier}.day))"
    yield context.put(node, Expression(f"{context.text(node)} - {is_to_come}", SUM))


def days_later(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day.replace(day=day.day + 1)`, which fails at the end of a month, becomes `day + timedelta(days=1)`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "replace" or len(node.keywords) != 1 or node.args:
        return
    unit, moved, start = node.keywords[0].arg, node.keywords[0].value, context.text(node.func.value)
    if unit not in ("day", "hour", "minute", "second") or not isinstance(moved, ast.BinOp):
        return
    if context.text(moved.left) == f"{start}.{unit}" and isinstance(moved.op, ast.Add | ast.Sub):
        symbol = "+" if isinstance(moved.op, ast.Add) else "-"
        written, imports = context.member_of("datetime", "timedelta", by_itself=True)
        later = Expression(f"{start} {symbol} {written}({unit}s={context.text(moved.right)})", SUM)
        yield WeightedEdits((*imports, context.edit(node, later)))


def fourth_century(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if year % 100 == 0: return False` becomes `if year % 100 == 0: return year % 400 == 0`."""
    around = context.parent(node)
    test = around.test if isinstance(around, ast.If) and node in around.body else None
    if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, bool):
        return
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.BinOp) or not isinstance(test.ops[0], ast.Eq):
        return
    if isinstance(test.left.op, ast.Mod) and whole_number(test.left.right) == 100:
        symbol = "==" if node.value.value is False else "!="
        yield context.put(node.value, f"{context.expression(test.left.left).at(TERM)} % 400 {symbol} 0")


def _divisors(node: ast.AST, context: TemplateContext) -> set[str]:
    """The numbers by which a condition asks for remainders."""
    rests = (part for part in ast.walk(node) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod))
    return {context.text(rest.right) for rest in rests}


def first_half_of_day(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if half == "PM" and hour != 12: hour += 12` gains `elif half == "AM" and hour == 12: hour = 0`: midnight."""
    added = node.body[0]
    is_afternoon = isinstance(added, ast.AugAssign) and context.text(added.value) == "12"
    found = _AFTERNOON.search(context.text(node.test))
    if found is None or not is_afternoon or node.orelse or len(node.body) > 1:
        return
    hour = context.text(added.target)  # type: ignore[attr-defined]
    half = found[0].replace("PM", "AM").replace("pm", "am")
    yield from context.after(node, (f"elif {half} and {hour} == 12:", f"\t{hour} = 0"))


_AFTERNOON: Final = re.compile(r"""\w[\w.\[\]]* == (["'])[Pp]\.?[Mm]\.?\1""")


def days_between(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day.day - before.day` becomes `(day - before).days`: the last of a month is followed by the first."""
    sides = (node.left, node.right)
    if not isinstance(node.op, ast.Sub) or not all(isinstance(s, ast.Attribute) and s.attr == "day" for s in sides):
        return
    later, earlier = (context.expression(side.value).at(TERM) for side in sides)  # type: ignore[attr-defined]
    yield context.put(node, f"({later} - {earlier}).days")


def year_of_week(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day.year` beside `day.isocalendar()[1]` becomes `day.isocalendar()[0]`: the first days of a year may belong to
    the last week of the one before."""
    day = context.text(node.value)
    if node.attr == "year" and any(
        isinstance(part, ast.Call) and context.text(part) == f"{day}.isocalendar()" for part in context.scope.nodes
    ):
        yield context.put(node, f"{day}.isocalendar()[0]")


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


def months_from_zero(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`index = day.month + n`, taken apart by `index // 12` and `index % 12`, becomes `day.month - 1 + n`, and the rest
    gets 1 more: the twelfth month is no month 0."""
    index, made = node.targets[0], node.value
    if not isinstance(index, ast.Name) or not isinstance(made, ast.BinOp) or not isinstance(made.op, ast.Add | ast.Sub):
        return
    if not context.text(made.left).endswith("month"):
        return
    rests = [
        part
        for part in context.scope.nodes
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod) and context.text(part.left) == index.id
        if whole_number(part.right) == _MONTHS
    ]
    if rests:
        end = context.program.spans[made.left][1]
        after = [context.edit(rest, Expression(f"{context.text(rest)} + 1", SUM)) for rest in rests]
        yield WeightedEdits(tuple(sorted((Edit(end, end, " - 1"), *after), key=edit_position)))


_MONTHS: Final = 12


def month_of_next_year(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`date(y, m + 1, 1)` becomes `date(y + m // 12, m % 12 + 1, 1)`: behind December comes January; so does the month
    before January, `date(y, m - 1, 1)`."""
    if callee_name(node) not in ("date", "datetime") or len(node.args) < 3:
        return
    year, month = node.args[:2]
    if not isinstance(month, ast.BinOp) or whole_number(month.right) != 1:
        return
    left, of_year = context.expression(month.left), context.expression(year).at(SUM)
    if isinstance(month.op, ast.Add):
        made = f"{of_year} + {left.at(TERM)} // 12", f"{left.at(TERM)} % 12 + 1"
    elif isinstance(month.op, ast.Sub):
        made = f"{of_year} - ({left.at(COMPARISON + 1)} == 1)", f"({left.at(SUM)} - 2) % 12 + 1"
    else:
        return
    edits = (context.edit(part, Expression(text, SUM)) for part, text in zip((year, month), made, strict=True))
    yield WeightedEdits(tuple(edits))


def size_in_parts(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `f"{m // 60}:{m % 60}"` comes `m = abs(m)`: of what is below 0 the parts are those of its size."""
    divided = [part for part in ast.walk(node) if isinstance(part, ast.BinOp) and isinstance(part.left, ast.Name)]
    wholes, rests = (
        {(context.text(part.left), context.text(part.right)) for part in divided if isinstance(part.op, operator)}
        for operator in (ast.FloorDiv, ast.Mod)
    )
    for name, _ in sorted(wholes & rests):
        yield from context.before(node, (f"{name} = abs({name})",))


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
_READ_IN_A_ZONE = ("astimezone", "timestamp", "strftime", "isoformat")


def _utc(context: TemplateContext) -> tuple[str, tuple[Edit, ...]]:
    """How the program writes UTC, and what it has to import for it."""
    if "UTC" in context.scope.globals:
        return "UTC", ()
    if "datetime" in context.scope.globals and "datetime.datetime" in context.program.source:
        return "datetime.timezone.utc", ()
    name, imports = context.member_of("datetime", "timezone", by_itself=True)
    return f"{name}.utc", imports


def step_from_origin(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end = add_months(first, 1)` after `first = add_months(start, n)` becomes `end = add_months(start, n + 1)`: steps
    of unlike length do not add up."""
    match node:
        case ast.Call(func=function, args=[ast.Name(id=first), step], keywords=[]):
            called = context.text(function)
        case _:
            return
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made, args=[start, count])):
                if name == first and context.text(made) == called and part.lineno < node.lineno:
                    whole = binary_operation(context.expression(count), "+", context.expression(step))
                    yield context.put(node, function_call(called, context.expression(start), whole))


def days_of_the_calendar(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(now - then).days` becomes `(now.date() - then.date()).days`: a night lies between them, if not a whole day."""
    match node:
        case ast.Attribute(value=ast.BinOp(left=later, op=ast.Sub(), right=earlier), attr="days"):
            one, other = context.expression(later).at(ATOM), context.expression(earlier).at(ATOM)
            yield context.put(node, f"({one}.date() - {other}.date()).days")


def only_working_days(
    node: ast.If | ast.While | ast.comprehension, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`if first <= day <= last` becomes `... and day.weekday() < 5` where prose speaks of working days or weekends."""
    if not _OF_WEEKS.search(context.clues.prose):
        return
    tests = node.ifs if isinstance(node, ast.comprehension) else [node.test]
    if isinstance(node, ast.comprehension) and not tests:
        end = context.outer(node.iter)[1]
        for name in (part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)):
            yield context.replace(end, end, f" if {name}.weekday() < 5")
            yield context.replace(end, end, f" if {name}.weekday() >= 5", HALF)
    for test in tests:
        for name in dict.fromkeys(part.id for part in ast.walk(test) if isinstance(part, ast.Name)):
            if name in context.scope.locals:
                old = context.expression(test)
                for asked, weight in ((f"{name}.weekday() < 5", 1.0), (f"{name}.weekday() >= 5", HALF)):
                    yield context.put(test, bool_operation(old, "and", Expression(asked, COMPARISON)), weight)
                free = Expression(f"{name}.weekday() >= 5", COMPARISON)
                yield context.put(test, bool_operation(old, "or", free), HALF)


_OF_WEEKS: Final = re.compile(r"\b(?:week-?ends?|week-?days?|working|business|workdays?|Saturdays?|Sundays?)\b", re.I)


def move_by_span(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`between(today, due)` becomes `between(today + ONE_DAY, due)`, for a span that the module has a name for."""
    is_handed = isinstance(context.parent(node), ast.Call) and not context.is_called(node)
    if is_handed and node.id in context.scope.locals:
        for span in context.cached_of_program("named spans", lambda: _named_spans(context)):
            yield context.put(node, Expression(f"{node.id} + {span}", SUM))
            yield context.put(node, Expression(f"{node.id} - {span}", SUM), LIKELY)


def _named_spans(context: TemplateContext) -> list[str]:
    """The constants of the module that hold a span of time."""
    assigned = [part for part in context.program.tree.body if isinstance(part, ast.Assign)]
    calls = ((part.targets[0], part.value) for part in assigned if isinstance(part.value, ast.Call))
    return [context.text(target) for target, call in calls if callee_name(call) == "timedelta"]


def next_year_where_over(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day = date(today.year, born.month, born.day)` is followed by `if day < today: day = date(today.year + 1, ...)`:
    what is over this year comes in the next."""
    call, target = node.value, node.targets[0]
    year = call.args[0] if isinstance(call, ast.Call) and callee_name(call) == "date" and call.args else None
    year = year or next((k.value for k in getattr(call, "keywords", ()) if k.arg == "year"), None)
    if not isinstance(target, ast.Name) or not isinstance(year, ast.Attribute) or year.attr != "year":
        return
    end = context.program.spans[year][1]
    begin, text = context.program.spans[call][0], context.text(call)
    later = f"{text[: end - begin]} + 1{text[end - begin :]}"
    today = context.text(year.value)
    yield from context.after(node, (f"if {target.id} < {today}:", f"\t{target.id} = {later}"))


TEMPLATES = (
    Template("ends_next_day", (ast.Assign,), ends_next_day, ("sign", "smaller", "negated")),
    Template("months_from_zero", (ast.Assign,), months_from_zero, ("off_by_one", "zero", "type")),
    Template("next_year_where_over", (ast.Assign,), next_year_where_over, ("negative", "shorter", "content")),
    Template("days_of_the_calendar", (ast.Attribute,), days_of_the_calendar, ("off_by_one",)),
    Template("only_working_days", (ast.If, ast.While, ast.comprehension), only_working_days, ("content", "longer")),
    Template("move_by_span", (ast.Name,), move_by_span, ("off_by_one", "content")),
    Template("step_from_origin", (ast.Call,), step_from_origin, ("content", "off_by_one")),
    Template("month_of_next_year", (ast.Call,), month_of_next_year, ("raises", "content")),
    Template("size_in_parts", (ast.Return, ast.Assign), size_in_parts, ("content", "negative", "sign")),
    Template("made_in_zone", (ast.Call,), made_in_zone, ("content", "kind", "type")),
    Template("only_where_naive", (ast.Assign,), only_where_naive, ("content",)),
    Template("naive_is_utc", (ast.Return, ast.Assign, ast.Expr), naive_is_utc, ("type", "content")),
    Template("year_of_week", (ast.Attribute,), year_of_week, ("content",)),
    Template("days_between", (ast.BinOp,), days_between, ("content", "negative", "off_by_one")),
    Template("first_half_of_day", (ast.If,), first_half_of_day, ("content", "zero")),
    Template("clock_face", (ast.BinOp,), clock_face),
    Template("span_past_midnight", (ast.BinOp, ast.Call), span_past_midnight, ("negative", "larger", "sign")),
    Template("past_midnight", (ast.Assign, ast.Return), past_midnight, ("negative",)),
    Template("birthday_to_come", (ast.BinOp,), birthday_to_come, ("off_by_one",)),
    Template("days_later", (ast.Call,), days_later),
    Template("fourth_century", (ast.Return,), fourth_century, ("negated",)),
    Template("centuries", (ast.Compare,), centuries, ("negated",)),
)
