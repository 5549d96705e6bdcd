import argparse
import sys

from . import replay
from .errors import TabulaError
from .game import game_class, game_names
from .match import Match
from .players import make_player


def cmd_play(args):
    game = game_class(args.game)()
    first, second = make_player(args.first), make_player(args.second)
    match = Match(game, first, second, args.max_moves)
    if args.verbose:

        @match.observe
        def show(game, move):
            print(f"{len(game.moves)}. {move}")

    result = match.run()
    print(game.board.render())
    print(f"{result} ({match.reason}, {len(game.moves)} moves)")
    if args.save:
        replay.save(replay.Replay.of(game, first=first.name, second=second.name), args.save)
    return 0


def cmd_show(args):
    game = replay.load(args.file).play(args.at)
    print(game.board.render())
    return 0


def cmd_verify(args):
    failed = 0
    for path in args.files:
        try:
            game = replay.load(path).verify()
        except (TabulaError, OSError, UnicodeDecodeError) as error:
            print(f"{path}: {error}")
            failed += 1
        else:
            print(f"{path}: ok, {len(game.moves)} moves")
    return 1 if failed else 0


def main(argv=None):
    parser = argparse.ArgumentParser(prog="tabula")
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play")
    play.add_argument("game", choices=game_names())
    play.add_argument("--first", default="random")
    play.add_argument("--second", default="random")
    play.add_argument("--max-moves", type=int, default=1000)
    play.add_argument("--save")
    play.add_argument("--verbose", action="store_true")
    play.set_defaults(run=cmd_play)
    show = commands.add_parser("show")
    show.add_argument("file")
    show.add_argument("--at", type=int)
    show.set_defaults(run=cmd_show)
    verify = commands.add_parser("verify")
    verify.add_argument("files", nargs="+")
    verify.set_defaults(run=cmd_verify)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except TabulaError as error:
        print(f"tabula: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
