"""Further sequences of the calls that checks make on an object: what it remembers of them may be what is wrong.

As in random test generation (Pacheco, Lahiri, Ernst, Ball: Feedback-directed random test generation, ICSE 2007), calls
that are known to work are gone on with by others; here all of them come from the checks.
"""

from __future__ import annotations

import ast
import copy
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from regreen.select.inputs.read_assertions import passed_over
from regreen.select.inputs.scenarios import Scenario
from regreen.select.inputs.tests_module import renamed
from regreen.syntax import callee_name, names_within, nodes_of

_MOST_FURTHER_STEPS: Final = 4
_MOST_CROSSED: Final = 24
"""Sequences of one check's calls with what another one looks at, for each maker."""
_DOING: Final = 0.75
"""Share of the further steps that checks take for what they do, the others being what checks only look at."""
_OTHERWISE: Final = 0.5
"""How often what was done already is done with other values, and not just once more."""
_PASSED_OVER: Final = 0.5
"""How often a call that is to raise an exception is made as it is and passed over, and not with other values."""
_ENTERING: Final = frozenset({"__enter__", "__aenter__"})
_NodeT = TypeVar("_NodeT", bound=ast.AST)


@dataclass(frozen=True)
class _History:
    """What a check does with an object, which is called `name`, and what it looks at after it."""

    name: str
    maker: str
    """The class, or the function, that the object comes from."""
    setup: tuple[ast.stmt, ...]
    look: ast.expr
    is_refused: bool
    """Whether the check expects that what it looks at raises an exception."""

    @property
    def doings(self) -> list[ast.stmt]:
        """Calls whose results nobody keeps, and changes of attributes and items: of this object and what is beside it,
        such as a clock that it was handed."""
        return [node for node in self.setup if _is_step(node) and names_within(node) <= self.variables]

    @property
    def variables(self) -> set[str]:
        """The variables that the check gives a value before it looks."""
        return {self.name, *(name for node in self.setup for name, _ in _bound(node))}

    @property
    def looked(self) -> list[ast.stmt]:
        """The call that is looked at, as a statement; none where it is something else."""
        is_own = isinstance(_unawaited(self.look), ast.Call) and names_within(self.look) == {self.name}
        return [ast.Expr(self.look)] if is_own else []

    def called(self, name: str) -> _History:
        """The same with another name for the object."""
        setup = tuple(renamed(node, self.name, name) for node in self.setup)
        return _History(name, self.maker, setup, renamed(self.look, self.name, name), self.is_refused)


def call_sequences(
    scenarios: Sequence[Scenario], rng: random.Random, varied: Callable[[ast.stmt], ast.stmt]
) -> Iterator[Scenario]:
    """Without end, or none: the calls of one check, then up to four of others on an object from the same maker.

    What is looked at is what one of the checks looks at; first come the calls of one check alone, with what others look
    at. A call that is to raise an exception would end the sequence: it is passed over, or `varied`, which gives a
    statement with other inputs, as one is that was made already and may change nothing.
    """
    by_maker: defaultdict[str, list[_History]] = defaultdict(list)
    for history in filter(None, map(_history, scenarios)):
        same = by_maker[history.maker]
        same.append(history.called(same[0].name) if same else history)
    pools = [pool for pool in map(_Pool, by_maker.values()) if pool.is_of_use]
    for pool in pools:
        yield from pool.crossed(rng)
    while pools:
        yield from (pool.sequence(rng, varied) for pool in pools)


class _Pool:
    """The histories of objects from one maker, all under one name."""

    def __init__(self, histories: Sequence[_History]) -> None:
        self.begun = [history for history in histories if not history.is_refused] or list(histories)
        self.doings = _distinct(step for history in histories for step in history.doings)
        self.refused = _distinct(step for history in histories if history.is_refused for step in history.looked)
        self.looked = _distinct(step for history in self.begun for step in history.looked)
        self.looks = _distinct(history.look for history in self.begun if names_within(history.look) == {history.name})

    @property
    def is_of_use(self) -> bool:
        """Whether there is enough to put another way round, or something to vary."""
        steps = len(_distinct([*self.doings, *self.looked]))
        return bool(self.refused) or (steps > 0 and steps + len(self.looks) > 2)

    def crossed(self, rng: random.Random) -> Iterator[Scenario]:
        """What one check does, and what another one looks at: some of all such pairs, in any order."""
        pairs = [(begun, look) for begun in self.begun for look in self.looks if look is not begun.look]
        for begun, look in rng.sample(pairs, min(len(pairs), _MOST_CROSSED)):
            yield Scenario(begun.setup, look)

    def sequence(self, rng: random.Random, varied: Callable[[ast.stmt], ast.stmt]) -> Scenario:
        """What one check does, and a few steps of any."""
        begun = rng.choice(self.begun)
        doings = [*(step for step in self.doings if names_within(step) <= begun.variables), *self.refused]
        count = rng.randint(1, _MOST_FURTHER_STEPS) if doings or self.looked else 0
        further = list(begun.setup)
        for _ in range(count):
            step = self._step(rng, doings)
            is_idle = isinstance(step, ast.Assign) and ast.dump(step) == ast.dump(further[-1])
            is_done = ast.dump(step) in map(ast.dump, further)
            # What was done once is done once more in half of the cases, and else with another value.
            again = is_idle or (is_done and rng.random() < _OTHERWISE)
            if step in self.refused:
                step = passed_over([step]) if rng.random() < _PASSED_OVER else varied(step)
            further.append(varied(step) if again else step)
        return Scenario(tuple(further), rng.choice([*self.looks, begun.look]))

    def _step(self, rng: random.Random, doings: Sequence[ast.stmt]) -> ast.stmt:
        return rng.choice(doings if doings and (not self.looked or rng.random() < _DOING) else self.looked)


def _history(scenario: Scenario) -> _History | None:
    """The scenario as that of the one object that it looks at; None where that is none, or one of several."""
    is_refused = scenario.expected is not None and scenario.expected.startswith("raises ")
    made = {name: maker for node in scenario.setup for name, maker in _object_made(node)}
    looked_at = names_within(scenario.observed) & made.keys()
    if len(looked_at) == 1:
        (name,) = looked_at
        return _History(name, made[name], scenario.setup, scenario.observed, is_refused)
    inline = next(iter(nodes_of(scenario.observed, ast.Attribute)), None)
    call = inline.value if inline is not None else None
    if made or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    name = call.func.id.lower() if call.func.id[:1].isupper() else f"made_{call.func.id}"
    target: ast.expr = ast.Name(name, ast.Store())
    # A copy with the variable in the place of the call.
    look = copy.deepcopy(scenario.observed, {id(call): ast.Name(name, ast.Load())})
    return _History(name, call.func.id, (*scenario.setup, ast.Assign([target], call, lineno=1)), look, is_refused)


def _object_made(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """The variable that a statement binds to what a call gives, and what is called."""
    for name, value in _bound(node):
        made = _unentered(_unawaited(value))
        if isinstance(made, ast.Call):
            yield name, callee_name(made)


def _bound(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield node.targets[0].id, node.value


def _unawaited(value: ast.expr) -> ast.expr:
    return value.value if isinstance(value, ast.Await) else value


def _unentered(value: ast.expr) -> ast.expr:
    """What a `with` statement enters, where the value is what that gives."""
    is_entered = isinstance(value, ast.Call) and callee_name(value) in _ENTERING
    return value.func.value if is_entered and isinstance(value.func, ast.Attribute) else value  # type: ignore[attr-defined]


def _is_step(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(_unawaited(node.value), ast.Call)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    return bool(targets) and all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)


def _distinct(nodes: Iterable[_NodeT]) -> list[_NodeT]:
    return list({ast.dump(node): node for node in nodes}.values())
