"""Calendars: years, months and days, whose lengths differ, and what is over this year."""

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
    binary_operation,
    bool_operation,
    function_call,
)
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number
from regreen.types import Edit


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
    elif context.text(rest.right) == "100" and isinstance(node.ops[0], ast.Eq):
        # `if year % 100 == 0: return 28` within `if year % 4 == 0`.
        others = Expression(f"{year} % 400 != 0", COMPARISON)
        yield context.put(node, bool_operation(test, "and", others))


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


def months_of_so_many_days(node: ast.List | ast.Tuple | ast.Set, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`month in (1, 3, 5, 7, 9, 11)` becomes `month in (1, 3, 5, 7, 8, 10, 12)`, the months of 31 days; `[4, 6, 9]`
    those of 30."""
    months = [whole_number(item) for item in node.elts]
    around = context.parent(node)
    is_asked = isinstance(around, ast.Compare) and isinstance(around.ops[0], ast.In | ast.NotIn)
    if not is_asked or len(months) < _FEWEST_MONTHS or not {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}.issuperset(months):
        return
    for known in ((1, 3, 5, 7, 8, 10, 12), (4, 6, 9, 11)):
        if tuple(months) != known and len({*months} & {*known}) >= _FEWEST_MONTHS:
            text = context.text(node)
            yield context.put(node, f"{text[0]}{', '.join(map(str, known))}{text[-1]}")


_FEWEST_MONTHS = 3


def same_day_next_year(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day += timedelta(days=365)` becomes `day = born_in(today.year + 1)`, as `day` was made of `today.year`: a year
    may have a day more."""
    name, span = context.text(node.target), context.text(node.value)
    if not isinstance(node.op, ast.Add) or not re.search(r"days=36[56]\b", span):
        return
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == name:
            made = context.text(part.value)
            if made.count(".year") == 1:
                yield from context.restate(node, (f"{name} = {made.replace('.year', '.year + 1')}",))


def week_with_its_year(node: ast.Attribute | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day.isocalendar().week`, or `day.isocalendar()[1]`, becomes `day.isocalendar()[:2]`: each year has a week 1."""
    made = node.value
    is_week = node.attr == "week" if isinstance(node, ast.Attribute) else whole_number(node.slice) == 1
    if is_week and isinstance(made, ast.Call) and callee_name(made) == "isocalendar":
        yield context.put(node, f"{context.text(made)}[:2]")


def weekend_is_two_days(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if day.weekday() == 5: day += ONE_DAY` becomes `while day.weekday() >= 5:`, and so does `== 6`: a Sunday follows
    the Saturday, and may be what one begins with."""
    match node.test:
        case (
            ast.Compare(
                left=ast.Call(func=ast.Attribute(attr="weekday")),
                ops=[ast.Eq()],
                comparators=[ast.Constant(value=5 | 6)],
            ) as test
        ) if not node.orelse:
            asked = Expression(f"{context.text(test.left)} >= 5", COMPARISON)
            start = context.program.first(node)
            loop = Edit(start, start + len("if"), "while")
            if context.program.source[start:].startswith("if"):
                yield WeightedEdits((loop, context.edit(test, asked)))
            yield context.put(test, asked)


def december_ends_year(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`date(year, month % 12 + 1, 1)` becomes `date(year + month // 12, month % 12 + 1, 1)`: behind December comes the
    January of the next year."""
    if callee_name(node) not in ("date", "datetime") or len(node.args) < 2:
        return
    year, month = node.args[:2]
    match month:
        case ast.BinOp(left=ast.BinOp(left=name, op=ast.Mod(), right=ast.Constant(value=12)), op=ast.Add()):
            if "//" not in context.text(year):
                text = f"{context.expression(year).at(SUM)} + {context.expression(name).at(TERM)} // 12"
                yield context.put(year, Expression(text, SUM))


def leap_years_so_far(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`y // 4 - y // 100` becomes `y // 4 - y // 100 + y // 400`: the Gregorian calendar's rule has three parts."""
    match node:
        case ast.BinOp(
            left=ast.BinOp(left=year, op=ast.FloorDiv(), right=ast.Constant(value=4)),
            op=ast.Sub(),
            right=ast.BinOp(left=other, op=ast.FloorDiv(), right=ast.Constant(value=100)),
        ) if context.text(year) == context.text(other):
            yield context.put(
                node, Expression(f"{context.text(node)} + {context.expression(year).at(TERM)} // 400", SUM)
            )


TEMPLATES = (
    Template("december_ends_year", (ast.Call,), december_ends_year, ("smaller", "content")),
    Template("weekend_is_two_days", (ast.If,), weekend_is_two_days, ("smaller", "content")),
    Template("same_day_next_year", (ast.AugAssign,), same_day_next_year, ("off_by_one",)),
    Template("week_with_its_year", (ast.Attribute, ast.Subscript), week_with_its_year, ("content", "shorter", "type")),
    Template(
        "months_of_so_many_days", (ast.List, ast.Tuple, ast.Set), months_of_so_many_days, ("content", "off_by_one")
    ),
    Template("months_from_zero", (ast.Assign,), months_from_zero, ("off_by_one", "zero", "type")),
    Template("next_year_where_over", (ast.Assign,), next_year_where_over, ("negative", "shorter", "content")),
    Template("days_of_the_calendar", (ast.Attribute,), days_of_the_calendar, ("off_by_one",)),
    Template("only_working_days", (ast.If, ast.While, ast.comprehension), only_working_days, ("content", "longer")),
    Template("move_by_span", (ast.Name,), move_by_span, ("off_by_one", "content")),
    Template("step_from_origin", (ast.Call,), step_from_origin, ("content", "off_by_one")),
    Template("month_of_next_year", (ast.Call,), month_of_next_year, ("raises", "content")),
    Template("size_in_parts", (ast.Return, ast.Assign), size_in_parts, ("content", "negative", "sign")),
    Template("year_of_week", (ast.Attribute,), year_of_week, ("content",)),
    Template("days_between", (ast.BinOp,), days_between, ("content", "negative", "off_by_one")),
    Template("birthday_to_come", (ast.BinOp,), birthday_to_come, ("off_by_one",)),
    Template("days_later", (ast.Call,), days_later),
    Template("fourth_century", (ast.Return,), fourth_century, ("negated",)),
    Template("centuries", (ast.Compare,), centuries, ("negated",)),
    Template("leap_years_so_far", (ast.BinOp,), leap_years_so_far, ("smaller", "off_by_one", "close")),
)
