from clock.times import minutes


def lasts(start, end):
    return minutes(end) - minutes(start)
