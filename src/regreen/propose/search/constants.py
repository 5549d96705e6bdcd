"""Every number that steers the search, and where it came from.

Where a number says no more, it is a judgement from the first version, never varied alone and measured. Only the
search as a whole has been measured, with all of them as they stand (benchmarks/README.md). A change to any of them
changes the order of the candidates.
"""

from __future__ import annotations

from typing import Final

# The order of the mutations of one program: MutationQueue, LineSuspicion.
PRIOR_SPREAD: Final = 0.45
"""Exponent by which a template's prior is shared among the nodes it applies to: 0 not at all, 1 wholly. First 0.6,
lowered when templates were added."""
SYMPTOM_BOOST: Final = 3.0
"""Factor for templates that a symptom or hint speaks for. First 2.5, raised when templates were added."""
UNREAD_IMPORT_BOOST: Final = 10.0
MAX_FORESEEN_NODES: Final = 2_000
"""Factor for mutations that read a name which is imported and not read; they are looked for in programs of so many
nodes at most, where making all mutations takes a second or two."""
OTHER_CODE_WEIGHT: Final = 0.4
"""Weight of code outside the entry point, where one is named."""
SIGNATURE_WEIGHT: Final = 0.7
"""Weight of a function's parameters and defaults, beside its body."""
UNSUSPECTED_LINE_WEIGHT: Final = 0.05
"""Weight of a line that no site speaks of: the localiser may be wrong."""
RAISING_DEPTH: Final = 2
RAISING_DEPTH_SHARE: Final = 0.5
"""Of what an exception speaks of, the parts down to this depth are likelier to be changed, with half of the gain at
each step."""
SCORE_JITTER: Final = 0.01
"""Largest share of a score taken off at random, so that the seed decides between equals."""

# Mutations that follow earlier ones: BestFirstSearch and its cursors.
MAX_EDITS: Final = 3
"""Mutations in one repair."""
MAX_EDITS_WINNING: Final = 5
"""Mutations in one repair whose first ones turned checks green and none red: each fault has checks of its own."""
MAX_EDITS_WITHOUT_EFFECT: Final = 2
"""Mutations in one repair whose first one changed no result."""
FOLLOW_UP_CHANCE: Final = 0.12
"""Chance that a mutation which made things better is part of the repair, before its score is considered."""
LEAST_SCORE_SHARE: Final = 0.05
SCORE_EXPONENT: Final = 0.25
"""Once a mutation has made things better, its score counts only with this power, as a share of the best score and at
least the least share: the result says more than the estimate."""
PROGRESS_GAIN: Final = 7.0
PROGRESS_EXPONENT: Final = 2
"""A mutation that wins checks gains 1 + 7 p**2, where p is the share of the distance that it has closed."""
SYNTHESISED_GAIN: Final = 0.2
"""Factor for the gain of a synthesised mutation: to please some checks is easy for it."""
MIXED_GAIN: Final = 0.4
"""Gain of a mutation that wins more checks than it loses."""
FURTHER_GAIN: Final = 0.6
"""A mutation that wins no check, and gets past assertions of one, gains this share of what winning it would."""
NEARER_GAIN: Final = 0.2
NEARER_GAIN_SLOPE: Final = 0.5
"""A mutation that wins no check and comes nearer gains 0.2 + 0.5 p, with the same p."""
NO_EFFECT_GAIN: Final = 0.1
"""Gain of a mutation that made nothing better and nothing worse."""
MASKED_GAIN: Final = 0.35
LEAST_MASKED_SHARE: Final = 0.2
"""Gain of a first mutation that loses checks: of two faults one may have hidden the other. Only the likeliest mutations
get it, with at least this share of the score of the best one. Chosen by programs with two faults each."""
LAGGING_GAIN: Final = 0.3
"""Least factor for a mutation that made less progress than the best one."""
ALIKE_EXPONENT: Final = 0.5
OUTCOME_DIGITS: Final = 3
"""The n-th changed program with one outcome is gone on from with the share n**-0.5: dozens of changes that please some
checks in the same way would crowd out the one that is half of the repair. Outcomes are compared to so many digits."""
DISTANCE_TOLERANCE: Final = 0.01
"""Distances that differ by less are equal."""
LEAST_DISTANCE: Final = 0.01
"""Divisor in place of a smaller distance."""
NEARBY_LINES: Final = 3
"""Lines within which an earlier edit counts as nearby."""
NEARBY_BOOST: Final = 1.5
"""Factor for a further edit that is nearby."""
SAME_TEMPLATE_BOOST: Final = 2.0
"""Factor for a further edit by the same template."""
REEDIT_FACTOR: Final = 0.15
"""Worth of editing once more what was just edited, beside an edit elsewhere."""
REPARSED_AT_FIRST: Final = 12
MUTATIONS_PER_REPARSE: Final = 100
"""Changed programs parsed at first, and mutations given for each further one: parsing one costs about that much."""
REPARSED_CHARACTERS: Final = 600_000
"""Characters of changed programs parsed in all, which bounds the memory that they take."""
LEAST_EXPECTED_SCORE: Final = 1e-9
"""Expected score below which a changed program is given up unparsed."""

# What is taken from the text: Clues, Scope and ParsedProgram.
MAX_LITERALS: Final = 24
"""Literals of one sort that are kept: the search does not get to more within its budget."""
MAX_STRING_CHARACTERS: Final = 60
"""Longest string that is tried elsewhere."""
MAX_EXPRESSION_CHARACTERS: Final = 60
"""Longest expression that is tried elsewhere."""
MAX_CONDITION_CHARACTERS: Final = 80
"""Longest condition that is tried elsewhere."""
FAILURES_PER_SYMPTOM: Final = 3
"""A symptom counts when at least one in three failing checks shows it."""
BRACKET_REACH: Final = 200
"""Characters before and after an expression in which its brackets are looked for: bounds the time on long blanks."""

# How well a value of one kind stands in for another: kind_fit. 1 for the same kind.
UNKNOWN_KINDS_FIT: Final = 0.6
"""Both kinds unknown."""
UNKNOWN_KIND_FIT: Final = 0.5
"""One kind unknown."""
NUMBERS_FIT: Final = 0.7
SEQUENCES_FIT: Final = 0.35
CONTAINERS_FIT: Final = 0.25
UNRELATED_KINDS_FIT: Final = 0.1
"""Two numbers, two sequences, two containers, and any two other kinds."""

# The repair of syntax errors: syntax_repair and line_repairs.
MAX_SYNTAX_EDITS: Final = 4
"""Edits in one syntax repair."""
MAX_PARSES: Final = 4_000
"""Texts parsed for one program, at most."""
MAX_PARSED_CHARACTERS: Final = 12_000_000
"""Characters parsed for one program, at most: long programs get fewer texts."""
LEAST_NEARNESS: Final = 0.05
"""What a mended program's nearness to a repair counts where its checks are as far from passing as can be."""
BEAM_WIDTH: Final = 12
"""Texts at each depth that are edited again, of those in which the parser comes further."""

# How likely a mutation is beside the likeliest one of its template at the same node, which has 1.0: a scale of
# judgement, nobody has counted. The tables of alternatives in the template modules give the same scale as numbers.
NEARLY_EQUAL: Final = 0.95
ALMOST_SURE: Final = 0.9
VERY_LIKELY: Final = 0.8
LIKELY: Final = 0.7
DEFINITIONS_LIKE_A_NAME: Final = 3
LEAST_LIKENESS_OF_NAMES: Final = 0.6
"""Definitions that may be meant by a name that the checks ask for, and how like it they have to be (`difflib`)."""
PROBABLE: Final = 0.6
HALF: Final = 0.5
POSSIBLE: Final = 0.4
UNLIKELY: Final = 0.3
SELDOM: Final = 0.25
IMPROBABLE: Final = 0.2
VERY_IMPROBABLE: Final = 0.15
REMOTE: Final = 0.1

# What a list of alternatives, likely ones first, loses of its weight from one to the next: less in longer lists.
GENTLE_DECLINE: Final = 0.03
SLOW_DECLINE: Final = 0.05
DECLINE: Final = 0.08
FAST_DECLINE: Final = 0.1
STEEP_DECLINE: Final = 0.15

# Bounds on what one template tries at one node, so that no template drowns the others. Judgement, none measured.
MAX_TURNED_ARGUMENTS: Final = 5
"""Arguments of a call that are turned round."""
MAX_EXCEPTIONS: Final = 3
"""Exceptions of the checks and the prose that are raised in new places."""
MAX_STATED_GUARDS: Final = 8
"""Guards that sentences of the prose speak of."""
MAX_STATED_BRANCHES: Final = 3
MAX_BRANCH_CHARACTERS: Final = 12
"""Branches for texts that prose quotes, and how long such a text may be."""
MAX_EXPECTED_RESULTS: Final = 3
"""Expected values of one sort that a guard may return."""
MAX_RESULTS: Final = 12
"""Values that a guard may return."""
MAX_NUMBER_RESULTS: Final = 6
"""Of these, how many a guard on a number, or before a statement, returns."""
MAX_RESULTS_AT_EXIT: Final = 5
"""Of these, how many are returned at the end of a block."""
GUARD_RESULT_RATIO: Final = 0.85
"""Weight of each value that a guard may return, beside the one before it."""
MAX_HANDLED_PAIRS: Final = 8
"""Exceptions that a handler may take beside its own."""
MAX_LOCAL_NAMES: Final = 8
"""Local names that are assigned or compared in new statements and conditions."""
MAX_INTEGERS_COMPARED: Final = 6
MAX_SEQUENCES_COMPARED: Final = 4
MAX_CONTAINERS_ASKED: Final = 5
MAX_TEXTS_ASKED: Final = 4
MAX_ATTRIBUTES_ASKED: Final = 6
MAX_KEYS_ASKED: Final = 6
MAX_TABLES_LOOKED_UP: Final = 3
"""Names of each kind in new conditions."""
MAX_NUMBERS_COMBINED: Final = 7
MAX_SEQUENCES_COMBINED: Final = 5
MAX_INDICES_COMBINED: Final = 5
MAX_BOUNDS_COMBINED: Final = 4
MAX_DICTS_COMBINED: Final = 3
MAX_KEYS_COMBINED: Final = 4
MAX_TEXTS_COMBINED: Final = 5
"""Names of each kind in new expressions over two variables."""
MAX_STRINGS_ADDED: Final = 6
"""Strings of the function that are added to an expression."""
LEAST_COMBINED_FIT: Final = 0.3
LEAST_EXTENSION_FIT: Final = 0.35
"""How well the kind of a new expression must fit for it to be tried."""
SAME_ITEMS_BOOST: Final = 1.3
"""Factor for another variable whose items are of the same kind."""
MAX_ATTRIBUTES: Final = 16
"""Attributes of the program that replace one another."""
MAX_SWAPPED_ELEMENTS: Final = 4
"""Elements of a tuple or list whose neighbours are swapped."""
MAX_DROPPED_FROM: Final = 12
"""Elements of a collection from which each one is dropped."""
MAX_EXPECTED_NUMBERS: Final = 12
MAX_INPUT_NUMBERS: Final = 10
"""Numbers of the checks that replace a number."""
MAX_EXPECTED_ANSWERS: Final = 6
"""Expected values of one sort that replace a returned constant."""
MAX_USES_RENAMED: Final = 12
"""Uses of a variable that are renamed all at once."""
MAX_EQUAL_CONSTANTS: Final = 8
"""Equal constants that are replaced all at once."""
MAX_REPLACING_NUMBERS: Final = 4
"""Numbers of the function, and of the prose, that replace them, or that bound a value."""
MAX_BOUNDING_NAMES: Final = 5
MAX_BOUNDING_SEQUENCES: Final = 3
"""Names that bound a value."""
MAX_BOUNDS: Final = 6
"""What may bound a value that is stored or returned: attributes, parameters, constants and numbers of the prose."""
MAX_NUMBERS_BESIDE: Final = 6
"""Attributes of an object that join its other ones in arithmetic."""
MAX_DECIMALS: Final = 7
"""Decimal places that a result is rounded to."""
MAX_UNWRAPPED_ARGUMENTS: Final = 3
"""Arguments of a call that replace the call."""
MAX_PART_DEPTH: Final = 3
"""How far down the parts of an expression are taken to replace it."""
MAX_CALLS_REPEATED: Final = 12
"""Calls that are repeated with another argument."""
MAX_PARALLEL_ELEMENTS: Final = 4
MAX_PARALLEL_STATEMENTS: Final = 6
"""Neighbouring elements and statements among which twins are looked for."""
MAX_CROSSED_PAIRS: Final = 2
"""Pairs of names of one statement that change places."""
MAX_TWIN_CHARACTERS: Final = 120
MAX_COPIED_CHARACTERS: Final = 80
MAX_FLUSHED_CHARACTERS: Final = 100
"""Longest statement that is mirrored with other names, copied elsewhere, or repeated after a loop."""
MAX_STATEMENTS_WRAPPED: Final = 3
"""Neighbouring statements of a loop that are put under a condition together."""
MAX_FORMATS: Final = 4
"""Formats of a function's f-strings that are given to its other fields."""
MAX_PATTERN_CHARACTERS: Final = 1_000
"""Longest regular expression that is edited."""
MAX_QUERY_CHARACTERS: Final = 600
"""Longest SQL query that is edited."""
MAX_COLUMNS: Final = 12
"""Names of tables and columns that replace one another in queries."""
MAX_LITERAL_CHARACTERS: Final = 200
"""Longest string literal that is replaced."""
MAX_EDITED_STRING: Final = 40
MAX_EDITED_CHARACTERS: Final = 24
"""Longest string of which single characters are edited, and how many of them."""
MAX_CHECK_STRING: Final = 23
"""Longest string of the checks that replaces a string."""
MAX_CHECK_CHARACTERS: Final = 60
"""Characters of the checks that replace a character."""
SIMILAR_LENGTHS: Final = 6
"""Characters by which the lengths of strings may differ that replace each other often."""
LEAST_MISSPELT_CHARACTERS: Final = 3
"""Shortest string that may be misspelt."""

# How alike two spellings must be (difflib's ratio, in [0, 1]), and how many of the closest are tried.
UNBOUND_NAME_CUTOFF, UNBOUND_NAME_MATCHES = 0.5, 6
UNBOUND_ATTRIBUTE_CUTOFF, UNBOUND_ATTRIBUTE_MATCHES = 0.3, 3
BOUND_NAME_CUTOFF, BOUND_NAME_MATCHES = 0.75, 2
METHOD_CUTOFF, METHOD_MATCHES = 0.55, 5
STRING_CUTOFF, STRING_MATCHES = 0.7, 3
KEYWORD_CUTOFF, KEYWORD_MATCHES = 0.6, 2

# Where the repair of a syntax error looks, beside the place where the parser stops.
LINES_BEFORE_ERROR: Final = 3
LINES_AFTER_ERROR: Final = 2
"""Lines of code edited before and after the one where the parser stops."""
LINE_DECLINE: Final = 0.25
"""Weight lost from each line before the error to the next."""
LINES_COMPLETED_BEFORE_ERROR: Final = 1
"""Lines of code before the one where the parser stops that are completed as if they had been cut."""
COMPLETED_WORDS: Final = 8
COMPLETING_NAMES: Final = 10
COMPLETING_TAILS: Final = 6
"""Words that a cut word may have been, names that may have followed, and ends taken from other lines, at most."""
BRACKET_LINES: Final = 12
"""Lines at whose ends a missing bracket may stand, from the error on."""
QUOTE_LINES: Final = 20
"""Lines at whose ends missing triple quotes may stand, from the error on."""
QUOTE_LINE_DECLINE: Final = 0.2
"""Added for each line to the divisor of the weight of missing quotes."""
INDENTED_BLOCK_WEIGHT: Final = 0.75
"""Weight of a block at another depth; one line has `VERY_LIKELY`."""
MISSPELT_WORDS: Final = 6
"""Words at the beginning of a line that may be misspelt keywords."""
QUOTE_REACH: Final = 3
"""Characters from the error within which a missing quote is likelier."""
DROPPED_TOKEN_REACH: Final = 12
INSERTED_TOKEN_REACH: Final = 16
"""Characters from the error within which tokens are dropped and inserted."""
FAR_TOKEN_WEIGHT: Final = 0.35
"""Weight of a token that is not right at the error."""
