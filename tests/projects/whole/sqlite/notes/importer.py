from .store import Store


def import_lines(store: Store, lines):
    """Lines such as "** title": a star each."""
    for line in lines:
        title = line.lstrip("*").strip()
        if title:
            store.add(title, len(line) - len(line.lstrip("*")))
