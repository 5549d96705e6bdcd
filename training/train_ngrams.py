"""Makes the model of natural code that the package ships: n-grams of the words of well-known libraries.

    pip download --no-deps -d FOLDER NAME==VERSION ...   (those of packages.json, for CPython 3.11 on Linux x86-64)
    python training/train_ngrams.py FOLDER

Run by CPython 3.11.7, whose standard library is part of the data, with numpy; the same input gives the same bytes. It
takes about two minutes and 4 GB of memory. The method is interpolated Kneser-Ney with three discounts; n-grams that add
little to the likelihood are dropped, and back-off weights make the rest sum to 1.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from ngram_corpus import listed_packages, read_package
from numpy.typing import NDArray

from regreen.select.ngrams.code_words import WORD_CLASSES, word_class
from regreen.select.ngrams.ngram_table import (
    BACK_OFF_ONE,
    FINGERPRINT_BITS,
    HASH_FACTOR,
    HEADER,
    MAGIC,
    MIX_FACTOR,
    STEP,
    TABLE_HEADER,
)

ORDER = 6
VOCABULARY_SIZE = 9_000
LEAST_PACKAGES = 4
"""Packages that a word of the vocabulary occurs in."""
MOST_CHARACTERS = 24
LEAST_GAIN = 25.0
"""Nats that an n-gram must add to the likelihood of the data. At 6 the file is three times as large and the model has
5 % fewer bits a word, but it ranks programs no better."""
BUCKET_SIZE = 64

Floats = NDArray[np.float64]
Integers = NDArray[np.uint64]


@dataclass
class Grams:
    """All n-grams of one length, sorted by hash, as columns."""

    hashes: Integers
    counts: Floats
    """How often each occurs."""
    words: NDArray[np.int64]
    """The last word."""
    contexts: Integers
    """Hash of all but the last word."""
    shorter: NDArray[np.int64]
    """Where the n-gram without its first word stands among those that are one word shorter."""
    weights: Floats
    """What is discounted: for the longest the counts, for others the number of words that they follow."""
    probabilities: Floats
    passed_on: Floats
    """What the context passes on to shorter n-grams, as a share."""
    kept: NDArray[np.bool_]

    @property
    def steps(self) -> NDArray[np.uint8]:
        """Stored form of the probabilities."""
        return (np.round(-np.log(self.probabilities) / STEP).clip(0, 255)).astype(np.uint8)


def vocabulary(packages: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """The classes, then the words that occur in most packages; among equals those that occur most, then by text."""
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for programs in packages:
        counts.update(word for words in programs for word in words)
        spread.update({word for words in programs for word in words})
    fit = [
        word for word, n in spread.items() if n >= LEAST_PACKAGES and len(word) <= MOST_CHARACTERS and "\0" not in word
    ]
    fit.sort(key=lambda word: (-min(counts[word], 50 * spread[word]), word))
    return [*WORD_CLASSES, *fit[:VOCABULARY_SIZE]]


def numbered(packages: Sequence[Sequence[Sequence[str]]], words: Sequence[str]) -> Integers:
    """All programs as numbers of words, with the number of words before each program."""
    numbers = {word: number for number, word in enumerate(words)}
    found: list[int] = []
    for programs in packages:
        for program in programs:
            found.append(len(words))
            found += [numbers[word if word in numbers else word_class(word)] for word in program]
    return np.array(found, dtype=np.uint64)


def counted(numbers: Integers, order: int) -> list[Grams]:
    """The n-grams of 1, 2, ... words, none of which reaches over the beginning of a program: the largest number."""
    found: list[Grams] = []
    hashes, inside = numbers + np.uint64(1), numbers < numbers.max()
    previous: Integers = np.zeros(len(numbers), np.uint64)
    for length in range(1, order + 1):
        if length > 1:
            previous = hashes
            hashes = np.concatenate([[np.uint64(0)], previous[:-1]]) * np.uint64(HASH_FACTOR) + numbers + np.uint64(1)
            inside = inside & np.concatenate([[False], inside[:-1]])
        places = np.nonzero(inside)[0]
        unique, first, counts = np.unique(hashes[places], return_index=True, return_counts=True)
        at = places[first]
        empty = np.zeros(len(unique))
        contexts = previous[at - 1] if length > 1 else np.zeros(len(unique), np.uint64)
        shorter = np.searchsorted(found[-1].hashes, previous[at]) if found else np.zeros(len(unique), np.int64)
        words = numbers[at].astype(np.int64)
        counts = counts.astype(np.float64)
        found.append(
            Grams(unique, counts, words, contexts, shorter, counts, empty, empty, np.ones(len(unique), np.bool_))
        )
    for grams, longer in pairwise(found):
        # One that only ever begins a program follows nothing: it counts once.
        grams.weights = np.maximum(np.bincount(longer.shorter, minlength=len(grams.hashes)), 1).astype(np.float64)
    return found


def estimate(orders: Sequence[Grams]) -> None:
    """Set the probabilities, of single words first."""
    words = orders[0]
    words.probabilities = (words.weights + 0.5) / (words.weights.sum() + 0.5 * len(words.words))
    for shorter, grams in pairwise(orders):
        discounts = _discounts(grams.weights)
        _, group = np.unique(grams.contexts, return_inverse=True)
        totals = np.bincount(group, weights=grams.weights)
        grams.passed_on = (np.bincount(group, weights=discounts) / totals)[group]
        less = shorter.probabilities[grams.shorter]
        grams.probabilities = (grams.weights - discounts) / totals[group] + grams.passed_on * less


def _discounts(weights: Floats) -> Floats:
    """Chen and Goodman's three discounts: for weights of 1, of 2, and of 3 or more."""
    one, two, three, four = (max(int((weights == n).sum()), 1) for n in (1, 2, 3, 4))
    base = one / (one + 2 * two)
    by_weight = [1 - 2 * base * two / one, 2 - 3 * base * three / two, 3 - 4 * base * four / three]
    # Tiny data can give any number: a discount takes something away, and not all.
    bounded = [min(max(discount, 0.1), 0.9 * n) for n, discount in enumerate(by_weight, 1)]
    return np.select([weights == 1, weights == 2], bounded[:2], bounded[2])


def prune(orders: Sequence[Grams], least_gain: float) -> None:
    """Keep the n-grams that gain enough, and what these need: their contexts and the n-grams without the first word."""
    needed = [np.zeros(len(grams.hashes), np.bool_) for grams in orders]
    for place in range(len(orders) - 1, 0, -1):
        grams, shorter = orders[place], orders[place - 1]
        backed_off = grams.passed_on * shorter.probabilities[grams.shorter]
        gain = grams.counts * (np.log(grams.probabilities) - np.log(backed_off))
        grams.kept = needed[place] | ((gain > least_gain) & (grams.counts > 1))
        needed[place - 1][grams.shorter[grams.kept]] = True
        needed[place - 1][np.searchsorted(shorter.hashes, grams.contexts[grams.kept])] = True


def back_off_steps(grams: Grams, longer: Grams) -> NDArray[np.uint8]:
    """Stored form of the weights that make what follows each context sum to 1, with the stored probabilities."""
    context = np.searchsorted(grams.hashes, longer.contexts[longer.kept])
    size = len(grams.hashes)
    taken = np.bincount(context, weights=np.exp(longer.steps[longer.kept] * -STEP), minlength=size)
    covered = np.bincount(context, weights=np.exp(grams.steps[longer.shorter[longer.kept]] * -STEP), minlength=size)
    weights = np.maximum(1 - taken, 1e-4) / np.maximum(1 - covered, 1e-4)
    return (np.round(-np.log(weights) / STEP).clip(-BACK_OFF_ONE, 255 - BACK_OFF_ONE) + BACK_OFF_ONE).astype(np.uint8)


def packed(orders: Sequence[Grams], words: Sequence[str]) -> bytes:
    """The file's content."""
    text = "\0".join(words).encode()
    # A class that no word of the data is in has no count.
    probabilities, weights = np.full(len(words), 255, np.uint8), np.full(len(words), BACK_OFF_ONE, np.uint8)
    probabilities[orders[0].words] = orders[0].steps
    weights[orders[0].words] = back_off_steps(orders[0], orders[1])
    parts = [text, probabilities.tobytes(), weights.tobytes()]
    for place, grams in enumerate(orders[1:], 1):
        steps = back_off_steps(grams, orders[place + 1]) if place + 1 < len(orders) else None
        parts += _packed_table(grams, steps)
    body = b"".join(parts)
    return HEADER.pack(MAGIC, zlib.crc32(body), len(orders), len(words), len(text)) + body


def _packed_table(grams: Grams, back_off: NDArray[np.uint8] | None) -> list[bytes]:
    kept = np.nonzero(grams.kept)[0]
    bits = max(1, int(math.log2(max(len(kept), 1) / BUCKET_SIZE + 1)))
    keys = (grams.hashes[kept] * np.uint64(MIX_FACTOR)) >> np.uint64(64 - bits - FINGERPRINT_BITS)
    keys, first = np.unique(keys, return_index=True)
    rows = kept[first]
    starts = np.searchsorted(keys >> np.uint64(FINGERPRINT_BITS), np.arange((1 << bits) + 1, dtype=np.uint64))
    return [
        TABLE_HEADER.pack(len(rows), bits),
        starts.astype("<u4").tobytes(),
        (keys & np.uint64((1 << FINGERPRINT_BITS) - 1)).astype("<u4").tobytes(),
        grams.steps[rows].tobytes(),
        b"" if back_off is None else back_off[rows].tobytes(),
    ]


def train(packages: Sequence[Sequence[Sequence[str]]], *, order: int = ORDER, least_gain: float = LEAST_GAIN) -> bytes:
    """The file of a model of programs, which are given by package as words."""
    words = vocabulary(packages)
    orders = counted(numbered(packages, words), order)
    estimate(orders)
    prune(orders, least_gain)
    return packed(orders, words)


def without_copies(packages: Sequence[Sequence[Sequence[str]]]) -> list[list[Sequence[str]]]:
    """The packages without programs that an earlier one holds."""
    seen: set[tuple[str, ...]] = set()
    found = []
    for programs in packages:
        fresh = [words for words in programs if tuple(words) not in seen]
        seen.update(map(tuple, fresh))
        found.append(fresh)
    return found


def main() -> int:
    """Train and write."""
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the wheels are")
    parser.add_argument("--packages", type=Path, default=here / "packages.json", help="the data list")
    parser.add_argument("--out", type=Path, default=here.parent / "src/regreen/select/ngrams/python_ngrams.bin")
    options = parser.parse_args()
    packages = without_copies([read_package(options.folder, row) for row in listed_packages(options.packages)])
    content = train(packages)
    options.out.write_bytes(content)
    programs = sum(map(len, packages))
    words = sum(len(program) for package in packages for program in package)
    print(f"{len(packages)} packages, {programs} programs, {words} words: {len(content)} bytes in {options.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
