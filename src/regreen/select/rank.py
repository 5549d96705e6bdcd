"""Room 5: ranks the candidates that pass, the best one first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2

from regreen.select.added_statements import count_unreachable
from regreen.select.boundaries import (
    crossed_chains,
    lopsided_pairs,
    numbers_for_names,
    odd_boundaries,
    odd_steps,
    stretched_steps,
    turned_steps,
)
from regreen.select.edit_extent import edit_size, moved_tokens
from regreen.select.frozen_starts import frozen_starts
from regreen.select.gains import signs_gained
from regreen.select.group_counts import overcounted_groups
from regreen.select.lost_values import lost_values, spared_tokens
from regreen.select.odd_answers import loosened_equalities, odd_answers
from regreen.select.odd_calls import half_means, idle_calls, uneven_calls
from regreen.select.odd_expressions import (
    changed_defaults,
    fixed_indices,
    odd_ranges,
    shared_extremes,
    torn_ranges,
)
from regreen.select.odd_operands import broken_parallels, ordered_values, overwritten_parameters, repeated_operands
from regreen.select.overfitting import overfitting_score
from regreen.select.prose import NO_PROSE, Prose, prose_cost
from regreen.select.side_effects import copied_defaults, newly_changed_arguments
from regreen.select.stray_reads import stray_reads
from regreen.select.tokens import significant_tokens
from regreen.select.uneven_conditions import uneven_turns, unfit_lengths
from regreen.select.vain_work import cut_fractions, vain_gatherings
from regreen.syntax import FUNCTIONS, UNPARSABLE, parsed_or_none, tree, walk
from regreen.types import Candidate, ProgramScorer

_OVERFITTING_WEIGHT = 10.0
"""Cost of an overfitting score of 1, in changed tokens."""

_NEGLECT_WEIGHT = 2.0
"""Cost of one parameter or variable that is never read, in changed tokens."""

_IDLE_WEIGHT = 2.0
"""Cost of one operation without effect, `x - 0` or `x * 1`, in changed tokens: leaving it out changes two."""

_SIDE_EFFECT_WEIGHT = 10.0
"""Cost of an argument that is changed in place and was not before, in changed tokens: as a result of an odd kind, since
few checks look at what they handed over."""

_STRAY_WEIGHT = 6.0
"""Cost, in changed tokens, of a value that is read where nobody means to: None of `append`, or a loop's variable after
the loop."""

_LOST_USE_WEIGHT = 3.0
"""Cost, in changed tokens, of a parameter or variable that was read before and no more: somebody meant it to be."""

_VAIN_WEIGHT = 4.0
"""Cost, in changed tokens, of a collection that is filled and never read, and was before: somebody meant it to be."""

_CUT_WEIGHT = 4.0
"""Cost, in changed tokens, of a division that rounds down and did not before, where the checks have fractions: dividing
by what is right takes three tokens more."""

_FROZEN_WEIGHT = 8.0
"""Cost, in changed tokens, of another first value for an attribute that nothing ever changes: counting it in a method
takes five tokens more."""

_ODD_ANSWER_WEIGHT = 6.0
"""Cost, in changed tokens, of a result that is no truth value from a function that says yes or no: as of a value that
nobody means to read."""

_LOOSENED_WEIGHT = 8.0
"""Cost, in changed tokens, of a comparison for equality that `__eq__` makes no more: it is seldom wrong, and checks
that compare objects pass by it."""

_CROSSED_WEIGHT = 6.0
"""Cost, in changed tokens, of a chain such as `low <= x >= high`, which nobody writes: `not` before a chain that points
one way takes one token, too."""

_LOPSIDED_WEIGHT = 2.5
"""Cost, in changed tokens, of one half of a pair changed, such as `a.start < b.end and b.start <= a.end`: to change
both takes one token more, and checks often ask one way round alone."""

_ODD_STEP_WEIGHT = 6.0
"""Cost, in changed tokens, of a count by one that goes by two, or that multiplies: people count by one, and a statement
that is missing elsewhere takes about six tokens."""

_COPIED_DEFAULT_WEIGHT = 8.0
"""Cost, in changed tokens, of a copy of what a parameter was given because its default is shared: `None` as the default
takes seven tokens more, and leaves what callers hand over as it is."""
_REPEATED_WEIGHT = 6.0
"""Cost, in changed tokens, of an operation on a value and itself: what it gives is known before it runs."""

_BROKEN_PARALLEL_WEIGHT = 3.0
"""Cost, in changed tokens, of one of several conditions that is changed alone where all asked alike: changing each of
three costs about as much."""

_ORDERED_WEIGHT = 6.0
"""Cost, in changed tokens, of texts or containers that are put in an order where they were compared for being equal:
that passes where checks happen to ask with a smaller one."""

_OVERWRITTEN_WEIGHT = 4.0
"""Cost, in changed tokens, of a parameter that a loop overwrites with something else."""

_FIXED_INDEX_WEIGHT = 2.0
"""Cost, in changed tokens, of a number for an index that was worked out: checks seldom ask about two places."""

_ODD_RANGE_WEIGHT = 3.0
"""Cost, in changed tokens, of a slice that ends before it begins, or of `at + -1`."""

_SHARED_EXTREME_WEIGHT = 4.0
"""Cost, in changed tokens, of an extreme divided by a count: a sum is, and an extreme stands alone."""

_TORN_RANGE_WEIGHT = 4.0
"""Cost, in changed tokens, of a range whose two ends ask about two values, and asked about one."""

_CHANGED_DEFAULT_WEIGHT = 2.0
"""Cost, in changed tokens, of another number as the default of a parameter: checks that leave it out cannot tell it
from what the function does with it, and to drop a `- 1` there takes two tokens."""

_UNREACHABLE_WEIGHT = 4.0
"""Cost, in changed tokens, of a statement that no run reaches any more: a `return` that is moved in front of another
one was too many, which takes about as many tokens to delete."""

_LOST_VALUE_WEIGHT = 6.0
"""Cost, in changed tokens, of a value that is worked out and overwritten before anything reads it: as of a value that
nobody means to read."""

_UNEVEN_WEIGHT = 6.0
"""Cost, in changed tokens, of a condition that names a variable twice where those beside it name each once: the turn
that is missing takes about eight."""

_UNFIT_LENGTH_WEIGHT = 2.0
"""Cost, in changed tokens, of a test of a length that does not fit the items read behind it: as of a further change."""

_IDLE_CALL_WEIGHT = 6.0
"""Cost, in changed tokens, of a call that has lost what makes it work: as of a value that nobody means to read."""

_HALF_MEAN_WEIGHT = 4.0
"""Cost, in changed tokens, of a sum of which the last part alone is divided: brackets take two."""

_UNEVEN_CALL_WEIGHT = 4.0
"""Cost, in changed tokens, of one of two calls that is handed more than the other one since: to hand it to both takes
about as many."""

_STRETCHED_WEIGHT = 2.5
"""Cost, in changed tokens, of a step of one that goes by two since: off by one is a common slip, off by two is none."""

_PRIOR_WEIGHT = 0.5
"""Cost, in changed tokens, of each halving of the prior below the best one."""

_LEAST_PRIOR = 1e-9

_TOGETHER_WEIGHT = 2.0
"""Cost, in changed tokens, of each further change that search combined with the first: a single change that suffices is
less likely to pass by chance."""

_ODD_BOUNDARY_WEIGHT = 1.5
"""Cost, in changed tokens, of a boundary such as `49 < x` where `50 <= x` passes as well: more than two nudges differ
in their priors, less than a further change."""

_NUMBER_FOR_NAME_WEIGHT = 2.0
"""Cost, in changed tokens, of a number where a variable passes as well: checks seldom ask with many different ones, and
a name has a lower prior and reads less probable than 2."""

_TURNED_STEP_WEIGHT = 2.5
"""Cost, in changed tokens, of `n + 1` where the program says `n - 1` and `n` passes as well: one symbol is changed
where two are dropped, yet the program is two off then, and people are off by one."""

_OVERCOUNT_WEIGHT = 3.0
"""Cost, in changed tokens, of `n // m + 1` where rounding up passes as well, which takes more tokens to write."""

_NATS_PER_TOKEN = 5.0
"""How much more probable a program must read to make up for one more changed token. Anything from 3 to 8 chose as well
on the programs that it was chosen by; docs/search.md has the figures."""

_NATS_OF_A_TOKEN = 2.0
"""What a word of a program is thought to cost in probability, in nats: without it, dropping code would read better than
any other change. One to two chose as well on the programs that it was chosen by."""

MOST_SCORED = 60
"""How many candidates are compared by their probability: those with the lowest cost."""

_NEUTRAL: dict[type[ast.operator], int] = {
    ast.Add: 0,
    ast.Sub: 0,
    ast.Mult: 1,
    ast.Div: 1,
    ast.FloorDiv: 1,
    ast.Pow: 1,
}
"""The right operand with which an operator leaves its left one as it is, or nearly so."""


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate that passes, with the search's estimate of it."""

    candidate: Candidate
    prior: float = 0.0
    """How often the template that made it is right, in [0, 1]."""
    line: int = 0
    """The first line that it changes."""


def rank_candidates(
    plausible: Sequence[RankedCandidate],
    before: str,
    checks_text: str = "",
    scorer: ProgramScorer | None = None,
    prose: Prose = NO_PROSE,
) -> list[RankedCandidate]:
    """The candidates, the best one first; the order of `plausible` does not matter.

    Ranked by cost: the size of the edit of `before`, to which special cases for literals of `checks_text`, unused
    variables, values read astray or gathered in vain, fractions cut off, statements out of reach, answers of an odd
    kind, equality loosened, chains that turn round, copies for the sake of a default, operations without effect,
    arguments changed in place, combined changes, odd boundaries, numbers for names, turned steps, what contradicts
    `prose` and a prior below the best one add. Among equals, the better prior comes first, then fewer new constants,
    then the earlier line, then the text itself.
    With a `scorer`, those of lowest cost are ranked once more, by cost and by how probable it finds their text, for its
    length.
    """
    return [ranked for ranked, _ in priced_candidates(plausible, before, checks_text, scorer, prose)]


def priced_candidates(
    plausible: Sequence[RankedCandidate],
    before: str,
    checks_text: str = "",
    scorer: ProgramScorer | None = None,
    prose: Prose = NO_PROSE,
) -> list[tuple[RankedCandidate, float]]:
    """As `rank_candidates`, each with its cost in changed tokens: only the differences count."""
    best = max((ranked.prior for ranked in plausible), default=0.0)
    texts = [ranked.candidate.source for ranked in plausible]
    counted = (
        (_ODD_BOUNDARY_WEIGHT, odd_boundaries(texts)),
        (_NUMBER_FOR_NAME_WEIGHT, numbers_for_names(before, texts)),
        (_TURNED_STEP_WEIGHT, turned_steps(before, texts)),
        (_OVERCOUNT_WEIGHT, overcounted_groups(before, texts)),
    )
    beside = [sum(weight * counts[n] for weight, counts in counted) for n in range(len(texts))]
    keyed = sorted((_key(ranked, before, checks_text, best, beside[n], prose), n) for n, ranked in enumerate(plausible))
    ordered = [(plausible[n], key[0]) for key, n in keyed]
    if scorer is None or len(ordered) < 2:
        return ordered
    scored = ordered[:MOST_SCORED]
    sources = [ranked.candidate.source for ranked, _ in scored]
    nats = [
        likely + _NATS_OF_A_TOKEN * len(significant_tokens(source))
        for likely, source in zip(scorer.log_probabilities(sources), sources, strict=True)
    ]
    costs = [cost + (max(nats) - likely) / _NATS_PER_TOKEN for (_, cost), likely in zip(scored, nats, strict=True)]
    again = sorted(range(len(scored)), key=lambda place: (costs[place], place))
    worst = max(costs)
    rest = [(ranked, max(cost, worst)) for ranked, cost in ordered[MOST_SCORED:]]
    return [*((scored[place][0], costs[place]) for place in again), *rest]


def ranking_cost(before: str, after: str, checks_text: str = "") -> float:
    """The cost of choosing `after`, in changed tokens: at least 0, and 0 for no change at all."""
    if before == after:
        return 0.0
    cost = edit_size(before, after).tokens + _OVERFITTING_WEIGHT * overfitting_score(before, after, checks_text)
    cost += _FROZEN_WEIGHT * frozen_starts(before, after)
    cost += _VAIN_WEIGHT * vain_gatherings(before, after) + _CUT_WEIGHT * cut_fractions(before, after, checks_text)
    cost += _REPEATED_WEIGHT * repeated_operands(before, after) + _ORDERED_WEIGHT * ordered_values(before, after)
    cost += _BROKEN_PARALLEL_WEIGHT * broken_parallels(before, after)
    cost += _FIXED_INDEX_WEIGHT * fixed_indices(before, after) + _ODD_RANGE_WEIGHT * odd_ranges(before, after)
    cost += _SHARED_EXTREME_WEIGHT * shared_extremes(before, after) + _TORN_RANGE_WEIGHT * torn_ranges(before, after)
    cost += _CHANGED_DEFAULT_WEIGHT * changed_defaults(before, after)
    cost += _OVERWRITTEN_WEIGHT * overwritten_parameters(before, after)
    cost += _UNREACHABLE_WEIGHT * max(count_unreachable(after) - count_unreachable(before), 0)
    cost += _SIDE_EFFECT_WEIGHT * newly_changed_arguments(before, after) + _STRAY_WEIGHT * stray_reads(before, after)
    cost += _ODD_ANSWER_WEIGHT * odd_answers(before, after) + _LOOSENED_WEIGHT * loosened_equalities(before, after)
    cost += _COPIED_DEFAULT_WEIGHT * copied_defaults(before, after) + _CROSSED_WEIGHT * crossed_chains(before, after)
    cost += _LOPSIDED_WEIGHT * lopsided_pairs(before, after) + _ODD_STEP_WEIGHT * odd_steps(before, after)
    cost += _UNEVEN_WEIGHT * uneven_turns(before, after) + _UNEVEN_CALL_WEIGHT * uneven_calls(before, after)
    cost += _IDLE_CALL_WEIGHT * idle_calls(before, after) + _HALF_MEAN_WEIGHT * half_means(after)
    cost += _STRETCHED_WEIGHT * stretched_steps(before, after) - moved_tokens(before, after)
    cost += _UNFIT_LENGTH_WEIGHT * unfit_lengths(after)
    cost += _LOST_VALUE_WEIGHT * lost_values(after) - spared_tokens(before, after)
    try:
        cost += _NEGLECT_WEIGHT * len(unused_names(after)) + _LOST_USE_WEIGHT * _lost_uses(before, after)
    except UNPARSABLE:
        return cost
    return cost + _IDLE_WEIGHT * idle_operations(after)


@lru_cache(maxsize=64)
def idle_operations(source: str) -> int:
    """Number of operations without effect: adding 0, multiplying by 1, slicing in steps of 1, powers of 1 and -1,
    `x for x in xs`; 0 where the program does not parse."""
    try:
        nodes = walk(tree(source))
    except UNPARSABLE:
        return 0
    return sum(_is_idle(node) for node in nodes)


def _is_idle(node: ast.AST) -> bool:
    if isinstance(node, ast.Slice):
        return isinstance(node.step, ast.Constant) and node.step.value == 1
    if isinstance(node, ast.GeneratorExp):
        return _hands_on(node)
    if not isinstance(node, ast.BinOp):
        return False
    value = node.right.value if isinstance(node.right, ast.Constant) else None
    if isinstance(node.op, ast.Pow) and type(value) is int and ast.unparse(node.left) in ("1", "-1"):
        return True
    return type(value) in (int, float) and value == _NEUTRAL.get(type(node.op))


def _hands_on(node: ast.GeneratorExp) -> bool:
    """Whether a generator gives what it takes: `sum(x for x in xs)`."""
    each, *more = node.generators
    return not more and not each.ifs and isinstance(node.elt, ast.Name) and ast.unparse(each.target) == node.elt.id


@lru_cache(maxsize=64)
def unused_names(source: str) -> frozenset[tuple[str, str]]:
    """(function, name) of every parameter and variable that its function sets and never reads.

    Raises what `ast.parse` raises.
    """
    found: set[tuple[str, str]] = set()
    for function in walk(tree(source)):
        if isinstance(function, FUNCTIONS):
            read = {name for name, is_read in _names(function) if is_read}
            found |= {(function.name, name) for name, _ in _names(function) if name not in read and name[0] != "_"}
    return frozenset(found)


def _lost_uses(before: str, after: str) -> int:
    """How many names `after` never reads that `before` did or did not have; 0 where `before` does not parse."""
    if parsed_or_none(before) is None:
        return 0
    return len(unused_names(after) - unused_names(before))


def _key(
    ranked: RankedCandidate, before: str, checks_text: str, best: float, beside: float, prose: Prose
) -> tuple[float, float, int, int, str]:
    after = ranked.candidate.source
    unlikely = _PRIOR_WEIGHT * log2(max(best, _LEAST_PRIOR) / max(ranked.prior, _LEAST_PRIOR))
    together = _TOGETHER_WEIGHT * (ranked.candidate.changes - 1)
    cost = ranking_cost(before, after, checks_text) + prose_cost(prose, before, after)
    cost = round(cost + unlikely + together + beside, 3)
    return cost, -ranked.prior, _new_constants(before, after), ranked.line, after


def _names(function: ast.AST) -> Iterator[tuple[str, bool]]:
    """Each parameter and name under a function, and whether it is read there."""
    for node in walk(function):
        if isinstance(node, ast.arg):
            yield node.arg, node.arg in {"self", "cls"}
        elif isinstance(node, ast.Name):
            yield node.id, not isinstance(node.ctx, ast.Store)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from ((name, True) for name in node.names)


def _new_constants(before: str, after: str) -> int:
    """Number of constants that `after` has more than `before`; 0 where one of them does not parse."""
    return signs_gained(before, after, _constants)


def _constants(source: str) -> Iterator[str]:
    return (repr(node.value) for node in walk(tree(source)) if isinstance(node, ast.Constant))
