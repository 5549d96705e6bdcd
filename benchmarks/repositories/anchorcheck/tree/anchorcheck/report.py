"""Problems in the form that people and programs like."""
import json
from dataclasses import asdict
from itertools import groupby


def as_text(problems):
    out = []
    for path, group in groupby(problems, key=lambda p: p.path):
        out.append(path)
        for problem in group:
            place = f"{problem.line:>5}" if problem.line else "    -"
            out.append(f"{place}  {problem.level}: {problem.message}")
    errors = sum(1 for p in problems if p.level == "error")
    warnings = len(problems) - errors
    out.append(f"{_count(errors, 'error')}, {_count(warnings, 'warning')}")
    return "\n".join(out) + "\n"


def _count(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def as_json(problems):
    return json.dumps([asdict(p) for p in problems], indent=2, ensure_ascii=False) + "\n"


def _github_escape(text):
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def as_github(problems):
    """Workflow commands, shown beside the lines of a pull request."""
    return "".join(
        f"::{p.level} file={p.path},line={p.line or 1}::{_github_escape(p.message)}\n"
        for p in problems
    )


FORMATS = {"text": as_text, "json": as_json, "github": as_github}
