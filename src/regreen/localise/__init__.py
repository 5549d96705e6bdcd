"""Fault localisation: which lines of a program to suspect, from runs of the checks and from the text."""

from __future__ import annotations

from regreen.localise.hints import Hint, hints
from regreen.localise.sites import localise
from regreen.localise.spectrum import ochiai
from regreen.localise.traceback import traceback_lines

__all__ = ["Hint", "hints", "localise", "ochiai", "traceback_lines"]
