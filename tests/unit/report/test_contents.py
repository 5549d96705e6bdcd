"""What a page holds: every task once, each text once, as much as fits, and nothing that ends a script element."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from regreen.report.contents import Contents, safe_json
from regreen.report.detail import packed_details
from regreen.report.run_reader import Run

LineOf = Callable[..., dict[str, Any]]
RunOf = Callable[..., Run]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.sampled_from(
    "buggy_source final_source diff explanation detail stdout error checks attempts turns timings_sec flaky exit_code "
    "token_usage failed_check isolation seed".split()
)


def unpacked(content: bytes | str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(content)))
    return told


def index_of(held: Contents) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(held.index())
    return told


def test_the_details_of_a_sample_hold_its_texts(made: SimpleNamespace) -> None:
    """Programs, prompts, replies and checks, as they were recorded."""
    line = next(line for line in made.made_lines(tasks=30) if line["outcome"] == "fixed" and line["iteration"])
    told = unpacked(packed_details([[line]]))
    (sample,), texts = told["runs"][0], told["texts"]
    assert texts[sample["before"]] == line["buggy_source"]
    assert texts[sample["after"]] == line["final_source"]
    assert [block[0] for block in sample["blocks"]].count("~") == 1
    prompts = ["\n\n".join(f"[{role}]\n{texts[text]}" for role, text in turn["prompt"]) for turn in sample["turns"]]
    assert prompts == [turn["prompt"] for turn in line["turns"]]
    assert [texts[check[0]] for check in sample["checks"]] == [check["id"] for check in line["checks"]]
    assert sample["attempts"][0]["turn"] == 0


def test_equal_texts_are_kept_once(made: SimpleNamespace) -> None:
    """Ten samples of one task share their program and their first prompt."""
    texts = unpacked(packed_details([list(made.made_lines(tasks=1, samples=10))]))["texts"]
    assert len(texts) == len(set(texts))


def test_long_texts_are_cut_and_say_so(line_of: LineOf) -> None:
    """A page is for reading."""
    told = unpacked(packed_details([[line_of(stdout="x" * 2_000_000)]]))
    shown = told["texts"][told["runs"][0][0]["stdout"]]
    assert shown.endswith("[2,000,000 characters, cut]")
    assert 1_000 < len(shown) < 1_000_000


def test_a_task_takes_only_so_much(line_of: LineOf) -> None:
    """Later samples are then without details."""
    lines = [line_of(sample=n, stdout=f"{n}" * 600) for n in range(4)]
    packed = packed_details([lines], characters=1_000)
    assert [sample is None for sample in unpacked(packed)["runs"][0]] == [False, False, True, True]


@given(st.dictionaries(FIELDS, JSON, max_size=6))
def test_no_field_of_any_kind_breaks_the_details(fields: dict[str, Any]) -> None:
    """A foreign line may hold anything under any name."""
    line = {"task_id": "a", "outcome": "fixed", **json.loads(json.dumps(fields))}
    assert len(unpacked(packed_details([[line]]))["runs"][0]) == 1


def test_the_index_has_each_task_once_with_its_samples(run_of: RunOf, line_of: LineOf) -> None:
    """In each run; labels and where its details are."""
    first = run_of([line_of("a", sample=1), line_of("b"), line_of("a")], "first")
    second = run_of([line_of("c"), line_of("a", "unfixed")], "second")
    held = Contents((first, second))
    assert len(list(held.details())) == 3
    told = index_of(held)
    assert [(task["id"], task["details"]) for task in told["tasks"]] == [("a", 0), ("b", 1), ("c", 2)]
    numbers = [[row[0] for row in rows] for rows in told["tasks"][0]["runs"]]
    assert numbers == [[0, 1], [0]]
    assert told["outcomes"][told["tasks"][0]["runs"][1][0][1]] == "unfixed"
    assert (held.left_out, told["withoutDetails"]) == (0, 0)


def test_what_does_not_fit_is_counted(run_of: RunOf, line_of: LineOf) -> None:
    """Tasks beyond the table, and tasks of the table beyond the details."""
    held = Contents((run_of([line_of(f"t{n}") for n in range(10)]),), samples=6, detail_bytes=1)
    assert len(list(held.details())) == 1
    told = index_of(held)
    assert (len(told["tasks"]), held.left_out, told["withoutDetails"]) == (6, 4, 5)
    assert [task["details"] for task in told["tasks"]] == [0, None, None, None, None, None]


@given(st.text())
def test_json_in_a_page_ends_no_element(text: str) -> None:
    """Nothing in it is markup, and it says the same."""
    shown = safe_json({"text": text + "</script><!--\u2028"})
    assert shown.isascii()
    assert not set("<>&") & set(shown)
    assert json.loads(shown) == {"text": text + "</script><!--\u2028"}
