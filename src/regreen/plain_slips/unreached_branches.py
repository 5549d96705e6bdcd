"""Branches that nothing comes to, since one before them takes all that they ask for."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip
from regreen.syntax import callee_name, nearest_float, walk, whole_number
from regreen.types import Edit

_PURE: Final = frozenset({"isinstance", "issubclass", "len", "startswith", "endswith"})
_Bases = Mapping[str, Sequence[str]]
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


_MOST_ARMS: Final = 40
"""Branches of one chain that are compared, each with each: longer ones are tables."""


class _Arm(NamedTuple):
    """One branch of several that are asked for in turn."""

    claims: tuple[ast.expr, ...]
    """What must all hold for it."""
    start: int
    end: int
    """Where it stands in the text, from its test to the end of its block, in characters."""


def shadowed_branches(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if points >= 50: ... elif points >= 75: ...`: what is asked for second is never come to, and belongs first."""
    classes = _bases(program)
    for chain in _chains(program):
        arms = [_Arm(_claims(node.test), program.span(node.test)[0], _end(node.body, program)) for node in chain]
        yield from _reordered("shadowed_branch", arms, program, lambda claim, given: _follows(claim, given, classes))


def shadowed_handlers(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`except Exception: ... except ValueError: ...`: the second handles nothing, and belongs first."""
    classes = _bases(program)
    for node in program.nodes:
        handlers = [(h, h.type) for h in node.handlers if h.type is not None] if isinstance(node, ast.Try) else []
        arms = [_Arm((kind,), program.span(kind)[0], _end(h.body, program)) for h, kind in handlers]
        yield from _reordered("shadowed_handler", arms, program, lambda claim, given: _covers(claim, given, classes))


def _reordered(
    kind: str, arms: Sequence[_Arm], program: LocatedProgram, follows: Callable[[ast.expr, ast.expr], bool]
) -> Iterator[PlainSlip]:
    """The slip of arms that are not in an order in which each is come to; none where they are."""

    def takes(earlier: _Arm, later: _Arm) -> bool:
        """Whether all that comes to `later` has come to `earlier` before."""
        is_asked = bool(earlier.claims and later.claims)
        return is_asked and all(any(follows(claim, given) for given in later.claims) for claim in earlier.claims)

    order: list[_Arm] = []
    for arm in arms if len(arms) <= _MOST_ARMS else ():
        before = (n for n, earlier in enumerate(order) if takes(earlier, arm) and not takes(arm, earlier))
        order.insert(next(before, len(order)), arm)
    moved = [(old, new) for old, new in zip(arms, order, strict=False) if old is not new]
    if moved:
        source = program.source
        yield PlainSlip(kind, tuple(Edit(old.start, old.end, source[new.start : new.end]) for old, new in moved))


def _chains(program: LocatedProgram) -> Iterator[list[ast.If]]:
    """Each `if` with the `elif`s after it, and the `if`s in a row of which each leaves."""
    later = {following for node in program.nodes if isinstance(node, ast.If) and (following := _elif(node))}
    for node in program.nodes:
        if isinstance(node, ast.If) and node not in later:
            chain = [node]
            while (following := _elif(chain[-1])) is not None and following.col_offset == node.col_offset:
                chain.append(following)
            yield chain
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            for leaves, row in groupby(block, key=_leaves) if isinstance(block, list) else ():
                if leaves:
                    yield list(row)


def _elif(node: ast.If) -> ast.If | None:
    """The only statement of its `else`, where that is another `if`."""
    only = node.orelse[0] if len(node.orelse) == 1 else None
    return only if isinstance(only, ast.If) else None


def _leaves(stmt: ast.AST) -> bool:
    """Whether a statement is an `if` without an `else` whose block ends by going elsewhere."""
    return isinstance(stmt, ast.If) and not stmt.orelse and isinstance(stmt.body[-1], _LEAVING)


def _end(block: Sequence[ast.stmt], program: LocatedProgram) -> int:
    return program.span(block[-1])[1]


def _claims(test: ast.expr) -> tuple[ast.expr, ...]:
    """What a test asks for at once; nothing where it may do something."""
    for node in walk(test):
        does = isinstance(node, ast.Await | ast.NamedExpr | ast.Yield | ast.YieldFrom)
        if does or (isinstance(node, ast.Call) and callee_name(node) not in _PURE):
            return ()
    return tuple(test.values) if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else (test,)


def _follows(claim: ast.expr, given: ast.expr, classes: _Bases) -> bool:
    """Whether a claim holds wherever what is given does."""
    if ast.dump(claim) == ast.dump(given):
        return True
    if isinstance(claim, ast.BoolOp) and isinstance(claim.op, ast.Or):
        return any(_follows(part, given, classes) for part in claim.values)
    if isinstance(claim, ast.Call) and isinstance(given, ast.Call):
        return _is_told(claim, given, classes)
    return _is_within(claim, given) or _is_multiple(claim, given)


def _is_within(claim: ast.expr, given: ast.expr) -> bool:
    """Whether a number that is as `given` says, `n > 20` or `n == 20`, is as `claim` says, `n > 10`."""
    one, other = _bound(claim), _bound(given)
    if one is None or other is None or one[0] != other[0]:
        return False
    (_, operator, bound), (_, narrower, number) = one, other
    for loose, strict, is_beyond in ((ast.LtE, ast.Lt, number < bound), (ast.GtE, ast.Gt, number > bound)):
        if operator in (loose, strict) and narrower in (loose, strict, ast.Eq):
            return is_beyond or (number == bound and (operator is loose or narrower is strict))
    return False


def _bound(node: ast.expr) -> tuple[str, type[ast.cmpop], float] | None:
    """What is compared with a number, how, and with which; None for anything else."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    sign, value = 1, node.comparators[0]
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        sign, value = -1, value.operand
    number = value.value if isinstance(value, ast.Constant) else None
    if not isinstance(number, int | float) or isinstance(number, bool):
        return None
    return ast.dump(node.left), type(node.ops[0]), sign * nearest_float(number)


def _is_multiple(claim: ast.expr, given: ast.expr) -> bool:
    """Whether what is divided without a rest as `given` says, `n % 15 == 0`, is so as `claim` says, `n % 3 == 0`."""
    one, other = _divided(claim), _divided(given)
    return one is not None and other is not None and one[0] == other[0] and other[1] % one[1] == 0


def _divided(node: ast.expr) -> tuple[str, int] | None:
    """What has no rest by which number, above 0; None for anything else."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return None
    rest = node.left
    if whole_number(node.comparators[0]) != 0 or not isinstance(rest, ast.BinOp) or not isinstance(rest.op, ast.Mod):
        return None
    number = whole_number(rest.right)
    return (ast.dump(rest.left), number) if number is not None and number > 0 else None


def _is_told(claim: ast.Call, given: ast.Call, classes: _Bases) -> bool:
    """Whether a call says all that another one does, as `s.startswith("ab")` for `s.startswith("a")`."""
    if ast.dump(claim.func) != ast.dump(given.func):
        return False
    name = callee_name(claim)
    if name == "isinstance" and len(claim.args) == len(given.args) == 2:
        is_same = ast.dump(claim.args[0]) == ast.dump(given.args[0])
        return is_same and _covers(claim.args[1], given.args[1], classes)
    if name not in ("startswith", "endswith") or len(claim.args) != 1 or len(given.args) != 1:
        return False
    part, whole = (arg.value if isinstance(arg, ast.Constant) else None for arg in (claim.args[0], given.args[0]))
    if not isinstance(part, str) or not isinstance(whole, str):
        return False
    return whole.startswith(part) if name == "startswith" else whole.endswith(part)


def _covers(wide: ast.expr, narrow: ast.expr, classes: _Bases) -> bool:
    """Whether each of some classes is one of others, or derived from one of them."""
    known = _names(wide)
    return bool(known) and all(
        name and any(other and _is_derived(name, other, classes) for other in known) for name in _names(narrow)
    )


def _names(node: ast.expr) -> list[str]:
    """The names of a class or a tuple of classes, "" for one without."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return [part.id if isinstance(part, ast.Name) else "" for part in parts]


def _is_derived(name: str, other: str, classes: _Bases) -> bool:
    if name == other:
        return True
    if name in classes:
        return any(_is_derived(base, other, classes) for base in classes[name] if base != name)
    one, two = getattr(builtins, name, None), getattr(builtins, other, None)
    is_known = other not in classes and isinstance(one, type) and isinstance(two, type)
    return is_known and issubclass(one, two)  # type: ignore[arg-type]


def _bases(program: LocatedProgram) -> _Bases:
    """The classes of a program, each with the names of those that it is derived from."""
    return {node.name: [part.id for part in node.bases if isinstance(part, ast.Name)] for node in program.classes()}


BRANCHES: Final = (shadowed_branches, shadowed_handlers)
