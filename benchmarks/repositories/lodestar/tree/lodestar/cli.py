"""The command line."""
import argparse
import os
import sys

from . import render
from .errors import LodestarError, UnknownPackage
from .manifest import ROOT, Manifest, read_lock, write_lock
from .resolver import graph_of, problems, resolve


def build_parser():
    parser = argparse.ArgumentParser(prog="lodestar")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, function, summary):
        sub = commands.add_parser(name, help=summary)
        sub.add_argument("manifest")
        sub.add_argument("--pre", action="store_true", help="allow pre-releases")
        sub.set_defaults(function=function)
        return sub

    sub = command("resolve", cmd_resolve, "choose versions")
    sub.add_argument("--lock", metavar="FILE")
    sub.add_argument("--upgrade", action="append", default=[], metavar="NAME")
    command("order", cmd_order, "list packages in build order")
    sub = command("tree", cmd_tree, "draw the dependency tree")
    sub.add_argument("--dot", action="store_true")
    sub = command("why", cmd_why, "show why a package is there")
    sub.add_argument("package")
    sub = command("check", cmd_check, "compare a lock file with a manifest")
    sub.add_argument("lock")
    return parser


def cmd_resolve(args, out):
    manifest = Manifest.load(args.manifest)
    preferred = {}
    if args.lock and os.path.exists(args.lock):
        _, preferred = read_lock(args.lock)
        for name in args.upgrade:
            preferred.pop(name, None)
    chosen = resolve(manifest, preferred, args.pre)
    rows = [(name, version) for name, version in sorted(chosen.items())]
    print(render.table(rows), file=out)
    if args.lock:
        write_lock(args.lock, manifest, chosen)
    return 0


def cmd_order(args, out):
    manifest = Manifest.load(args.manifest)
    graph = graph_of(manifest, resolve(manifest, pre=args.pre))
    for name in graph.order():
        if name != ROOT:
            print(name, file=out)
    return 0


def cmd_tree(args, out):
    manifest = Manifest.load(args.manifest)
    chosen = resolve(manifest, pre=args.pre)
    graph = graph_of(manifest, chosen)
    if args.dot:
        print(render.dot(graph), file=out)
    else:
        def label(name):
            return name if name == ROOT else "%s %s" % (name, chosen[name])

        print(render.tree(graph, ROOT, label), file=out)
    return 0


def cmd_why(args, out):
    manifest = Manifest.load(args.manifest)
    graph = graph_of(manifest, resolve(manifest, pre=args.pre))
    if args.package not in graph:
        raise UnknownPackage(args.package)
    print(" -> ".join(graph.path(ROOT, args.package)), file=out)
    return 0


def cmd_check(args, out):
    manifest = Manifest.load(args.manifest)
    fingerprint, chosen = read_lock(args.lock)
    found = problems(manifest, chosen)
    if fingerprint != manifest.fingerprint():
        found.insert(0, "requirements changed since the lock file was written")
    for line in found:
        print(line, file=out)
    return 1 if found else 0


def main(argv=None, out=None):
    args = build_parser().parse_args(argv)
    try:
        return args.function(args, out or sys.stdout)
    except LodestarError as exc:
        print("lodestar: %s" % exc, file=sys.stderr)
        return 2
