"""Run by test_attacks.py as an ordinary user: tries some families of attacks and prints the complaints as JSON."""

from __future__ import annotations

import json
import sys


def main(source: str, layers: str, *families: str) -> None:
    """`source`: the folder that holds the package."""
    sys.path.insert(0, source)
    from regreen.sandbox.attacks import FAMILIES, run_attacks
    from regreen.types import Suite
    from regreen.verify.judge import open_judge
    from regreen.verify.suites import read_suite

    def read(program: str, checks: str) -> Suite:
        return read_suite(checks, program=program, module="program", entry_point="answer")

    attacks = [attack for family in families for attack in FAMILIES[family]]
    with open_judge(layers=layers) as judge:
        attack_results = {result.attack.name: result.complaints for result in run_attacks(judge, read, attacks)}
    sys.stdout.write(json.dumps(attack_results))


main(*sys.argv[1:])
