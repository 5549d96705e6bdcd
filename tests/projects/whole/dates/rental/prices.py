HOUR, DAY = 8, 60


def price(period):
    days, hours = divmod(period.hours, 24)
    return days * DAY + min(hours * HOUR, DAY)
