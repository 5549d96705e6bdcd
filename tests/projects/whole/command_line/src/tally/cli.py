import argparse
import sys

from .counting import count_words, most_common


def parser():
    made = argparse.ArgumentParser(prog="tally")
    made.add_argument("files", nargs="+")
    made.add_argument("-n", "--number", type=int, default=3)
    made.add_argument("-i", "--ignore-case", action="store_true")
    return made


def main(arguments=None, out=sys.stdout):
    options = parser().parse_args(arguments)
    counts = {}
    for name in options.files:
        try:
            with open(name, encoding="utf-8") as file:
                counts = count_words(file.read(), ignore_case=options.ignore_case)
        except OSError as error:
            print(f"tally: {name}: {error.strerror}", file=out)
            return 2
    for word, count in most_common(counts, options.number):
        print(f"{count:4} {word}", file=out)
    return 0
