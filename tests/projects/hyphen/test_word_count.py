import importlib.util
from pathlib import Path

PLACE = Path(__file__).with_name("word-count.py")
spec = importlib.util.spec_from_file_location("word_count", PLACE)
word_count = importlib.util.module_from_spec(spec)
spec.loader.exec_module(word_count)


def test_words_are_counted():
    assert word_count.count("a b a") == {"a": 2, "b": 1}


def test_no_words():
    assert word_count.count("") == {}
