"""Recorded runs: what was asked of a model and what it answered, on a tape that plays it back or saves asking again."""

from regreen.models.cassette.tape_models import cached, recording, replaying
from regreen.models.cassette.tape_reader import TapeRow, TapeSummary, tape_rows, tape_summary

__all__ = ["TapeRow", "TapeSummary", "cached", "recording", "replaying", "tape_rows", "tape_summary"]
