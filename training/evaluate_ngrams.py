"""How well the model of natural code knows libraries that it was not trained on.

    python training/evaluate_ngrams.py FOLDER [--functions 300] [--changes 20]

FOLDER holds the wheels of training/held_out.json. Two figures: bits a word of their programs (the model alone, without
the cache of the program's own words); and the place of a function's own text among changed ones that the search's
templates make of it, by probability alone. No check is run, so a changed text may well be as right as the original.
"""

from __future__ import annotations

import argparse
import ast
import math
import statistics
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from ngram_corpus import listed_packages, read_package

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.propose.search.mutation import ScreenedMutation, splice_edits
from regreen.select import NgramScorer
from regreen.select.ngrams.code_words import word_class
from regreen.select.ngrams.ngram_table import NgramModel, shipped_model
from regreen.types import Site

LEAST_LINES, MOST_LINES = 6, 40
BATCH = 64


def bits_a_word(model: NgramModel, words: list[str]) -> float:
    """Mean over a program's words; one outside the vocabulary counts as its class."""
    total, hashes = 0.0, (0,)
    for word in words:
        number = model.vocabulary[word if word in model.vocabulary else word_class(word)]
        total -= model.after(hashes, number)
        hashes = model.extended(hashes, number)
    return total / len(words) / math.log(2)


def functions(wheel: Path) -> Iterator[str]:
    """The functions of a wheel's modules, of a length that a repair could be about."""
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".py") and "test" not in name:
                text = archive.read(name).decode("utf-8", "replace").replace("\r\n", "\n")
                for node in ast.parse(text).body:
                    source = ast.get_source_segment(text, node) or ""
                    if isinstance(node, ast.FunctionDef) and LEAST_LINES <= source.count("\n") <= MOST_LINES:
                        yield source + "\n"


def changed(source: str, count: int, rng: Random) -> list[str]:
    """Up to `count` texts that the templates make of one statement's lines, drawn by chance."""
    lines = source.count("\n") + 1
    search = BestFirstSearch(source, (Site(2, lines, 1.0),), gather_clues(source))
    found = []
    while len(found) < 10 * count and (batch := search.next_batch(BATCH)):
        found += batch
        search.learn([ScreenedMutation(mutation, "failed") for mutation in batch])
    line = rng.choice([mutation.line for mutation in found] or [1])
    near = [mutation for mutation in found if mutation.line == line]
    return [splice_edits(source, mutation.edits) for mutation in rng.sample(near, min(count, len(near)))]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the wheels are")
    parser.add_argument("--functions", type=int, default=300, help="functions at most, drawn by chance")
    parser.add_argument("--changes", type=int, default=20, help="changed texts of one line of a function")
    options = parser.parse_args()
    packages = listed_packages(Path(__file__).with_name("held_out.json"))
    model, rng = shipped_model(), Random(0)
    programs = [words for package in packages for words in read_package(options.folder, package) if len(words) > 100]
    weighed = sum(bits_a_word(model, words) * len(words) for words in programs) / sum(map(len, programs))
    print(f"{len(packages)} packages, {len(programs)} programs: {weighed:.2f} bits a word")
    sources = [source for package in packages for source in functions(options.folder / package.file)]
    places, firsts = [], 0
    for source in rng.sample(sources, min(options.functions, len(sources))):
        if others := changed(source, options.changes, rng):
            own, *nats = NgramScorer(model).log_probabilities([source, *others])
            better = sum(other > own for other in nats)
            firsts += better == 0
            places.append(better / len(others))
    print(f"{len(places)} functions: their own text is the most probable of {firsts}; a changed one is more probable")
    print(f"in {statistics.mean(places):.1%} of all changes (median {statistics.median(places):.1%})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
