"""Tokens a second of one GGUF file: llama.cpp in this process against transformers, in turn, on the same prompts.

    python benchmarks/local_gguf.py FILE.gguf [--requests N] [--tokens N] [--rounds N] [--threads N]

transformers reads the same file and computes in float32, since it computes with no fewer bits on a processor. It needs
the extras `llamacpp` and `local`, and the package gguf. Each round asks both for the same requests, one after the
other; what is printed is the median of the rounds, by the clock and by CPU time, and the ratio within each round.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from regreen.config import load_settings
from regreen.models import Message, Request, open_model

TOPICS = ("median", "mode", "mean", "range", "variance", "quartile", "sum", "product")


def prompts(count: int) -> list[str]:
    """Different requests with a common beginning, as those of one run have."""
    return [
        f"You repair Python code. Write a function for the {TOPICS[n % len(TOPICS)]} of {n + 3} numbers and explain it."
        for n in range(count)
    ]


def asking_llamacpp(file: Path, tokens: int, threads: int, opened: ExitStack) -> Callable[[list[str]], int]:
    """Asks llama.cpp in this process, until `opened` is closed; returns the tokens that it wrote."""
    settings = load_settings({"model": f"local:{file}?threads={threads}&batch=1", "max_reply_tokens": tokens})
    model = opened.enter_context(open_model(settings))

    def ask(texts: list[str]) -> int:
        replies = [model.ask(Request((Message("user", text),), max_tokens=tokens)) for text in texts]
        return sum(reply.usage.completion for reply in replies)

    return ask


def asking_transformers(file: Path, tokens: int, threads: int) -> Callable[[list[str]], int]:
    """Asks transformers; returns the tokens that it wrote."""
    import torch
    import transformers

    torch.set_num_threads(threads)
    where = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
    model = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32).eval()

    def ask(texts: list[str]) -> int:
        written = 0
        for text in texts:
            turns = [{"role": "user", "content": text}]
            read = tokenizer.apply_chat_template(
                turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
            with torch.inference_mode():
                out = model.generate(**read, max_new_tokens=tokens, do_sample=False)
            written += out.shape[1] - read["input_ids"].shape[1]
        return written

    return ask


def rate(ask: Callable[[list[str]], int], texts: list[str]) -> tuple[float, float]:
    """Tokens a second by the clock, and by CPU time."""
    clock, cpu = time.perf_counter(), time.process_time()
    written = ask(texts)
    return written / (time.perf_counter() - clock), written / (time.process_time() - cpu)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--requests", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    with ExitStack() as opened:
        ways = {
            "llama.cpp": asking_llamacpp(given.file, given.tokens, given.threads, opened),
            "transformers": asking_transformers(given.file, given.tokens, given.threads),
        }
        compare(ways, prompts(given.requests), given.rounds)


def compare(ways: Mapping[str, Callable[[list[str]], int]], texts: list[str], count: int) -> None:
    """Ask each way in turn, so many times, and print the rates and their ratios."""
    for ask in ways.values():
        ask(texts[:1])
    rounds = [{name: rate(ask, texts) for name, ask in ways.items()} for _ in range(count)]
    for name in ways:
        clock, cpu = (statistics.median(one[name][kind] for one in rounds) for kind in (0, 1))
        print(f"{name:14}{clock:8.1f} tokens/s by the clock{cpu:8.1f} by CPU time")
    for kind, title in ((0, "by the clock"), (1, "by CPU time")):
        ratios = [one["llama.cpp"][kind] / one["transformers"][kind] for one in rounds]
        print(f"ratio {title}: {statistics.median(ratios):.2f} (rounds: {', '.join(f'{r:.2f}' for r in ratios)})")


if __name__ == "__main__":
    main()
