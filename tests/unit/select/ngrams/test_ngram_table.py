"""The file with the n-grams: whole, small, the same for the same data, and a probability distribution."""

from __future__ import annotations

import struct
import zlib
from importlib.resources import files
from math import exp

import pytest
from train_ngrams import train

from regreen.errors import RegreenError
from regreen.select.ngrams.code_words import code_words, word_class
from regreen.select.ngrams.ngram_table import HEADER, NgramModel, shipped_model

PROGRAMS = [
    [
        code_words(
            "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n"
        )
    ],
    [code_words("def count(items):\n    result = 0\n    for item in items:\n        result += 1\n    return result\n")],
    [code_words("for item in items:\n    print(item)\n")] * 2,
    [code_words("def first(items):\n    for item in items:\n        return item\n    return None\n")],
]


@pytest.fixture(scope="module")
def small() -> bytes:
    """The file of a model of a few lines, every n-gram kept that occurs twice."""
    return train(PROGRAMS, order=4, least_gain=0.0)


def context_of(model: NgramModel, text: str) -> list[int]:
    vocabulary = model.vocabulary
    return [vocabulary[word if word in vocabulary else word_class(word)] for word in code_words(text)]


@pytest.mark.parametrize("before", ["", "for", "for item in", "return self", "if x is not", "zyx = qwertz + 0.125 *"])
def test_what_may_follow_sums_to_one(before: str) -> None:
    """Over the whole vocabulary, up to the rounding of what is stored."""
    model = shipped_model()
    context = context_of(model, before)
    total = sum(exp(model.log_probability(context, word)) for word in model.vocabulary.values())
    assert total == pytest.approx(1, abs=0.05)


def test_the_shipped_model_knows_python() -> None:
    """What people write is likelier than what they do not."""
    model = shipped_model()
    name = model.vocabulary

    def likely(before: str, word: str) -> float:
        return model.log_probability(context_of(model, before), name[word])

    assert likely("for i in", "range") > likely("for i in", "len") + 2
    assert likely("if value is not", "None") > likely("if value is not", "True") + 2
    assert likely("if value:\n    return", "False") > likely("if value:\n    return", "in") + 1


def test_the_shipped_file_is_small() -> None:
    """It is part of every installation, and of the repository."""
    assert len((files("regreen.select.ngrams") / "python_ngrams.bin").read_bytes()) < 4_000_000


def test_the_same_programs_give_the_same_file(small: bytes) -> None:
    """Training has no chance in it."""
    assert train(PROGRAMS, order=4, least_gain=0.0) == small


def test_longer_contexts_tell_more(small: bytes) -> None:
    """`item` follows `for`, and hardly anything follows it but `in`."""
    model = NgramModel(small)
    word = model.vocabulary["in"]
    alone, after = (model.log_probability(context_of(model, text), word) for text in ("", "for item"))
    assert after > alone + 1
    far = [*context_of(model, "print print print print"), *context_of(model, "for item")]
    assert model.log_probability(far, word) == pytest.approx(after, abs=2), "an unseen beginning is backed off from"


def damaged(content: bytes) -> dict[str, bytes]:
    """Files that are not the model, by what is wrong with them."""
    words = content[: HEADER.size - 8] + struct.pack("<I", 7) + content[HEADER.size - 4 :]
    short = content[:-9]
    resealed = HEADER.pack(
        *HEADER.unpack_from(content)[:1], zlib.crc32(short[HEADER.size :]), *HEADER.unpack_from(content)[2:]
    )
    return {
        "empty": b"",
        "another file": b"GIF89a" + bytes(200),
        "a changed byte": content[:-1] + bytes([content[-1] ^ 1]),
        "cut off": short,
        "cut off and sealed again": resealed + short[HEADER.size :],
        "a wrong number of words": words,
        "more at its end": content + b"x",
    }


@pytest.mark.parametrize(
    "fault",
    [
        "empty",
        "another file",
        "a changed byte",
        "cut off",
        "cut off and sealed again",
        "a wrong number of words",
        "more at its end",
    ],
)
def test_a_damaged_file_is_refused(small: bytes, fault: str) -> None:
    """With what to do about it, and no traceback."""
    with pytest.raises(RegreenError, match="damaged") as caught:
        NgramModel(damaged(small)[fault])
    assert "Install Regreen again" in str(caught.value)
