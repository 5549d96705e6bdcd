"""Makes the rows of docs/results.md: every strategy and protocol with one model, over the same tasks.

    python benchmarks/results.py --data humanevalpack.jsonl --gguf SmolLM2-135M-Instruct.Q4_1.gguf -o runs
    python benchmarks/results.py --data humanevalpack.jsonl --model vllm:NAME -o runs

Each row is a run in a folder of its own, and is resumed where it was stopped: the script may be ended at any time and
started again. It prints the table, then the paired comparisons. `--rows single:none,reflect:all` makes some rows only.
Figures count if the machine had nothing else to do.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from regreen.report.gather import RunReport, gather, gather_statistics
from regreen.report.run_statistics import RunStatistics

LLAMA_SERVER = Path(__file__).parents[1] / "tests" / "support" / "llama_server.py"
ROWS = (
    *(("single", feedback) for feedback in ("none", "examples", "all")),
    *(("reflect", feedback) for feedback in ("examples", "all")),
    *((strategy, "all") for strategy in ("tools", "react", "patch", "hybrid", "search")),
)
"""Strategy and feedback protocol; `search` asks no model, and is what `hybrid` is compared with."""
PAIRS = (
    (("search", "all"), ("hybrid", "all")),
    *(((strategy, "all"), ("hybrid", "all")) for strategy in ("reflect", "tools", "react", "patch")),
    (("single", "all"), ("reflect", "all")),
)
HEADS = (
    "strategy",
    "feedback",
    "tasks",
    "fixed",
    "pass@1 (95 %)",
    "tokens (prompt, reply)",
    "model calls",
    "seconds a task",
    "faults of replies",
)
SLOT_TOKENS = 8_192

Row = tuple[str, str]


@contextlib.contextmanager
def served(options: argparse.Namespace) -> Iterator[tuple[str, str | None]]:
    """The model's name and address: a server of llama.cpp for the block, or what the options name."""
    if options.gguf is None:
        yield options.model, options.base_url
        return
    command = [sys.executable, str(LLAMA_SERVER), str(options.gguf), str(SLOT_TOKENS), str(options.slots)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"llamacpp:{options.gguf.stem}", f"{process.stdout.readline().strip()}/v1"
        finally:
            process.kill()


def command(row: Row, folder: Path, model: str, address: str | None, options: argparse.Namespace) -> list[str]:
    """The command line of one row."""
    strategy, feedback = row
    told = ["--dataset-path", str(options.data), "--ids", ",".join(ids(options)), "--feedback", feedback]
    told += ["-s", strategy, "-o", str(folder), "--resume", "--timeout", str(options.timeout)]
    if strategy != "search":
        told += ["-m", model, "--iters", str(options.iters), "--concurrency", str(options.slots)]
        told += ["--max-reply-tokens", str(options.reply_tokens), "--request-timeout", "900"]
        told += ["--base-url", address] if address else []
    return [sys.executable, "-m", "regreen", "eval", "humanevalfix", *told]


def ids(options: argparse.Namespace) -> list[str]:
    """The tasks: so many from the first on, in steps."""
    numbers = range(options.first, 164, options.step)[: options.tasks]
    return [f"humanevalfix/Python/{number}" for number in numbers]


def table_row(row: Row, numbers: RunStatistics) -> str:
    """One row of the table, in Markdown; an unfinished run has no rate."""
    rate, costs = numbers.rates.get("fixed"), numbers.costs
    told = "unfinished" if numbers.missing else "-"
    if rate is not None and not numbers.missing:
        told = f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})".replace("%", " %")
    faults = ", ".join(f"{name} {count}" for name, count in numbers.replies.faults.items()) or "-"
    fixed = rate.count if rate else 0
    tokens = f"{costs.prompt_tokens:,}, {costs.completion_tokens:,}"
    cells = (f"`{row[0]}`", f"`{row[1]}`", numbers.decided, fixed, told, tokens, costs.model_calls)
    seconds = "-" if costs.seconds_median is None else f"{costs.seconds_median:.1f}"
    return f"| {' | '.join(map(str, cells))} | {seconds} | {faults} |"


def compared(rows: tuple[Row, Row], folder: Path) -> str:
    """Two rows, paired: gained, lost and McNemar's exact test."""
    report: RunReport = gather([folder / name_of(row) for row in rows])
    (comparison,) = report.comparisons
    names = " against ".join(f"`{strategy}` ({feedback})" for strategy, feedback in reversed(rows))
    gained, lost = len(comparison.pairing.gained), len(comparison.pairing.lost)
    if comparison.p is None:
        return f"{names}: not comparable: {' '.join(comparison.mismatches)}"
    return f"{names}: {comparison.pairing.pairs} pairs, {gained} gained, {lost} lost, p = {comparison.p:.2g}"


def name_of(row: Row) -> str:
    """The folder of a row."""
    return "-".join(row)


def main() -> None:
    """Run the rows that were asked for, and print what all that are there come to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="HumanEvalFix's Python tasks, JSON lines")
    parser.add_argument("--gguf", type=Path, help="a model to serve with llama.cpp")
    parser.add_argument("--model", default="", help="a model that is served already")
    parser.add_argument("--base-url")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the folder of the runs")
    parser.add_argument("--rows", help="e.g. single:none,reflect:all [every one]")
    parser.add_argument("--tasks", type=int, default=16)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--step", type=int, default=2)
    parser.add_argument("--slots", type=int, default=2, help="requests at once")
    parser.add_argument("--iters", type=int, default=3)
    parser.add_argument("--reply-tokens", type=int, default=4096)
    parser.add_argument("--timeout", type=float, default=2.0)
    options = parser.parse_args()
    if not (options.gguf or options.model):
        parser.error("name a model: --gguf FILE, or --model NAME")
    rows = [tuple(row.split(":")) for row in options.rows.split(",")] if options.rows else list(ROWS)
    if unknown := [row for row in rows if row not in ROWS]:
        parser.error(f"there is no row {unknown[0]}; there are {', '.join(':'.join(row) for row in ROWS)}")
    with served(options) as (model, address):
        for row in rows:
            sys.stderr.write(f"-- {' '.join(row)}\n")
            done = subprocess.run(
                command(row, options.out / name_of(row), model, address, options), stdout=subprocess.DEVNULL
            )
            if done.returncode not in (0, 1, 3):
                raise SystemExit(done.returncode)
    there = [row for row in ROWS if (options.out / name_of(row) / "results.jsonl").is_file()]
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    for row in there:
        ((_, numbers),) = gather_statistics(options.out / name_of(row)).with_statistics
        print(table_row(row, numbers))
    print()
    for pair in PAIRS:
        if set(pair) <= set(there):
            print(compared(pair, options.out))


if __name__ == "__main__":
    main()
