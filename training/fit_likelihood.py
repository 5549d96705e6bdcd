"""Fit the model of how likely a repair is to be right, and show how well it is calibrated.

    python training/fit_likelihood.py ROWS.jsonl [--near]

ROWS.jsonl comes from benchmarks/choice.py --rows: the features of one repair a line, whether it is right, and the
program that it is of, whose name begins with that of its data set. Shown are the weights for
`regreen.select.likelihood`, and, by cross-validation that never fits and tests on the same program, how often repairs
were right by what was said of them. With --near the weights stay near the present ones, and move as far as the rows
ask: for a few hundred rows more, where those of the last fit are not at hand.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence, Set
from dataclasses import dataclass
from math import log
from pathlib import Path

from regreen.select.likelihood import WEIGHTS, likelihood_from

RIDGE = 1.0
"""Weight of the squares of the weights: features that tell little stay near 0."""
NEAR_RIDGE = 10.0
"""The same of how far the weights move from the present ones."""
SIGNS = (1, 1, -1, -1, 0, 1, -1, -1, -1, -1, 1, 1)
"""Of the weight of each feature, where reason knows it: a few hundred rows may seem to say that more checks are less
sure than few."""
FOLDS = 10
STEPS = 25
BINS = 5
DOUBTFUL = 0.5
"""Below it, a repair is handed over with a warning."""


@dataclass(frozen=True)
class Row:
    """One repair whose end is known."""

    program: str
    features: tuple[float, ...]
    right: bool


def read_rows(path: Path) -> list[Row]:
    """The rows of a file."""
    values = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Row(value["program"], tuple(value["features"]), bool(value["right"])) for value in values]


def fitted(rows: Sequence[Row], near: Sequence[float] = ()) -> tuple[float, ...]:
    """The weights that make the rows likeliest, none of the wrong sign: a feature that would have one is left out.

    They stay near 0, or near those weights.
    """
    without: set[int] = set()
    while True:
        weights = _likeliest(rows, without, near)
        wrong = {n for n, (weight, sign) in enumerate(zip(weights[1:], SIGNS, strict=True)) if sign * weight < 0}
        if not wrong:
            return weights
        without |= wrong


def _likeliest(rows: Sequence[Row], without: Set[int], near: Sequence[float]) -> tuple[float, ...]:
    """The weights, by Newton's method; those of the features at the places `without` are 0."""
    inputs = [(1.0, *(0.0 if n in without else value for n, value in enumerate(row.features))) for row in rows]
    size = len(inputs[0])
    ridge, centre = (NEAR_RIDGE, list(near)) if near else (RIDGE, [0.0] * size)
    for n in without:
        centre[n + 1] = 0.0
    weights = list(centre)
    for _ in range(STEPS):
        said = [likelihood_from(values[1:], weights) for values in inputs]
        slope = [-ridge * (weight - centre[n]) * (n > 0) for n, weight in enumerate(weights)]
        curve = [[ridge * (n == m) * (n > 0) + 1e-9 * (n == m) for m in range(size)] for n in range(size)]
        for values, row, chance in zip(inputs, rows, said, strict=True):
            for n in range(size):
                slope[n] += (row.right - chance) * values[n]
                for m in range(size):
                    curve[n][m] += chance * (1 - chance) * values[n] * values[m]
        weights = [weight + step for weight, step in zip(weights, solved(curve, slope), strict=True)]
    return tuple(weights)


def solved(matrix: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float]:
    """The solution of a system of linear equations, by elimination with the largest pivot."""
    lines = [[*row, value] for row, value in zip(matrix, wanted, strict=True)]
    for column in range(len(lines)):
        pivot = max(range(column, len(lines)), key=lambda line: abs(lines[line][column]))
        lines[column], lines[pivot] = lines[pivot], lines[column]
        head = lines[column]
        for other, line in enumerate(lines):
            if other != column:
                factor = line[column] / head[column]
                lines[other] = [value - factor * above for value, above in zip(line, head, strict=True)]
    return [line[-1] / line[n] for n, line in enumerate(lines)]


def held_out(rows: Sequence[Row], near: Sequence[float]) -> list[float]:
    """What is said of each row by a model that was fitted without its program."""
    programs = sorted({row.program for row in rows})
    random.Random(0).shuffle(programs)
    fold = {program: number % FOLDS for number, program in enumerate(programs)}
    models = [fitted([row for row in rows if fold[row.program] != number], near) for number in range(FOLDS)]
    return [likelihood_from(row.features, models[fold[row.program]]) for row in rows]


def calibration_error(said: Sequence[float], right: Sequence[bool]) -> float:
    """The expected calibration error, in [0, 1], over `BINS` bins of equal width."""
    found = bins_of(said, right)
    return sum(len(some) * abs(mean(c for c, _ in some) - mean(float(r) for _, r in some)) for some in found) / len(
        said
    )


def bins_of(said: Sequence[float], right: Sequence[bool]) -> list[list[tuple[float, bool]]]:
    """The pairs of each bin that has any, by what was said."""
    pairs = list(zip(said, right, strict=True))
    bins = [[p for p in pairs if int(min(p[0], 0.999) * BINS) == number] for number in range(BINS)]
    return [some for some in bins if some]


def show_part(name: str, pairs: Sequence[tuple[float, bool]]) -> None:
    """One line on the repairs of one data set: how well it is calibrated, and what the user is warned of."""
    chances, true = [chance for chance, _ in pairs], [right for _, right in pairs]
    silent = sum(chance >= DOUBTFUL and not right for chance, right in pairs)
    warned = [right for chance, right in pairs if chance < DOUBTFUL]
    print(
        f"{name}: expected calibration error {calibration_error(chances, true):.3f} over {len(pairs)}; wrong without a "
        f"warning {silent}, warned of {len(warned)}, of which {sum(warned)} were right"
    )


def mean(values: object) -> float:
    """The mean of numbers; there must be one."""
    numbers = list(values)  # type: ignore[call-overload]
    return float(sum(numbers) / len(numbers))


def main() -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--near", action="store_true", help="stay near the present weights")
    given = parser.parse_args()
    rows, near = read_rows(given.rows), WEIGHTS if given.near else ()
    said, right = held_out(rows, near), [row.right for row in rows]
    print("WEIGHTS =", tuple(round(weight, 3) for weight in fitted(rows, near)))
    print(f"{len(rows)} repairs of {len({row.program for row in rows})} programs, {sum(right)} right")
    for some in bins_of(said, right):
        print(f"said {mean(c for c, _ in some):.2f}: right {mean(float(r) for _, r in some):.2f} of {len(some)}")
    error = calibration_error(said, right)
    nats = mean(log(chance if is_right else 1 - chance) for chance, is_right in zip(said, right, strict=True))
    print(f"expected calibration error {error:.3f}, log likelihood {nats:.3f}")
    for name in sorted({row.program.partition("/")[0] for row in rows}):
        show_part(name, [(c, r.right) for c, r in zip(said, rows, strict=True) if r.program.startswith(f"{name}/")])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
