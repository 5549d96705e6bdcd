import argparse
import sys
from html import escape
from pathlib import Path

from .convert import Converter
from .frontmatter import FrontMatterError
from .html import HtmlRenderer
from .text import TextRenderer

PAGE = """<!DOCTYPE html>
<html>
<head><meta charset="utf-8"><title>{title}</title></head>
<body>
{body}</body>
</html>
"""


def build_parser():
    parser = argparse.ArgumentParser(prog="plume", description="Convert plume markup.")
    parser.add_argument("files", nargs="*", type=Path, help="input files (default: stdin)")
    parser.add_argument("--to", choices=["html", "text"], default="html")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--width", type=int, default=78)
    parser.add_argument("--offset", type=int, default=0, help="shift heading levels")
    parser.add_argument("--standalone", action="store_true", help="a whole HTML page")
    return parser


def main(argv=None, stdin=None):
    args = build_parser().parse_args(argv)
    if args.to == "text":
        renderer = TextRenderer(args.width)
    else:
        renderer = HtmlRenderer(heading_offset=args.offset)
    converter = Converter(renderer)
    try:
        if args.files:
            texts = [path.read_text(encoding="utf-8") for path in args.files]
        else:
            texts = [(stdin or sys.stdin).read()]
        results = [converter.convert(text) for text in texts[:1]]
        title = converter.title or "Untitled"
        results += [converter.convert(text) for text in texts[1:]]
    except (OSError, FrontMatterError) as exc:
        print(f"plume: {exc}", file=sys.stderr)
        return 1
    body = "\n".join(results)
    if args.standalone and args.to == "html":
        body = PAGE.format(title=escape(title), body=body)
    if args.output:
        args.output.write_text(body, encoding="utf-8")
    else:
        sys.stdout.write(body)
    return 0


if __name__ == "__main__":
    sys.exit(main())
