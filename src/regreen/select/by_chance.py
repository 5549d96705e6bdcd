"""How often what passes does so by chance: changes of one family, beside those of another.

How likely a family is to be meant, before anything is run, is its prior (`regreen.propose.search.priors`). That a
change passes says more of some than of others: another name anywhere passes a few checks by accident, and two
statements that change places hardly ever do. Fitted as by `training/fit_chance.py` on 341 lists of what passed in the
programs of `bundled`, of even-numbered HumanEvalFix tasks and of thirteen shelves; rounded to halves.
"""

from __future__ import annotations

from typing import Final

SYNTHESISED_ORIGIN: Final = "synthesised"
"""What the search calls an expression that it made of values which checks show, in the origin of a candidate."""
_FAMILIES: Final[tuple[tuple[float, str], ...]] = (
    (-2.5, "centuries compare_loosely copy_deeply other_keyword other_unit_of_number tweak_key wrap_around"),
    (
        -2.0,
        "as_share ask_as_twin best_key check_first clock_face fall_in_part flatten_items join_anything "
        "keep_last_ones keep_order or_nothing past_midnight read_truth round_up sort_before_grouping "
        "swap_statements take_off use_key wrap_index",
    ),
    (
        -1.5,
        "add_argument both_coordinates copy_alias cross_names cut_towards_zero drop_emptied field_of_owner "
        "flip_keyword late_closure late_closure_of_function make_list not_a_bool repeated_rows shared_attribute "
        "sort_converted sort_key spread_argument stated_call swap_arguments",
    ),
    (
        -1.0,
        "add_sign alternate_sign ask_both ask_items ask_key ask_key_first begin_each_call carry_total "
        "count_those_left default_mark drop_filter escape_text even_pair gather_values keep_falsy keep_falsy_items "
        "longest_through look_for_key lost_level mark_filled mark_missing missing_pair missing_turn none_case "
        "note_on_other other_function own_mark pass_along recursive_argument refuse_left_over step_from_start "
        "swap_assignment swap_branches take_back turn_with_swap use_unused widen_type",
    ),
    (
        -0.5,
        "add_filter apply_own around_recursion base_of_combinations bring_into_range carry_parameter choose_steps "
        "convert_parameter copy_before_round count_own_step cross_calls diagonal_calls drop_argument "
        "drop_overwriting fresh_argument freshen_entry further_recursion gather_argument gather_keywords hand_on "
        "ignore_case item_or_nothing keep_in_bounds keep_old_value lost_recursion merge_deeply move_in "
        "mutable_default name_argument normalise_parameters note_change other_condition other_method other_steps "
        "own_function prepend_item raw_pattern rename_keyword rest_of_longer return_value skip_equal spell_truth "
        "split_once spread_element spread_generator stand_in stated_guard stated_slice store_result swap_owner "
        "swap_word turn_arguments turn_back tweak_pattern uncalled_function undo_elsewhere unused_name "
        "unused_option whole_words widen_base write_back",
    ),
    (
        0.5,
        "add_index add_stated_branch ask_counts at_last attribute_to_name catch checked_number compare_in_order "
        "constant_condition count_as_filtered cross_exits default_value delete_statement divide_whole "
        "double_or_next drop_element drop_operand empty_less every_link fill_once global_name guard_raise "
        "handler_body index_to_get insert_clear insert_exit insert_reset join_roots keep_others late_name "
        "look_before_answer look_on lose_result lost_return lowest_bit mirror_statement misspelt_method "
        "misspelt_name mistyped_number move_out move_wildcard_in_fstring name_to_attribute narrowest_first "
        "negate_filter negate_part negate_result nudge_number offset other_container other_exception other_start "
        "push_shape raise_or_return raise_own regroup regroup_argument regroup_call regroup_words repeat_comparison "
        "scale_number shift_index signed_update spread_not stated_key sunday_first swap_pair swap_returned "
        "swap_unpacked swap_update take_entry take_off_whole tie_branch told_term turn_round ungroup wrap_method",
    ),
    (
        1.0,
        "add_beside add_else attribute_everywhere borrow_expression call_again carry_over clear_bits clip_index "
        "common_number copy_statement drop_condition drop_index end_of_round fill_collection fill_slice "
        "final_return flush_after_loop frozen_test gathering_loop index_to_call keep_result last_or_none look_up "
        "move_bound move_wildcard name_to_number negate_condition number_to_name offset_alike other_attribute "
        "other_index other_target other_yield pairs_once place_for_value recursive_generator rename_shadow "
        "reshape_range reshape_slice return_name shift_together swap_links swap_operands swap_operator "
        "take_in_unread take_out told_number truth_everywhere turn_table widest_last with_what_comes "
        "word_everywhere",
    ),
    (
        1.5,
        "advance_loop apply_again ask_seen choose_branch constant_everywhere edit_characters guard insert_addition "
        "keep_updates_within lost_operand move_slice_bound name_to_string operator_everywhere other_key other_name "
        "other_quantifier part_of_expression rename_everywhere repeat_text round_result seen_character seen_string "
        "similar_string split_absolute string_to_name swap_parameters unwrap wrap_call wrap_limits",
    ),
    (
        2.0,
        "absolute_difference combine_names extend_expression keep_within other_iterable told_string tweak_string "
        "unread_operand",
    ),
    (2.5, "insert_update sort_value"),
)
"""In nats, and the names of templates: above 0 passes by chance more often than others, below 0 less often. Where few
lists speak of a template, the others of its module speak for it."""
CHANCE_NATS: Final = {name: nats for nats, names in _FAMILIES for name in names.split()}
"""Of the templates of which something is known."""


def chance_nats(origin: str) -> float:
    """How much likelier than others a candidate is to pass by chance, in nats, by its origin: `search:one+other`.

    Of several families, one that seldom passes by chance makes up for another one that often does, and for no more: a
    further change does not make better what passes without it.
    """
    source, _, families = origin.partition(":")
    nats = [CHANCE_NATS.get(name, 0.0) for name in families.split("+")] if source == "search" else [0.0]
    return max(nats) if max(nats) < 0 else max(sum(nats), 0.0)
