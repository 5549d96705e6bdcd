"""The prior of every template: how common its family of bugs is, and how many mutations share that chance.

They are estimates by the author of how often programmers make a mistake, given when a template was added; no corpus
of bugs was counted. Those with a first value beside them were changed once, when the table grew, by judgement too.
What they do together is measured: benchmarks/README.md says how many bugs the search repairs.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class TemplatePrior(NamedTuple):
    """How likely a template is to undo the bug, before anything is known of the program but its nodes."""

    share: float
    """Estimated share of bugs of this family among programs with a node that the template takes."""
    mutations: float
    """Typical number of mutations at one node: the share is divided among them."""


TEMPLATE_PRIORS: Final[dict[str, TemplatePrior]] = {
    # numbers
    "nudge_number": TemplatePrior(0.1, 2),
    "common_number": TemplatePrior(0.08, 4),
    "told_number": TemplatePrior(0.03, 6),
    "scale_number": TemplatePrior(0.02, 6),
    "seen_number": TemplatePrior(0.01, 30),
    "mistyped_number": TemplatePrior(0.02, 3),
    "ask_counts": TemplatePrior(0.05, 8),
    "ask_seen": TemplatePrior(0.1, 6),
    "apply_again": TemplatePrior(0.01, 1),
    "pad_shorter": TemplatePrior(0.008, 3),
    "count_wanted": TemplatePrior(0.008, 2),
    "empty_less": TemplatePrior(0.006, 3),
    "checked_number": TemplatePrior(0.004, 20),
    "name_to_number": TemplatePrior(0.03, 3),
    "number_to_name": TemplatePrior(0.015, 6),
    "round_halves_up": TemplatePrior(0.1, 1),
    "switch_constant": TemplatePrior(0.04, 1.5),
    "offset": TemplatePrior(0.05, 2),
    # whole_numbers
    "multiply_first": TemplatePrior(0.05, 1),
    "least_multiple": TemplatePrior(0.05, 1),
    "cut_towards_zero": TemplatePrior(0.02, 1),
    "append_digit": TemplatePrior(0.05, 1),
    "regular_number": TemplatePrior(0.1, 1),
    "sort_parameters": TemplatePrior(0.02, 1),
    "double_or_next": TemplatePrior(0.02, 1),
    # known_tables
    "known_row": TemplatePrior(0.2, 1),
    "known_table": TemplatePrior(0.2, 1),
    "known_text": TemplatePrior(0.1, 1),
    # values_and_containers
    "other_start": TemplatePrior(0.05, 8),
    "keep_old_value": TemplatePrior(0.03, 2),
    "other_container": TemplatePrior(0.03, 2),
    "rebuild_tuple": TemplatePrior(0.3, 1),
    "drop_element": TemplatePrior(0.02, 3),
    "part_strings": TemplatePrior(0.3, 1),
    "make_list": TemplatePrior(0.015, 2),
    "swap_comprehension": TemplatePrior(0.02, 1),
    # comparisons
    "swap_comparison": TemplatePrior(0.16, 3),
    "swap_membership": TemplatePrior(0.01, 1),
    "cut_chain": TemplatePrior(0.02, 2),
    "mend_link": TemplatePrior(0.005, 2),
    "compare_lengths": TemplatePrior(0.02, 4),
    "swap_none_test": TemplatePrior(0.02, 1),
    "spell_truth": TemplatePrior(0.015, 4),
    "look_at_last": TemplatePrior(0.03, 1.5),
    "all_bits": TemplatePrior(0.1, 1),
    # negations
    "negate_condition": TemplatePrior(0.05, 1),
    "negate_part": TemplatePrior(0.02, 2),
    "negate_result": TemplatePrior(0.03, 1),
    "look_before_answer": TemplatePrior(0.03, 10),
    "negate_filter": TemplatePrior(0.02, 1),
    "repeat_comparison": TemplatePrior(0.05, 2),
    "spread_not": TemplatePrior(0.015, 2),
    "constant_condition": TemplatePrior(0.01, 2),
    # conditions
    "widen_type": TemplatePrior(0.08, 2),
    "add_condition": TemplatePrior(0.03, 40),
    "ask_as_elsewhere": TemplatePrior(0.04, 2),
    "check_first": TemplatePrior(0.04, 5),
    "choose_steps": TemplatePrior(0.3, 2),
    "other_steps": TemplatePrior(0.1, 1),
    "both_coordinates": TemplatePrior(0.03, 2),
    "told_term": TemplatePrior(0.05, 3),
    "offset_alike": TemplatePrior(0.05, 3),
    "count_as_filtered": TemplatePrior(0.05, 2),
    "other_condition": TemplatePrior(0.015, 30),
    "drop_filter": TemplatePrior(0.02, 1),
    "add_filter": TemplatePrior(0.03, 20),
    "other_keyword": TemplatePrior(0.03, 1),
    "swap_branches": TemplatePrior(0.04, 1),
    # symmetric_conditions
    "missing_pair": TemplatePrior(0.1, 1),
    "missing_turn": TemplatePrior(0.2, 1),
    "even_pair": TemplatePrior(0.05, 1),
    # none_and_falsy
    "keep_falsy": TemplatePrior(0.05, 1),
    "spell_absence": TemplatePrior(0.015, 2),
    "keep_falsy_items": TemplatePrior(0.08, 1),
    "look_for_key": TemplatePrior(0.02, 1),
    "ask_key": TemplatePrior(0.08, 1),
    "none_case": TemplatePrior(0.2, 2),
    "default_mark": TemplatePrior(0.1, 1),
    "mark_missing": TemplatePrior(0.05, 1),
    # branches
    "tie_branch": TemplatePrior(0.03, 5),
    "add_else": TemplatePrior(0.02, 8),
    "add_stated_branch": TemplatePrior(0.02, 8),
    "compare_in_order": TemplatePrior(0.05, 1.5),
    "other_quantifier": TemplatePrior(0.1, 1),
    "cross_exits": TemplatePrior(0.03, 1),
    # link_order
    "swap_links": TemplatePrior(0.04, 1),
    "every_link": TemplatePrior(0.06, 1),
    "narrowest_first": TemplatePrior(0.05, 1),
    "widest_last": TemplatePrior(0.03, 1),
    # best_so_far
    "compare_after_loop": TemplatePrior(0.2, 1),
    "tie_by_value": TemplatePrior(0.06, 2),
    "keep_runner_up": TemplatePrior(0.15, 1.5),
    # operators
    "swap_operator": TemplatePrior(0.1, 3),
    "clear_bits": TemplatePrior(0.3, 1),
    "drop_operand": TemplatePrior(0.09, 2),
    "swap_operands": TemplatePrior(0.03, 1),
    "regroup": TemplatePrior(0.02, 1),
    "ungroup": TemplatePrior(0.005, 1),
    "regroup_call": TemplatePrior(0.008, 1),
    "regroup_argument": TemplatePrior(0.008, 3),
    "swap_word": TemplatePrior(0.06, 1.5),
    "drop_condition": TemplatePrior(0.05, 2),
    "regroup_words": TemplatePrior(0.01, 1),
    "drop_sign": TemplatePrior(0.04, 1),
    "add_sign": TemplatePrior(0.012, 1),
    "swap_update": TemplatePrior(0.07, 3),
    "swap_assignment": TemplatePrior(0.02, 3),
    "signed_update": TemplatePrior(0.3, 1),
    # name_swaps
    "other_name": TemplatePrior(0.12, 2.5),  # first 0.09, 3
    "unused_name": TemplatePrior(0.15, 1),
    "use_unused": TemplatePrior(0.15, 5),  # first 0.06, 5
    "misspelt_name": TemplatePrior(0.5, 3),
    "late_name": TemplatePrior(0.02, 1),
    "other_target": TemplatePrior(0.04, 3),  # first 0.025, 4
    "global_name": TemplatePrior(0.01, 3),
    "name_to_attribute": TemplatePrior(0.05, 1),
    "attribute_to_name": TemplatePrior(0.02, 1),
    "other_attribute": TemplatePrior(0.06, 3),
    "swap_pair": TemplatePrior(0.02, 2),
    "swap_returned": TemplatePrior(0.02, 1),
    "swap_elements": TemplatePrior(0.015, 1),
    "swap_unpacked": TemplatePrior(0.05, 1),
    "swap_order": TemplatePrior(0.015, 1),
    # unreachable_names
    "rename_definition": TemplatePrior(0.9, 1),
    "missing_import": TemplatePrior(0.8, 1),
    "widen_import": TemplatePrior(0.02, 1),
    "import_unbound": TemplatePrior(0.8, 1),
    "declare_outer": TemplatePrior(0.1, 1),
    "switch_declaration": TemplatePrior(0.1, 1),
    "add_receiver": TemplatePrior(0.2, 2),
    "add_decorator": TemplatePrior(0.02, 2),
    "call_parent": TemplatePrior(0.1, 2),
    "set_attribute": TemplatePrior(0.1, 3),
    # unkept_parameters
    "keep_parameter": TemplatePrior(0.3, 4),
    # unbound_variables
    "begin_variable": TemplatePrior(0.7, 4),
    "bind_variable": TemplatePrior(0.6, 2),
    # strings
    "told_string": TemplatePrior(0.035, 4),
    "similar_string": TemplatePrior(0.06, 2),
    "seen_character": TemplatePrior(0.025, 5),
    "tweak_string": TemplatePrior(0.045, 7),  # first 0.04, 10
    "seen_string": TemplatePrior(0.025, 35),
    "edit_characters": TemplatePrior(0.012, 20),
    "other_key": TemplatePrior(0.03, 4),
    "string_to_name": TemplatePrior(0.04, 2),  # first 0.012, 2
    "name_to_string": TemplatePrior(0.01, 1),
    # expected_texts
    "wanted_text": TemplatePrior(0.06, 1),
    "own_name_in_text": TemplatePrior(0.05, 1),
    # unfinished
    "begin_entry": TemplatePrior(0.1, 2),
    "begin_on_use": TemplatePrior(0.1, 1),
    "begin_with_first_key": TemplatePrior(0.1, 2),
    "spread_rest": TemplatePrior(0.15, 1),
    "keep_others": TemplatePrior(0.08, 1),
    "take_off_dropped": TemplatePrior(0.2, 1),
    "raise_from_kept": TemplatePrior(0.15, 1),
    "tuple_with_unread": TemplatePrior(0.1, 2),
    # fstrings
    "lost_prefix": TemplatePrior(0.4, 1),
    "other_format": TemplatePrior(0.06, 8),
    "between_fields": TemplatePrior(0.04, 8),
    # regexes
    "tweak_pattern": TemplatePrior(0.08, 8),
    "raw_pattern": TemplatePrior(0.4, 1),
    "ignore_case": TemplatePrior(0.02, 3),
    # sql
    "tweak_query": TemplatePrior(0.12, 8),
    "other_limit": TemplatePrior(0.04, 3),
    # wildcards
    "move_wildcard": TemplatePrior(0.1, 4),
    "move_wildcard_in_fstring": TemplatePrior(0.1, 4),
    # standard_library
    "whole_duration": TemplatePrior(0.2, 2),
    "other_zone": TemplatePrior(0.3, 1),
    "other_unit": TemplatePrior(0.06, 5),
    "known_keyword": TemplatePrior(0.03, 3),
    "other_factory": TemplatePrior(0.15, 6),
    "exclude_bool": TemplatePrior(0.02, 1),
    "equal_lengths": TemplatePrior(0.1, 1),
    "other_directive": TemplatePrior(0.2, 3),
    "other_mode": TemplatePrior(0.1, 2),
    "end_line": TemplatePrior(0.04, 1),
    "system_constant": TemplatePrior(0.04, 1),
    "fresh_field": TemplatePrior(0.3, 1),
    # units
    "other_unit_of_number": TemplatePrior(0.1, 3),
    # text_and_bytes
    "encode_text": TemplatePrior(0.3, 1.5),
    "decode_bytes": TemplatePrior(0.15, 1),
    # conversions
    "convert_text": TemplatePrior(0.15, 2),
    "compare_as_text": TemplatePrior(0.04, 1.5),
    "guard_conversion": TemplatePrior(0.4, 4),
    "trim_pieces": TemplatePrior(0.06, 3),
    "keep_as_asked": TemplatePrior(0.15, 1),
    "convert_items": TemplatePrior(0.03, 2),
    "treat_alike": TemplatePrior(0.06, 5),
    # idioms
    "compare_loosely": TemplatePrior(0.03, 3),
    "join_anything": TemplatePrior(0.1, 2),
    "keep_order": TemplatePrior(0.05, 1),
    "best_key": TemplatePrior(0.06, 1.5),
    "as_share": TemplatePrior(0.15, 1),
    "take_off": TemplatePrior(0.04, 2),
    "wrap_around": TemplatePrior(0.05, 2),
    "clock_face": TemplatePrior(0.1, 1.5),
    "past_midnight": TemplatePrior(0.1, 1),
    "centuries": TemplatePrior(0.3, 1),
    "round_up": TemplatePrior(0.06, 1),
    "wrap_index": TemplatePrior(0.02, 1),
    "or_nothing": TemplatePrior(0.3, 3),
    "read_truth": TemplatePrior(0.2, 4),
    "gather_values": TemplatePrior(0.05, 2),
    "flatten_items": TemplatePrior(0.03, 1),
    "use_key": TemplatePrior(0.04, 10),
    # related_functions
    "other_function": TemplatePrior(0.09, 1.5),
    "both_sides": TemplatePrior(0.04, 1),
    "own_function": TemplatePrior(0.03, 2),
    "uncalled_function": TemplatePrior(0.3, 1),
    # call_arguments
    "name_argument": TemplatePrior(0.015, 1),
    "spread_generator": TemplatePrior(0.03, 1),
    "swap_arguments": TemplatePrior(0.04, 1.5),
    "turn_arguments": TemplatePrior(0.012, 2),
    "cross_calls": TemplatePrior(0.03, 1),
    "swap_owner": TemplatePrior(0.006, 1),
    "drop_argument": TemplatePrior(0.03, 1.5),
    "fresh_argument": TemplatePrior(0.02, 6),
    "rename_keyword": TemplatePrior(0.01, 2),
    # lost_arguments
    "add_argument": TemplatePrior(0.025, 4),
    "pass_along": TemplatePrior(0.05, 1),
    "unused_option": TemplatePrior(0.05, 1),
    "field_of_owner": TemplatePrior(0.1, 1.5),
    # calls
    "call_result": TemplatePrior(0.06, 1),
    "drop_call": TemplatePrior(0.008, 1),
    "keep_called_result": TemplatePrior(0.1, 1.5),
    "add_await": TemplatePrior(0.05, 1),
    "drop_await": TemplatePrior(0.03, 1),
    # unpacking
    "spread_argument": TemplatePrior(0.02, 1.5),
    "gather_argument": TemplatePrior(0.02, 1),
    "gather_keywords": TemplatePrior(0.005, 1),
    "spread_element": TemplatePrior(0.02, 1.5),
    "split_once": TemplatePrior(0.2, 3),
    # decorators
    "return_inner": TemplatePrior(0.5, 1),
    "pass_gathered": TemplatePrior(0.2, 2),
    "key_of_all": TemplatePrior(0.3, 2),
    "spread_options": TemplatePrior(0.2, 1),
    "keep_options": TemplatePrior(0.1, 2),
    # sorting
    "sort_key": TemplatePrior(0.04, 4),
    "sort_converted": TemplatePrior(0.2, 1),
    "fall_in_part": TemplatePrior(0.2, 1.5),
    "tweak_key": TemplatePrior(0.03, 6),
    "flip_keyword": TemplatePrior(0.01, 6),
    # neighbouring_collections
    "hand_on": TemplatePrior(0.02, 2),
    "ask_both": TemplatePrior(0.02, 2),
    # nested_items
    "ask_items": TemplatePrior(0.05, 2),
    # recursion
    "recursive_argument": TemplatePrior(0.05, 8),
    "lost_recursion": TemplatePrior(0.08, 1.5),
    "merge_deeply": TemplatePrior(0.1, 1),
    "lost_level": TemplatePrior(0.15, 2),
    "store_result": TemplatePrior(0.04, 1),
    "widen_base": TemplatePrior(0.06, 1),
    "prepend_item": TemplatePrior(0.05, 1),
    "around_recursion": TemplatePrior(0.03, 8),
    "count_own_step": TemplatePrior(0.1, 3),
    # methods
    "other_method": TemplatePrior(0.09, 3),
    "misspelt_method": TemplatePrior(0.1, 3),
    "sunday_first": TemplatePrior(0.08, 1),
    "method_or_function": TemplatePrior(0.05, 1),
    "index_to_get": TemplatePrior(0.04, 4),  # first 0.02, 4
    "take_entry": TemplatePrior(0.03, 1),
    "push_shape": TemplatePrior(0.04, 4),
    "keep_result": TemplatePrior(0.04, 3),
    "lose_result": TemplatePrior(0.2, 1),
    # special_methods
    "hash_of_equals": TemplatePrior(0.1, 1),
    "foreign_operand": TemplatePrior(0.1, 1.5),
    # indices
    "look_up": TemplatePrior(0.03, 2),
    "shift_index": TemplatePrior(0.06, 3),
    "other_index": TemplatePrior(0.03, 3),
    "clip_index": TemplatePrior(0.015, 1.5),
    "move_slice_bound": TemplatePrior(0.08, 4),
    "reshape_slice": TemplatePrior(0.06, 6),
    "fill_slice": TemplatePrior(0.02, 10),
    "index_to_call": TemplatePrior(0.02, 5),
    "drop_index": TemplatePrior(0.03, 2),
    "add_index": TemplatePrior(0.025, 10),
    "place_for_value": TemplatePrior(0.06, 1),
    # lengths
    "step_over": TemplatePrior(0.06, 1),
    "step_behind": TemplatePrior(0.04, 1),
    "room_for_ending": TemplatePrior(0.2, 2),
    "fill_rest": TemplatePrior(0.15, 2),
    "every_item": TemplatePrior(0.04, 4),
    "read_what_is_asked": TemplatePrior(0.12, 2),
    "long_enough": TemplatePrior(0.2, 1),
    "same_length": TemplatePrior(0.06, 1.5),
    # wrapping_calls
    "wrap_call": TemplatePrior(0.05, 5),
    "absolute_difference": TemplatePrior(0.02, 1),
    "split_absolute": TemplatePrior(0.1, 1),
    "wrap_method": TemplatePrior(0.015, 3),
    "wrap_limits": TemplatePrior(0.008, 14),
    "round_result": TemplatePrior(0.003, 4),
    "sort_value": TemplatePrior(0.006, 4),
    "unwrap": TemplatePrior(0.045, 1.5),
    "choose_branch": TemplatePrior(0.03, 3),
    "part_of_expression": TemplatePrior(0.03, 3),
    # loops
    "reshape_range": TemplatePrior(0.09, 6),
    "frozen_test": TemplatePrior(0.2, 4),
    "move_bound": TemplatePrior(0.2, 6),
    "carry_over": TemplatePrior(0.08, 2),
    "other_iterable": TemplatePrior(0.05, 8),
    "end_of_round": TemplatePrior(0.03, 3),
    "other_yield": TemplatePrior(0.06, 2),
    "recursive_generator": TemplatePrior(0.08, 1),
    "pairs_once": TemplatePrior(0.1, 2),
    # loop_nests
    "begin_each_round": TemplatePrior(0.1, 1),
    "swap_loops": TemplatePrior(0.1, 1),
    "swap_generators": TemplatePrior(0.1, 1),
    "turn_back": TemplatePrior(0.3, 1),
    "ask_loop_again": TemplatePrior(0.03, 15),
    # round_results
    "accumulate_rounds": TemplatePrior(0.15, 1.5),
    "remember_result": TemplatePrior(0.05, 2),
    "gather_result": TemplatePrior(0.06, 2),
    "keep_better_entry": TemplatePrior(0.15, 1.5),
    # found_or_not
    "ask_what_was_found": TemplatePrior(0.08, 6),
    # state_guards
    "refuse_state": TemplatePrior(0.06, 15),
    "advance_counter": TemplatePrior(0.25, 1.5),
    # refusals
    "count_changes_alone": TemplatePrior(0.06, 2),
    "ask_before_change": TemplatePrior(0.15, 1),
    "until_neither": TemplatePrior(0.2, 1),
    # left_over
    "refuse_left_over": TemplatePrior(0.15, 3),
    "write_back": TemplatePrior(0.06, 12),
    "bring_into_range": TemplatePrior(0.1, 3),
    "keep_in_bounds": TemplatePrior(0.04, 4),
    "copy_before_round": TemplatePrior(0.2, 1),
    # statement_moves
    "delete_statement": TemplatePrior(0.03, 1),
    "swap_statements": TemplatePrior(0.03, 1),
    "move_out": TemplatePrior(0.06, 1.5),
    "move_in": TemplatePrior(0.05, 2),
    "unwrap_block": TemplatePrior(0.02, 1),
    "drop_else": TemplatePrior(0.02, 2),
    "follow_as_else": TemplatePrior(0.06, 1),
    "else_of_loop": TemplatePrior(0.1, 1),
    "loop_else": TemplatePrior(0.004, 1),
    "return_value": TemplatePrior(0.06, 1),
    "return_name": TemplatePrior(0.04, 5),
    "other_result": TemplatePrior(0.03, 3),
    "state_of_entry": TemplatePrior(0.1, 3),
    # overwriting
    "drop_overwriting": TemplatePrior(0.3, 1),
    # guards
    "guard": TemplatePrior(0.12, 20),
    "guard_raise": TemplatePrior(0.03, 25),
    "default_value": TemplatePrior(0.02, 6),
    "convert_parameter": TemplatePrior(0.015, 8),
    "final_return": TemplatePrior(0.12, 5),
    # insertions
    "advance_loop": TemplatePrior(0.15, 7),
    "insert_update": TemplatePrior(0.03, 10),
    "insert_reset": TemplatePrior(0.02, 5),
    "reset_attribute": TemplatePrior(0.03, 4),
    "insert_addition": TemplatePrior(0.02, 20),
    "add_beside": TemplatePrior(0.1, 3),
    "gathering_loop": TemplatePrior(0.1, 3),
    "take_out": TemplatePrior(0.3, 2),
    "fill_collection": TemplatePrior(0.15, 4),
    # copied_statements
    "mirror_statement": TemplatePrior(0.03, 2),
    "turn_round": TemplatePrior(0.03, 3),
    "cross_names": TemplatePrior(0.01, 2),
    "copy_statement": TemplatePrior(0.02, 12),
    # as_elsewhere
    "follow_as_elsewhere": TemplatePrior(0.05, 1),
    "decorate_as_elsewhere": TemplatePrior(0.02, 2),
    "answer_as_elsewhere": TemplatePrior(0.04, 3),
    "convert_as_elsewhere": TemplatePrior(0.05, 1),
    "factor_as_elsewhere": TemplatePrior(0.03, 1),
    # written_elsewhere
    "larger_as_elsewhere": TemplatePrior(0.03, 1.5),
    "spell_as_elsewhere": TemplatePrior(0.04, 1.5),
    "convert_keys_together": TemplatePrior(0.03, 4),
    # as_stated
    "normalise_parameters": TemplatePrior(0.15, 2),
    "stated_guard": TemplatePrior(0.15, 2),
    "stated_key": TemplatePrior(0.15, 2),
    "stated_slice": TemplatePrior(0.15, 1.5),
    "stated_call": TemplatePrior(0.08, 2),
    # missing_steps
    "fill_once": TemplatePrior(0.03, 1.5),
    "lost_return": TemplatePrior(0.06, 2),
    "look_on": TemplatePrior(0.15, 1.5),
    "insert_exit": TemplatePrior(0.02, 40),
    "wrap_in_condition": TemplatePrior(0.02, 40),
    "early_exit": TemplatePrior(0.05, 12),
    "flush_after_loop": TemplatePrior(0.08, 3),
    "call_again": TemplatePrior(0.03, 8),
    "insert_clear": TemplatePrior(0.02, 1),
    # object_state
    "note_change": TemplatePrior(0.05, 8),
    "work_out_anew": TemplatePrior(0.05, 2),
    # counterparts
    "undo_elsewhere": TemplatePrior(0.1, 4),
    "freshen_entry": TemplatePrior(0.3, 1),
    # backtracking
    "take_back": TemplatePrior(0.15, 2),
    # object_arithmetic
    "lost_operand": TemplatePrior(0.05, 6),
    "unread_operand": TemplatePrior(0.15, 2),
    "keep_within": TemplatePrior(0.04, 4),
    "keep_updates_within": TemplatePrior(0.06, 2),
    # exceptions
    "other_handler": TemplatePrior(0.06, 8),
    "other_exception": TemplatePrior(0.05, 5),
    "raise_or_return": TemplatePrior(0.03, 5),
    "handler_body": TemplatePrior(0.03, 5),
    "at_last": TemplatePrior(0.06, 1),
    "raise_own": TemplatePrior(0.06, 2),
    "catch": TemplatePrior(0.02, 8),
    # shared_state
    "mutable_default": TemplatePrior(0.3, 1),
    "repeated_rows": TemplatePrior(0.1, 1),
    "copy_alias": TemplatePrior(0.06, 1.5),
    "late_closure": TemplatePrior(0.03, 1),
    "late_closure_of_function": TemplatePrior(0.2, 1),
    "shared_attribute": TemplatePrior(0.1, 1),
    "copy_deeply": TemplatePrior(0.006, 1),
    # repeated_slips
    "rename_everywhere": TemplatePrior(0.03, 12),
    "rename_shadow": TemplatePrior(0.4, 1),
    "swap_parameters": TemplatePrior(0.008, 1),
    "shift_together": TemplatePrior(0.05, 2),
    "constant_everywhere": TemplatePrior(0.02, 5),
    "operator_everywhere": TemplatePrior(0.03, 2),
    "word_everywhere": TemplatePrior(0.02, 1),
    "truth_everywhere": TemplatePrior(0.05, 1),
    # twins
    "alike_in_twins": TemplatePrior(0.03, 3),
    # borrowed_code
    "borrow_expression": TemplatePrior(0.05, 8),  # first 0.03, 10
    "extend_expression": TemplatePrior(0.03, 12),  # first 0.02, 15
    "take_in_unread": TemplatePrior(0.1, 4),
    "combine_names": TemplatePrior(0.015, 40),
}
