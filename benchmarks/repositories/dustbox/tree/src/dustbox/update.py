"""Changing documents."""
import copy

from . import paths
from .errors import UpdateError
from .ordering import same, sort_key
from .query import is_operators, matches


def _number(value, path):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UpdateError(f"{path} is not a number")
    return value


def _put(doc, path, value):
    if not paths.put(doc, path, value):
        raise UpdateError(f"cannot set {path}")


def _set(doc, path, value):
    _put(doc, path, copy.deepcopy(value))


def _unset(doc, path, value):
    paths.drop(doc, path)


def _inc(doc, path, value):
    _put(doc, path, _number(paths.get(doc, path, 0), path) + _number(value, "$inc"))


def _mul(doc, path, value):
    _put(doc, path, _number(paths.get(doc, path, 0), path) * _number(value, "$mul"))


def _min(doc, path, value):
    current = paths.get(doc, path)
    if current is paths.MISSING or sort_key(value) < sort_key(current):
        _set(doc, path, value)


def _max(doc, path, value):
    current = paths.get(doc, path)
    if current is paths.MISSING or sort_key(value) > sort_key(current):
        _set(doc, path, value)


def _rename(doc, path, value):
    current = paths.get(doc, path)
    if current is not paths.MISSING:
        paths.drop(doc, path)
        _put(doc, value, current)


def _list_at(doc, path):
    current = paths.get(doc, path)
    if current is paths.MISSING:
        current = []
        _put(doc, path, current)
    if not isinstance(current, list):
        raise UpdateError(f"{path} is not a list")
    return current


def _each(value):
    if isinstance(value, dict) and "$each" in value:
        return copy.deepcopy(list(value["$each"]))
    return [copy.deepcopy(value)]


def _push(doc, path, value):
    _list_at(doc, path).extend(_each(value))


def _add_to_set(doc, path, value):
    current = _list_at(doc, path)
    for item in _each(value):
        if not any(same(item, other) for other in current):
            current.append(item)


def _pull(doc, path, value):
    if paths.get(doc, path) is paths.MISSING:
        return
    current = _list_at(doc, path)

    def goes(item):
        if is_operators(value):
            return matches({"item": item}, {"item": value})
        if isinstance(value, dict) and isinstance(item, dict):
            return matches(item, value)
        return same(item, value)

    current[:] = [item for item in current if not goes(item)]


def _pop(doc, path, value):
    if paths.get(doc, path) is paths.MISSING:
        return
    current = _list_at(doc, path)
    if current:
        current.pop(0 if value == -1 else -1)


OPERATORS = {
    "$set": _set, "$unset": _unset, "$inc": _inc, "$mul": _mul,
    "$min": _min, "$max": _max, "$rename": _rename, "$push": _push,
    "$addToSet": _add_to_set, "$pull": _pull, "$pop": _pop,
}


def apply_update(doc, update):
    """A changed copy of a document."""
    if not is_operators(update):
        if any(str(key).startswith("$") for key in update):
            raise UpdateError("operators and fields are mixed")
        changed = copy.deepcopy(update)
        changed["_id"] = doc["_id"]
        return changed
    changed = copy.deepcopy(doc)
    for name, fields in update.items():
        try:
            change = OPERATORS[name]
        except KeyError:
            raise UpdateError(f"unknown operator {name}") from None
        for path, value in fields.items():
            if path == "_id":
                raise UpdateError("_id cannot be changed")
            change(changed, path, value)
    return changed
