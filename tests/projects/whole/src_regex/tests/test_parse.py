from logkit import count_by_level, parse_line


def test_a_plain_line():
    assert parse_line("INFO [db] connected") == {"level": "INFO", "where": "db", "text": "connected"}


def test_no_line_of_a_log():
    assert parse_line("connected") is None


def test_a_dotted_name():
    assert parse_line("WARN [db.pool] slow") == {"level": "WARN", "where": "db.pool", "text": "slow"}


def test_counts():
    assert count_by_level(["INFO [a] x", "INFO [b.c] y", "noise", "WARN [a] z"]) == {"INFO": 2, "WARN": 1}
