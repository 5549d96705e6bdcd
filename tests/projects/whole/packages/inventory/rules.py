BATCH = 10


def batches(count):
    """How many batches hold so many pieces."""
    return count // BATCH


def reorder_amount(level, minimum):
    """Whole batches that bring a level to at least twice the minimum."""
    missing = 2 * minimum - level
    return batches(missing) * BATCH
