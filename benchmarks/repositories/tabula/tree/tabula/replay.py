"""Replay files.

    [game "reversi"]
    [first "greedy"]
    [result "1-0"]

    1. d3 c3  2. c4 {a comment} e3
    3. ...

Headers hold a quoted text with backslash escapes. ``;`` starts a comment to
the end of the line, braces enclose one over several lines. The last line may
be ``#`` and a checksum of the moves.
"""

import re
import zlib

from .errors import ReplayError, TabulaError
from .game import game_class

_HEADER = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')
_NUMBER = re.compile(r"\d+\.+$")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class Replay:
    def __init__(self, headers, moves, comments=None):
        self.headers = dict(headers)
        self.moves = list(moves)
        #: comments by the number of moves before them
        self.comments = dict(comments or {})

    @classmethod
    def of(cls, game, **headers):
        options = {f"option_{key}": str(value) for key, value in game.options.items()}
        return cls({"game": game.name, **options, **headers, "result": game.result}, game.moves)

    @property
    def options(self):
        options = {}
        for key, value in self.headers.items():
            if key.startswith("option_"):
                options[key[len("option_"):]] = int(value) if value.isdigit() else value
        return options

    def play(self, upto=None):
        """The game after all moves, or the first ``upto``."""
        if "game" not in self.headers:
            raise ReplayError("the file does not name its game")
        game = game_class(self.headers["game"])(**self.options)
        for number, move in enumerate(self.moves[:upto], start=1):
            try:
                game.play(move)
            except TabulaError as error:
                raise ReplayError(f"move {number}: {error}") from error
        return game

    def verify(self):
        """Play all moves and compare the result; gives the game."""
        game = self.play()
        stated = self.headers.get("result", "*")
        if stated not in RESULTS:
            raise ReplayError(f"unknown result {stated!r}")
        # a game that goes on by the rules may have been resigned
        if game.is_over and stated != game.result:
            raise ReplayError(f"the result is {game.result}, not {stated}")
        return game


def checksum(moves):
    return f"{zlib.crc32(' '.join(moves).encode('ascii')):08x}"


def _quote(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _unquote(text):
    return re.sub(r"\\(.)", lambda m: "\n" if m.group(1) == "n" else m.group(1), text)


def dumps(replay, width=72):
    lines = [f'[{key} "{_quote(value)}"]' for key, value in replay.headers.items()]
    lines.append("")
    words = []
    for index in range(len(replay.moves) + 1):
        if index in replay.comments:
            words.append("{" + replay.comments[index].replace("}", ")") + "}")
        if index < len(replay.moves):
            if index % 2 == 0:
                words.append(f"{index // 2 + 1}.")
            words.append(replay.moves[index])
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        lines.append(line)
    lines.append(f"# {checksum(replay.moves)}")
    return "\n".join(lines) + "\n"


def loads(text):
    headers, moves, comments = {}, [], {}
    comment = None
    opened = None
    expected = None
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if comment is None and stripped.startswith("["):
            match = _HEADER.match(stripped)
            if match is None:
                raise ReplayError("a header cannot be read", number)
            key = match.group(1).lower()
            if key in headers:
                raise ReplayError(f"header {key!r} comes twice", number)
            headers[key] = _unquote(match.group(2))
            continue
        if comment is None and stripped.startswith("#"):
            expected = (stripped[1:].strip(), number)
            continue
        rest = line
        while rest:
            if comment is not None:
                inside, closed, rest = rest.partition("}")
                comment.append(inside)
                if closed:
                    _add_comment(comments, len(moves), "\n".join(comment))
                    comment = None
                continue
            match = re.match(r"\s*([^\s{;]+)|\s*(\{)|\s*;(.*)|\s+", rest)
            rest = rest[match.end():]
            word = match.group(1)
            if match.group(2):
                comment = []
                opened = number
            elif match.group(3) is not None:
                _add_comment(comments, len(moves), match.group(3).strip())
            elif word and not _NUMBER.match(word) and word not in RESULTS:
                moves.append(re.sub(r"^\d+\.+", "", word))
    if comment is not None:
        raise ReplayError("a comment is not closed", opened)
    if expected is not None and expected[0] != checksum(moves):
        raise ReplayError("the checksum does not match the moves", expected[1])
    return Replay(headers, moves, comments)


def _add_comment(comments, index, text):
    if not text:
        return
    comments[index] = f"{comments[index]} {text}" if index in comments else text


def save(replay, path):
    with open(path, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(dumps(replay))


def load(path):
    with open(path, encoding="utf-8") as stream:
        return loads(stream.read())


def first_difference(one, other):
    """The number of the first move that differs, None if there is none."""
    for index, (a, b) in enumerate(zip(one.moves, other.moves)):
        if a != b:
            return index + 1
    if len(one.moves) != len(other.moves):
        return min(len(one.moves), len(other.moves)) + 1
    return None


__all__ = [
    "Replay",
    "checksum",
    "dumps",
    "first_difference",
    "load",
    "loads",
    "save",
]
