"""Diff, patch and merge for text."""
from .apply import apply_patch, apply_to_lines
from .errors import HunkwiseError, ParseError, PatchConflict
from .merge import merge3
from .model import FilePatch, Hunk, Line
from .parser import parse_patch
from .sequence import Normalizer, opcodes, ratio
from .unified import diff_files, format_patch, unified_diff
from .words import word_diff

__all__ = [
    "apply_patch",
    "apply_to_lines",
    "diff_files",
    "format_patch",
    "merge3",
    "opcodes",
    "parse_patch",
    "ratio",
    "unified_diff",
    "word_diff",
    "FilePatch",
    "Hunk",
    "HunkwiseError",
    "Line",
    "Normalizer",
    "ParseError",
    "PatchConflict",
]
