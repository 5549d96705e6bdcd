import argparse
import sys
from pathlib import Path

from .checker import Checker
from .config import Config, ConfigError
from .report import FORMATS
from .site import Site


def build_parser():
    parser = argparse.ArgumentParser(prog="anchorcheck")
    parser.add_argument("folder", nargs="?", default=".")
    parser.add_argument("--format", choices=sorted(FORMATS), default="text")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB")
    parser.add_argument("--ignore", action="append", default=[], metavar="GLOB")
    parser.add_argument("--no-anchors", action="store_true")
    parser.add_argument("--external", action="store_true", help="list external links and stop")
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    folder = Path(args.folder)
    if not folder.is_dir():
        print(f"anchorcheck: {folder} is not a folder", file=sys.stderr)
        return 2
    try:
        config = Config.load(folder).with_options(
            exclude=args.exclude,
            ignore_links=args.ignore,
            check_anchors=False if args.no_anchors else None,
        )
    except ConfigError as exc:
        print(f"anchorcheck: {exc}", file=sys.stderr)
        return 2
    checker = Checker(Site.scan(folder, config))
    problems = checker.run()
    if args.external:
        for url in sorted(checker.external):
            print(url)
        return 0
    sys.stdout.write(FORMATS[args.format](problems))
    return 1 if checker.failed else 0
