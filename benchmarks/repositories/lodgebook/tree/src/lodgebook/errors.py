class BookingError(Exception):
    pass


class Unavailable(BookingError):
    """The room is taken for at least one of the nights."""

    def __init__(self, room, nights):
        super().__init__(f"room {room} is not free for {nights}")
        self.room = room
        self.nights = nights


class UnknownBooking(BookingError, KeyError):
    def __str__(self):
        return f"no booking {self.args[0]!r}"
