from .calendar import Calendar
from .dates import DateRange
from .errors import BookingError, Unavailable, UnknownBooking
from .models import Booking, Room, Status
from .pricing import PriceList, Season
from .service import FrontDesk

__version__ = "2.0.3"

__all__ = [
    "Booking", "BookingError", "Calendar", "DateRange", "FrontDesk",
    "PriceList", "Room", "Season", "Status", "Unavailable", "UnknownBooking",
]
