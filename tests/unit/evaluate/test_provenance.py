"""What run.json says, and when a run may be resumed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from regreen.errors import RunError
from regreen.evaluate.provenance import (
    UNFINISHED_RUN_FILE,
    Header,
    code_revision,
    dataset_hash,
    header_of,
    read_header,
    refuse_other_settings,
    write_header,
)
from regreen.evaluate.records import Feedback, RunConfiguration
from regreen.evaluate.run_folder import LOCK_FILE, hold_run_folder
from regreen.types import Case


@pytest.fixture
def header(configuration: RunConfiguration, make_case: Callable[..., Case]) -> Header:
    return header_of(configuration, [make_case("a")], started="2026-01-01T00:00:00+00:00")


def refusal(folder: Path, recorded: Header, asked: Header) -> str | None:
    """Why a run cannot go on with other settings; None where it can."""
    try:
        refuse_other_settings(folder, recorded, asked)
    except RunError as error:
        return str(error)
    return None


def test_a_header_survives_the_trip_to_disk(tmp_path: Path, header: Header) -> None:
    """With settings, versions, protocol and the hash of the data set."""
    write_header(tmp_path, header)
    assert read_header(tmp_path) == header
    assert (header.dataset, header.protocol, header.cases) == ("shelf", Feedback.ALL, 1)
    assert set(header.versions) == {"regreen", "python"}
    assert header.settings["options"] == {"timeout": 2.0, "workers": 4}


def test_odd_values_of_settings_survive_too(
    tmp_path: Path, configuration: RunConfiguration, make_case: Callable[..., Case]
) -> None:
    """NaN and lone surrogates, e.g. of a file name."""
    odd = replace(configuration, options={"rate": math.nan, "path": "\udcff"})
    header = header_of(odd, [make_case("a")], started="")
    write_header(tmp_path, header)
    assert set(read_header(tmp_path).settings["options"]) == {"rate", "path"}
    assert refusal(tmp_path, read_header(tmp_path), header) is None


@pytest.mark.parametrize("written", [b"", b'{"schema": 1, "started"'])
def test_a_header_that_was_half_written_counts_for_nothing(tmp_path: Path, header: Header, written: bytes) -> None:
    """A crash leaves it; the folder can be begun, and nothing of it stays."""
    (tmp_path / UNFINISHED_RUN_FILE).write_bytes(written)
    (tmp_path / LOCK_FILE).write_bytes(b"")
    with hold_run_folder(tmp_path, header, resume=True):
        assert read_header(tmp_path) == header
    assert not (tmp_path / UNFINISHED_RUN_FILE).exists()


def test_the_same_settings_may_go_on(tmp_path: Path, header: Header, configuration: RunConfiguration) -> None:
    """How many work at it and how it is shown may differ."""
    spread = header.settings | {"options": {"timeout": 2.0, "workers": 1, "verbose": True}}
    assert refusal(tmp_path, header, header.model_copy(update={"settings": spread})) is None


def test_other_settings_are_refused_by_name(
    tmp_path: Path, header: Header, configuration: RunConfiguration, make_case: Callable[..., Case]
) -> None:
    """Every one that differs, as it was and as it is."""
    other = replace(configuration, seed=6, model="a:b", options={"timeout": 3.0, "new": True})
    asked = header_of(other, [make_case("b")], started="")
    refused = refusal(tmp_path, header, asked)
    assert refused is not None
    for part in (
        "dataset_hash was",
        "seed was 5 and is 6",
        "model was None and is 'a:b'",
        "options.timeout was 2.0 and is 3.0",
        "options.new was '(absent)' and is True",
    ):
        assert part in refused
    assert "strategy" not in refused


def test_a_run_may_grow_and_not_shrink(
    tmp_path: Path, header: Header, configuration: RunConfiguration, make_case: Callable[..., Case]
) -> None:
    """As with a larger --limit: what is decided stays, and run.json tells the new plan."""
    more = header_of(configuration, [make_case("b"), make_case("a")], started="2027")
    with hold_run_folder(tmp_path, header, resume=False):
        pass
    with hold_run_folder(tmp_path, more, resume=True):
        pass
    grown = read_header(tmp_path)
    assert (grown.planned, grown.ids, grown.started) == (2, ["b", "a"], header.started)
    assert "dataset_hash was" in (refusal(tmp_path, grown, header) or "")
    changed = header_of(configuration, [make_case("b"), make_case("a", hidden="other"), make_case("c")], started="")
    assert "dataset_hash was" in (refusal(tmp_path, grown, changed) or "")


def test_a_data_set_is_known_by_its_content(
    tmp_path: Path, configuration: RunConfiguration, make_case: Callable[..., Case]
) -> None:
    """Older records have its file in the name; where that lay says nothing."""
    named = header_of(replace(configuration, dataset="shelf:/home/me/shelf.jsonl"), [make_case("a")], started="")
    assert refusal(tmp_path, named, header_of(configuration, [make_case("a")], started="")) is None


def test_the_hash_covers_programs_and_checks(make_case: Callable[..., Case]) -> None:
    """Any change of a check is another data set."""
    cases = [make_case("a", visible="1", hidden="2", extra="3")]
    others = [make_case("b"), make_case("a", visible="2"), make_case("a", visible="1", hidden="3")]
    others.append(make_case("a", visible="1", hidden="2"))
    hashes = {dataset_hash(cases), *(dataset_hash([other]) for other in others)}
    assert len(hashes) == 5
    assert dataset_hash(cases) == dataset_hash(iter(cases))


BROKEN = {
    b"": "Expecting value",
    b"{": "Expecting property name",
    b"[]": "it is no JSON object",
    b'{"schema": 1}': "it has no 'started'",
    b'{"schema": "x"}': "its 'schema': Input should be a valid integer",
    b"\xff": "can't decode byte 0xff",
}


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_header_is_a_run_error(tmp_path: Path, content: bytes) -> None:
    """With the path and what is wrong."""
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(RunError, match=rf"run\.json cannot be read: .*{BROKEN[content]}"):
        read_header(tmp_path)


def test_a_run_of_another_command_is_not_gone_on_with(
    tmp_path: Path, configuration: RunConfiguration, make_case: Callable[..., Case]
) -> None:
    """That is all that is said: which of their settings differ is of no use."""
    header = header_of(configuration, [make_case("a")], started="now")
    judged = header.model_copy(update={"settings": {"command": "judge"}})
    for first, then, made in ((header, judged, "eval"), (judged, header, "judge")):
        with pytest.raises(RunError, match=rf"holds a run of `regreen {made}`, and not of") as refusal:
            refuse_other_settings(tmp_path, first, then)
        assert "was begun with" not in str(refusal.value)


def test_a_folder_without_a_header_holds_no_run(tmp_path: Path) -> None:
    """And that is said."""
    with pytest.raises(RunError, match="holds no run"):
        read_header(tmp_path)


def test_the_revision_is_read_from_a_source_checkout(tmp_path: Path) -> None:
    """Detached, loose and packed; None where there is nothing to read."""
    assert code_revision(tmp_path) is None
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    assert code_revision(tmp_path) is None
    (tmp_path / "src" / "regreen").mkdir(parents=True)
    assert code_revision(tmp_path) is None
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    assert code_revision(tmp_path) is None
    (git / "packed-refs").write_text("# pack-refs\naaa refs/heads/other\nbbb refs/heads/main\n", encoding="ascii")
    assert code_revision(tmp_path) == "bbb"
    (git / "refs" / "heads" / "main").write_text("ccc\n", encoding="ascii")
    assert code_revision(tmp_path) == "ccc"
    (git / "HEAD").write_text("ddd\n", encoding="ascii")
    assert code_revision(tmp_path) == "ddd"
