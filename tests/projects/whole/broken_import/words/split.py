import re


def split_words(text):
    return re.findall(r"[^\W\d_]+", text)
