"""The shipped n-gram model of Python code: a table of probabilities, read once and looked up by hash.

A back-off model in the form of ARPA files (interpolated Kneser-Ney with three discounts: Chen and Goodman, "An
empirical study of smoothing techniques for language modeling", 1999), pruned by what each n-gram adds to the likelihood
of the text that it was trained on (Seymore and Rosenfeld, 1996). `training/` makes the file.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from regreen.errors import RegreenError

MAGIC: Final = b"RGNGRAM1"
HEADER: Final = struct.Struct("<8sIIII")
"""Magic, CRC-32 of all that follows the header, longest n-gram, number of words, bytes of the vocabulary."""
TABLE_HEADER: Final = struct.Struct("<II")
"""Of the n-grams of one length: how many there are, and the bits of a hash that choose the bucket."""
STEP: Final = 0.07
"""Nats that one step of a stored number is worth."""
BACK_OFF_ONE: Final = 30
"""The stored back-off weight that stands for 1: larger ones are below 1."""
FINGERPRINT_BITS: Final = 32
MASK: Final = (1 << 64) - 1
HASH_FACTOR: Final = 6364136223846793005
MIX_FACTOR: Final = 0x9E3779B97F4A7C15
_FILE: Final = "python_ngrams.bin"


@dataclass(frozen=True, slots=True)
class _Table:
    """The n-grams of one length, sorted by hash: bucket, then fingerprint."""

    shift: int
    starts: array[int]
    """Where each bucket begins, and at last where the last one ends."""
    fingerprints: array[int]
    probabilities: bytes
    """Steps below probability 1 of the last word after the others."""
    weights: bytes
    """Of backing off from the n-gram as a context; empty for the longest."""

    def find(self, hashed: int) -> int:
        """The place of an n-gram, -1 where the table lacks it; one in some 10 million is taken for another."""
        mixed = hashed * MIX_FACTOR & MASK
        bucket = mixed >> self.shift
        fingerprint = mixed >> (self.shift - FINGERPRINT_BITS) & (1 << FINGERPRINT_BITS) - 1
        end = self.starts[bucket + 1]
        place = bisect_left(self.fingerprints, fingerprint, self.starts[bucket], end)
        return place if place < end and self.fingerprints[place] == fingerprint else -1


class NgramModel:
    """Probabilities of words after other words."""

    def __init__(self, content: bytes) -> None:
        """Read the content of a file. Raises RegreenError where it is none of ours, or damaged."""
        try:
            self._read(content)
        except (struct.error, ValueError) as error:
            raise RegreenError(
                f"The model of natural Python code is damaged: {error}.", remedy="Install Regreen again."
            ) from None

    def _read(self, content: bytes) -> None:
        magic, checksum, self.order, words, text_bytes = HEADER.unpack_from(content)
        if magic != MAGIC or checksum != zlib.crc32(memoryview(content)[HEADER.size :]):
            raise ValueError("its beginning or its checksum is not what it has to be")
        reader = _TableReader(content, HEADER.size)
        spelled = reader.take(text_bytes).decode("utf-8").split("\0")
        if len(spelled) != words:
            raise ValueError(f"it holds {len(spelled)} words and says {words}")
        self.vocabulary: dict[str, int] = {word: number for number, word in enumerate(spelled)}
        """The number of each word, and of each class of other words."""
        self._probabilities = reader.take(words)
        self._weights = reader.take(words)
        self._tables = [reader.table(has_weights=length < self.order) for length in range(2, self.order + 1)]
        if reader.at != len(content):
            raise ValueError("more follows than it says")

    def log_probability(self, context: Sequence[int], word: int) -> float:
        """Of a word after others, of which the last `order` - 1 count, in nats; words by their numbers."""
        hashes: tuple[int, ...] = (0,)
        for number in context:
            hashes = self.extended(hashes, number)
        return self.after(hashes, word)

    def extended(self, hashes: Sequence[int], word: int) -> tuple[int, ...]:
        """The hashes of a context that `word` follows, from those of the context; (0,) is that of an empty one."""
        return 0, *[hashed * HASH_FACTOR + word + 1 & MASK for hashed in hashes[: self.order - 1]]

    def after(self, hashes: Sequence[int], word: int) -> float:
        """As `log_probability`; `hashes` are those of the last 0, 1, 2, ... words of the context."""
        steps = 0
        for length in range(len(hashes) - 1, 0, -1):
            table = self._tables[length - 1]
            place = table.find(hashes[length] * HASH_FACTOR + word + 1 & MASK)
            if place >= 0:
                return -STEP * (steps + table.probabilities[place])
            steps += self._back_off(length, hashes[length])
        return -STEP * (steps + self._probabilities[word])

    def _back_off(self, length: int, hashed: int) -> int:
        """The weight, in steps, of backing off from a context of `length` words."""
        if length == 1:
            return self._weights[hashed - 1] - BACK_OFF_ONE
        table = self._tables[length - 2]
        place = table.find(hashed)
        return table.weights[place] - BACK_OFF_ONE if place >= 0 else 0


@dataclass
class _TableReader:
    """Reads the parts of a file in order; raises ValueError where it ends too early."""

    content: bytes
    at: int

    def take(self, size: int) -> bytes:
        part = self.content[self.at : self.at + size]
        if len(part) != size:
            raise ValueError("it ends too early")
        self.at += size
        return part

    def numbers(self, code: str, count: int) -> array[int]:
        found = array(code)
        found.frombytes(self.take(count * found.itemsize))
        if sys.byteorder == "big":
            found.byteswap()
        return found

    def table(self, *, has_weights: bool) -> _Table:
        entries, bits = TABLE_HEADER.unpack(self.take(TABLE_HEADER.size))
        return _Table(
            shift=64 - bits,
            starts=self.numbers("I", (1 << bits) + 1),
            fingerprints=self.numbers("I", entries),
            probabilities=self.take(entries),
            weights=self.take(entries if has_weights else 0),
        )


@cache
def shipped_model() -> NgramModel:
    """The model that the package holds."""
    return NgramModel((files("regreen.select.ngrams") / _FILE).read_bytes())
