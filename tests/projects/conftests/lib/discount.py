import warnings

LOG = []


def discount(years):
    LOG.append(years)
    if years > 3:
        return 10
    return 0


def old_discount(years):
    warnings.warn("use discount()", DeprecationWarning, stacklevel=2)
    return discount(years)
