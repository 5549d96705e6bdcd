from .split import split_word


def mean_length(text):
    words = split_words(text)
    return sum(map(len, words)) / len(words) if words else 0


def longest(text):
    return max(split_words(text), key=len, default="")
