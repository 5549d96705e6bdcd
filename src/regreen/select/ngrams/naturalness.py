"""How natural programs read: their log-probability under the shipped n-gram model and a cache of the program's words.

The cache is that of Hellendoorn and Devanbu, "Are deep neural networks the best choice for modeling source code?",
2017: names and phrases of a program recur in it, whatever other programs hold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Final

from regreen.select.ngrams.code_words import code_words, word_class
from regreen.select.ngrams.ngram_table import NgramModel, shipped_model

FOLLOWING_WORDS: Final = 20
"""Words after the last difference whose probabilities count too: what comes before them is part of how they read."""
CACHED_WORDS: Final = 5_000
"""Words before the first difference that the cache remembers, the nearest ones."""
_OPEN_WORDS: Final = 10_000
"""Words that each class outside the vocabulary is taken to hold."""
_NEW_WORDS: Final = 2.0
"""How strongly a class is expected to give words that the program has not used."""
_WORD_SHARE: Final = 0.05
"""Share of the probability that goes by the program's words, whatever they follow."""
_PHRASE_SHARE: Final = 0.5
"""Most of the probability that each length of phrases takes over from the shorter ones."""
_PHRASE_DOUBTS: Final = (20.0, 6.0, 2.0)
"""After 1, 2 and 3 words: how often a phrase must have begun in the program to count half of that."""
# These were chosen by the bits a word of held-out libraries; doubling or halving one costs less than 1 %.


class NgramScorer:
    """A `ProgramScorer` by n-grams; it needs no service, and about a millisecond a program."""

    def __init__(self, model: NgramModel | None = None) -> None:
        """`model` is the shipped one when None, which is then read once two programs are compared."""
        self._model = model

    def log_probabilities(self, programs: Sequence[str], statement: str = "") -> list[float]:
        """Nats of each program, counted from where the programs first differ to a little after they last do.

        N-grams tell nothing of the `statement`.
        """
        texts = [code_words(program) for program in programs]
        if len(texts) < 2:
            return [0.0] * len(texts)
        start, same_end = _shared_ends(texts)
        reader = _ContinuationReader(self._model or shipped_model(), texts[0][max(0, start - CACHED_WORDS) : start])
        return [reader.log_probability(words[start : len(words) - same_end + FOLLOWING_WORDS]) for words in texts]


def _shared_ends(texts: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Number of words with which all texts begin, and of those with which all of them then end."""
    shortest, longest = min(texts, key=len), len(min(texts, key=len))
    start = next((n for n in range(longest) if any(text[n] != shortest[n] for text in texts)), longest)
    end = next((n for n in range(1, longest - start + 1) if any(text[-n] != shortest[-n] for text in texts)), 0)
    return start, end - 1 if end else longest - start


@dataclass(slots=True)
class _Cache:
    """How often the words of a program occur, and what they follow."""

    words: Counter[str] = field(default_factory=Counter)
    in_class: Counter[str] = field(default_factory=Counter)
    """Occurrences of words outside the vocabulary, by class."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Different words outside the vocabulary, by class."""
    after: defaultdict[tuple[str, ...], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """What follows each phrase of 1 to 3 words."""
    begun: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """How often a word follows a phrase."""
    total: int = 0

    def add(self, history: tuple[str, ...], word: str, kind: str | None, times: int) -> None:
        """Count a word after its history `times` more, which is 1, or -1 to take it back."""
        self.total += times
        self.words[word] += times
        if kind is not None:
            self.in_class[kind] += times
            self.kinds[kind] += times * (self.words[word] == (times > 0))
        for length in range(1, len(history) + 1):
            phrase = history[-length:]
            self.after[phrase][word] += times
            self.begun[phrase] += times


class _ContinuationReader:
    """Reads continuations of one beginning."""

    def __init__(self, model: NgramModel, beginning: Sequence[str]) -> None:
        self._model = model
        self._cache = _Cache()
        self._history: tuple[str, ...] = ()
        self._hashes: tuple[int, ...] = (0,)
        for word in beginning:
            self._step(word)

    def log_probability(self, words: Sequence[str]) -> float:
        """Nats of the words after the beginning, each of which is remembered for the next."""
        history, hashes = self._history, self._hashes
        total = 0.0
        steps: list[tuple[tuple[str, ...], str, str | None]] = []
        for word in words:
            total += log(self._probability(word))
            steps.append((self._history, word, self._class(word)))
            self._step(word)
        for step in steps:
            self._cache.add(*step, -1)
        self._history, self._hashes = history, hashes
        return total

    def _class(self, word: str) -> str | None:
        return None if word in self._model.vocabulary else word_class(word)

    def _step(self, word: str) -> None:
        kind = self._class(word)
        self._cache.add(self._history, word, kind, 1)
        self._history = (*self._history, word)[-len(_PHRASE_DOUBTS) :]
        self._hashes = self._model.extended(self._hashes, self._model.vocabulary[kind or word])

    def _probability(self, word: str) -> float:
        """Of a word after the history: by the model, by the program's words, and by its phrases, shorter ones first."""
        cache, kind = self._cache, self._class(word)
        found = exp(self._model.after(self._hashes, self._model.vocabulary[kind or word]))
        if kind is not None:
            found *= self._within_class(word, kind)
        if cache.total:
            found += _WORD_SHARE * (cache.words[word] / cache.total - found)
        for length, doubt in enumerate(_PHRASE_DOUBTS[: len(self._history)], 1):
            phrase = self._history[-length:]
            begun = cache.begun[phrase]
            if not begun:
                break
            found += _PHRASE_SHARE * begun / (begun + doubt) * (cache.after[phrase][word] / begun - found)
        return found

    def _within_class(self, word: str, kind: str) -> float:
        """The probability of a word outside the vocabulary among those of its class."""
        new = (self._cache.kinds[kind] + 1) * _NEW_WORDS
        return (self._cache.words[word] + new / _OPEN_WORDS) / (self._cache.in_class[kind] + new)
