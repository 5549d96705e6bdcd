"""How often what passes does so by chance: changes of one family, beside those of another.

How likely a family is to be meant, before anything is run, is its prior (`regreen.propose.search.priors`). That a
change passes says more of some than of others: another name anywhere passes a few checks by accident, and two
statements that change places hardly ever do. Fitted as by `training/fit_chance.py` on 341 lists of what passed in the
programs of `bundled`, of even-numbered HumanEvalFix tasks and of thirteen shelves, families that came later on 1,047
lists of forty-seven shelves and the even-numbered tasks; rounded to halves. Of the later ones only those above 0 count:
they were written for some of these very sets, and what they have won there flatters them. Eighteen were moved since, by
half a nat or one, as 345 lists of nineteen shelves and the even-numbered tasks ask, and fifteen by half a nat, as 350
later lists do: 285 of them have the right one first, and had 281.
"""

from __future__ import annotations

from typing import Final

SYNTHESISED_ORIGIN: Final = "synthesised"
"""What the search calls an expression that it made of values which checks show, in the origin of a candidate."""
_FAMILIES: Final[tuple[tuple[float, str], ...]] = (
    (
        -2.5,
        "centuries compare_loosely copy_deeply other_keyword wrap_around",
    ),
    (
        -2.0,
        "as_share ask_as_twin best_key clock_face fall_in_part flatten_items join_anything keep_last_ones keep_order "
        "or_nothing past_midnight read_truth round_up sort_before_grouping swap_statements take_off use_key "
        "wrap_index",
    ),
    (
        -1.5,
        "both_coordinates check_first copy_alias cross_names cut_towards_zero drop_emptied field_of_owner "
        "flip_keyword keep_old_value late_closure late_closure_of_function make_list not_a_bool other_unit_of_number "
        "repeated_rows shared_attribute sort_converted sort_key spread_argument swap_arguments tweak_key",
    ),
    (
        -1.0,
        "alternate_sign ask_both ask_items ask_key ask_key_first begin_each_call carry_total count_those_left "
        "default_mark escape_text even_pair gather_values keep_falsy keep_falsy_items longest_through look_for_key "
        "lost_level mark_filled mark_missing missing_pair missing_turn none_case note_on_other other_method own_mark "
        "pass_along recursive_argument refuse_left_over stated_call step_from_start swap_assignment swap_branches "
        "take_back turn_with_swap use_unused widen_type",
    ),
    (
        -0.5,
        "add_argument add_filter apply_own around_recursion base_of_combinations bring_into_range carry_parameter "
        "choose_steps convert_parameter copy_before_round count_own_step cross_calls diagonal_calls drop_argument "
        "drop_overwriting fresh_argument freshen_entry further_recursion gather_argument gather_keywords hand_on "
        "ignore_case item_or_nothing keep_in_bounds lost_recursion merge_deeply move_in mutable_default name_argument "
        "note_change other_condition other_function other_steps own_function prepend_item raw_pattern rename_keyword "
        "rest_of_longer return_value skip_equal spell_truth split_once spread_element spread_generator stand_in "
        "stated_guard stated_slice store_result swap_owner turn_arguments turn_back tweak_pattern uncalled_function "
        "undo_elsewhere unused_name unused_option whole_words widen_base write_back",
    ),
    (
        0.5,
        "add_condition add_stated_branch add_what_is_given answer_by_unread_flag area_without_sign "
        "arguments_as_elsewhere as_long_as_needed as_unread_decides as_unread_flag_says ask_besides ask_counts "
        "ask_every_digit ask_flag_in_else ask_for_instance ask_for_lead ask_for_zero ask_other_side ask_what_is_in_it "
        "at_last attribute_to_name begin_entry behind_first_digit both_of_pair_once by_turns cap_operand catch "
        "charge_if_asked checked_number class_of_caller clip_to_parameter compare_in_order compound "
        "constant_condition convert_back count_as_filtered cross_exits cut_chain default_value difference_of_places "
        "digits_as_numbers divide_whole donate_statement drop_element either_scheme else_of_loop empty_less "
        "empty_ones_between entry_of_base_class entry_or_unread every_link exact_constant fields_of_both fill_once "
        "first_entry_stays follow_as_known forget_expired from_lower_end gather_unread give_part global_name "
        "go_through_once group_from_right guard_raise handler_body index_to_get insert_clear insert_exit insert_reset "
        "join_roots keep_best_of_run keep_going keep_others keep_the_cofactor keys_of_both larger_as_elsewhere "
        "last_place late_name lines_of_text look_at_last look_before_answer look_on lose_result lost_return "
        "lowest_bit mend_link method_before_function method_or_function minus_in_front mirror_branch mirror_statement "
        "misspelt_method misspelt_name mistyped_number move_out move_wildcard_in_fstring name_to_attribute "
        "narrowest_first nearer_of_both negate_filter negate_part negate_result not_the_same_one note_best_value "
        "nudge_number one_of_both operator_as_asked order_of_parts other_container other_distance other_exception "
        "other_handler other_part other_start other_zero_point own_method_for_part push_shape put_in_front "
        "raise_again raise_at_last raise_for_break raise_or_return raise_own read_counts_of_letters read_whole_run "
        "regroup regroup_argument regroup_call regroup_words repeat_comparison rest_of_open return_joined "
        "return_those_that_tie reverse_part root_of_squares same_length scale_number several_marks shared_ranks "
        "signed_update spell_absence spread_not square_each_round stated_key step_by_one sunday_first swap_membership "
        "swap_pair swap_returned swap_unpacked swap_update take_entry take_from_stack take_off_dropped take_off_whole "
        "text_of_nothing tie_branch tie_by_value told_term turn_round ungroup unless_there_is_none until_end_of_input "
        "unwrap_block wrap_method",
    ),
    (
        1.0,
        "add_beside add_else add_index answer_as_elsewhere as_often_as_asked ask_as_elsewhere ask_what_is_there "
        "attribute_everywhere begin_at_zero borrow_expression call_again call_own_first carry_over clamp_slice_start "
        "clean_words clear_bits clip_index compare_lengths convert_as_elsewhere copy_statement decorate_as_elsewhere "
        "drop_condition drop_operand end_beginning end_of_round exchange_items extend_expression factor_as_elsewhere "
        "fill_collection fill_slice final_return find_roots flush_after_loop follow_as_else frozen_test "
        "gathering_loop give_what_is_left half_of_all index_to_call item_for_place join_again join_in_order "
        "keep_result last_or_none lessen_before_asking look_up lower_the_flag move_bound move_wildcard name_to_number "
        "negate_condition note_where_it_began number_to_name offset offset_alike only_if_better or_at_other_end "
        "other_attribute other_index other_target other_yield page_before pairs_once place_for_value "
        "recursive_generator rename_shadow reshape_range reshape_slice return_name shift_together split_at_any_blanks "
        "split_evenly step_past_middle swap_comparison swap_elements swap_links swap_none_test swap_operands "
        "swap_operator take_in_unread take_out text_so_often told_constant told_number trim_joints truth_everywhere "
        "turn_table value_only_if widest_last with_sentinel word_everywhere wrap_as_elsewhere wrap_call "
        "wrap_in_condition",
    ),
    (
        1.5,
        "advance_loop apply_again ask_seen choose_branch common_number constant_everywhere cut_as_wanted "
        "double_or_next drop_index drop_sign edit_characters exchange_steps follow_as_elsewhere guard insert_addition "
        "keep_updates_within length_for_number literal_throughout lost_operand move_slice_bound name_to_string "
        "nudge_siblings operator_everywhere other_key other_name other_quantifier own_name_in_text part_of_expression "
        "reckon_with_other_entry rename_everywhere repeat_text replace_last round_result seen_character seen_number "
        "seen_string shift_index similar_string split_absolute string_to_name swap_parameters turn_the_flag unwrap "
        "wanted_text with_told_number with_what_comes wrap_limits",
    ),
    (
        2.0,
        "absolute_difference combine_names insert_update keep_within other_iterable told_string tweak_string "
        "unread_operand",
    ),
    (
        2.5,
        "sort_value",
    ),
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
