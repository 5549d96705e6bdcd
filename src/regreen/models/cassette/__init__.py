"""Tapes of model requests and replies: recording a run, replaying it offline, and caching replies."""

from regreen.models.cassette.tape_models import cached, recording, replaying
from regreen.models.cassette.tape_reader import TapeRow, TapeSummary, tape_rows, tape_summary

__all__ = ["TapeRow", "TapeSummary", "cached", "recording", "replaying", "tape_rows", "tape_summary"]
