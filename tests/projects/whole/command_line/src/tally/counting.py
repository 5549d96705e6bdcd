import re


def count_words(text, ignore_case=False, counts=None):
    """Word to its count, added to those of `counts`."""
    counts = {} if counts is None else counts
    for word in re.findall(r"\w+", text.lower() if ignore_case else text):
        counts[word] = counts.get(word, 0) + 1
    return counts


def most_common(counts, number):
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:number]
