def test_scheduled_actions_see_their_time(clock):
    seen = []
    clock.call_at(1005, lambda: seen.append(clock.now()))
    clock.call_at(1002, lambda: seen.append(clock.now()))
    clock.advance(4)
    assert seen == [1002]
    clock.advance(4)
    assert seen == [1002, 1005]
    assert clock.now() == 1008
