"""hunkwise diff OLD NEW | hunkwise apply FILE PATCH | hunkwise stat PATCH"""
import argparse
import sys
from pathlib import Path

from .apply import apply_patch
from .errors import HunkwiseError
from .parser import parse_patch
from .sequence import Normalizer
from .unified import diff_files


def build_parser():
    parser = argparse.ArgumentParser(prog="hunkwise")
    sub = parser.add_subparsers(dest="command", required=True)
    diff = sub.add_parser("diff")
    diff.add_argument("old")
    diff.add_argument("new")
    diff.add_argument("-U", "--context", type=int, default=3)
    diff.add_argument("-i", "--ignore-case", action="store_true")
    diff.add_argument("-b", "--ignore-space", action="store_true")
    apply = sub.add_parser("apply")
    apply.add_argument("file")
    apply.add_argument("patch")
    apply.add_argument("-R", "--reverse", action="store_true")
    stat = sub.add_parser("stat")
    stat.add_argument("patch")
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    try:
        if args.command == "diff":
            key = None
            if args.ignore_case or args.ignore_space:
                key = Normalizer(args.ignore_case, args.ignore_space)
            text = diff_files(args.old, args.new, args.context, key)
            sys.stdout.write(text)
            return 1 if text else 0
        if args.command == "apply":
            target = Path(args.file)
            patched = apply_patch(
                target.read_text(encoding="utf-8"),
                Path(args.patch).read_text(encoding="utf-8"),
                reverse=args.reverse,
            )
            target.write_text(patched, encoding="utf-8")
            return 0
        for patch in parse_patch(Path(args.patch).read_text(encoding="utf-8")):
            added, removed = patch.stat()
            print(f"{patch.path} | +{added} -{removed}")
        return 0
    except HunkwiseError as exc:
        print(f"hunkwise: {exc}", file=sys.stderr)
        return 2
