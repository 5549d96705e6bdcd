"""What passes by chance is known by its family."""

from __future__ import annotations

from regreen.propose.search.templates import TEMPLATES
from regreen.select import RankedCandidate, rank_candidates
from regreen.select.by_chance import CHANCE_NATS, chance_nats
from regreen.types import Candidate

PROGRAM = "def f(xs, n):\n    a = n\n    b = xs[0]\n    return a + b\n"


def test_every_family_of_the_table_is_a_template() -> None:
    """A template that has another name, or is gone, leaves no row behind."""
    assert CHANCE_NATS.keys() <= {template.name for template in TEMPLATES}


def test_families_of_one_candidate_are_added() -> None:
    """Two changes that both pass by chance are more than one."""
    one, other = chance_nats("search:other_name"), chance_nats("search:insert_update")
    assert one > 0
    assert other > 0
    assert chance_nats("search:other_name+insert_update") == one + other


def test_a_further_change_makes_nothing_better() -> None:
    """What seldom passes by chance makes up for what often does, and is no merit beside what passes without it."""
    seldom, often = chance_nats("search:wrap_around"), chance_nats("search:other_name")
    assert seldom < 0
    assert chance_nats("search:plain_slips+wrap_around") == chance_nats("search:plain_slips") == 0
    assert chance_nats("search:other_name+wrap_around") == max(often + seldom, 0)
    assert chance_nats("search:wrap_around+wrap_around") == seldom


def test_specific_changes_are_seldom_there_by_chance() -> None:
    """Two statements that change places hardly ever pass by accident; another name often does."""
    assert chance_nats("search:swap_statements") < 0 < chance_nats("search:other_name")


def test_nothing_is_known_of_what_no_template_made() -> None:
    """What a model wrote has no family, whatever it is called."""
    assert chance_nats("model:other_name") == chance_nats("search:syntax") == chance_nats("") == 0


def test_of_changes_alike_the_one_that_seldom_passes_by_chance_is_first() -> None:
    """Two candidates of one size and one prior are told apart by how their families pass."""
    meant = RankedCandidate(Candidate(PROGRAM.replace("xs[0]", "xs[1]"), "search:round_up"), 0.1)
    often = RankedCandidate(Candidate(PROGRAM.replace("xs[0]", "xs[2]"), "search:sort_value"), 0.1)
    assert rank_candidates([often, meant], PROGRAM)[0] is meant
