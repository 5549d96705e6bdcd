"""Dotted paths into documents."""

MISSING = object()


def _step(value, part):
    if isinstance(value, dict):
        return value.get(part, MISSING)
    if isinstance(value, list) and part.isdigit():
        index = int(part)
        return value[index] if index < len(value) else MISSING
    return MISSING


def get(doc, path, default=MISSING):
    value = doc
    for part in path.split("."):
        value = _step(value, part)
        if value is MISSING:
            return default
    return value


def values(doc, path):
    """All values at a path; lists on the way are looked into."""
    found = [doc]
    for part in path.split("."):
        following = []
        for value in found:
            direct = _step(value, part)
            if direct is not MISSING:
                following.append(direct)
            elif isinstance(value, list):
                for item in value:
                    inner = _step(item, part) if isinstance(item, dict) else MISSING
                    if inner is not MISSING:
                        following.append(inner)
        found = following
    return found


def _parent(doc, path, create):
    *parts, last = path.split(".")
    value = doc
    for part in parts:
        inner = _step(value, part)
        if inner is MISSING:
            if not create or not isinstance(value, dict):
                return MISSING, last
            inner = value[part] = {}
        value = inner
    return value, last


def put(doc, path, new):
    """Set a value, making the dicts on the way. False if that can't be."""
    parent, last = _parent(doc, path, create=True)
    if isinstance(parent, dict):
        parent[last] = new
        return True
    if isinstance(parent, list) and last.isdigit() and int(last) < len(parent):
        parent[int(last)] = new
        return True
    return False


def drop(doc, path):
    parent, last = _parent(doc, path, create=False)
    if isinstance(parent, dict):
        parent.pop(last, None)
    elif isinstance(parent, list) and last.isdigit() and int(last) < len(parent):
        parent[int(last)] = None
