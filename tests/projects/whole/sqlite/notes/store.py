import sqlite3

SCHEMA = """
CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars INTEGER NOT NULL DEFAULT 0);
"""


class Store:
    def __init__(self, path=":memory:"):
        self.connection = sqlite3.connect(path)
        self.connection.executescript(SCHEMA)

    def add(self, title, stars=0):
        with self.connection:
            cursor = self.connection.execute("INSERT INTO note (title, stars) VALUES (?, ?)", (title, stars))
        return cursor.lastrowid

    def best(self, limit=3):
        rows = self.connection.execute("SELECT title FROM note ORDER BY stars, title LIMIT ?", (limit,))
        return [title for (title,) in rows]

    def starred(self, least):
        rows = self.connection.execute("SELECT title FROM note WHERE stars >= ? ORDER BY title", (least,))
        return [title for (title,) in rows]

    def count(self):
        return self.connection.execute("SELECT COUNT(*) FROM note").fetchone()[0]
