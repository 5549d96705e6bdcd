from __future__ import annotations

import argparse
import sys

from .aggregate import Histogram, Summary, TopCounter, parse_duration
from .config import ConfigError, load_config, parse_offset
from .formats import FORMATS, parse_time
from .query import QueryError, all_of, compile_query, time_range
from .reader import merge, read_records
from .report import RENDERERS, Table, format_record


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="logsift", description="filter and sum up log files")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--config", default="logsift.ini")
    parser.add_argument("--input-format", choices=sorted(FORMATS))
    parser.add_argument("--timezone")
    parser.add_argument("--where", action="append", default=[])
    parser.add_argument("--since")
    parser.add_argument("--until")
    parser.add_argument("--top", action="append", default=[], metavar="FIELD")
    parser.add_argument("--summary", action="append", default=[], metavar="FIELD")
    parser.add_argument("--histogram", metavar="STEP")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--format", choices=sorted(RENDERERS))
    parser.add_argument("--quiet", action="store_true", help="no note of skipped lines")
    return parser


def main(argv=None) -> int:
    """0: something matched; 1: nothing did; 2: an error."""
    args = build_parser().parse_args(argv)
    try:
        return run(args)
    except (ConfigError, QueryError, ValueError, OSError) as error:
        print(f"logsift: {error}", file=sys.stderr)
        return 2


def run(args) -> int:
    config = load_config(args.config)
    tz = parse_offset(args.timezone) if args.timezone else config.tz
    limit = args.limit if args.limit is not None else config.limit
    render = RENDERERS[args.format or config.output]
    predicates = [compile_query(text, config.levels) for text in args.where]
    predicates.append(
        time_range(
            parse_time(args.since, tz) if args.since else None,
            parse_time(args.until, tz) if args.until else None,
        )
    )
    wanted = all_of(predicates)

    tops = [TopCounter(name) for name in args.top]
    summaries = [Summary(name) for name in args.summary]
    histogram = Histogram(parse_duration(args.histogram), tz) if args.histogram else None
    collectors = [*tops, *summaries] + ([histogram] if histogram else [])

    skipped = {name: [] for name in args.files}
    streams = [
        read_records(name, args.input_format, tz, skipped[name]) for name in args.files
    ]
    matched = 0
    for record in merge(streams):
        if not wanted(record):
            continue
        matched += 1
        if not collectors:
            print(format_record(record, with_source=len(args.files) > 1))
        for collector in collectors:
            collector.add(record)

    for table in _tables(tops, summaries, histogram, limit):
        sys.stdout.write(render(table))
    if not args.quiet:
        for name, numbers in skipped.items():
            if numbers:
                print(f"logsift: {name}: {len(numbers)} lines skipped", file=sys.stderr)
    return 0 if matched else 1


def _tables(tops, summaries, histogram, limit):
    for top in tops:
        table = Table(f"top {top.field}", [top.field, "count"])
        for value, count in top.top(limit):
            table.add(value, count)
        yield table
    for summary in summaries:
        table = Table(f"summary of {summary.field}", ["measure", "value"])
        for name, value in summary.as_dict().items():
            table.add(name, value)
        yield table
    if histogram is not None:
        rows = list(histogram.rows())
        levels = sorted({level for _, counts in rows for level in counts})
        table = Table("histogram", ["time", *levels])
        for moment, counts in rows:
            table.add(moment, *[counts[level] for level in levels])
        yield table


if __name__ == "__main__":
    sys.exit(main())
