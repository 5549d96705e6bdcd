from .converters import optional, to_bool
from .record import field, record
from .validators import ValidationError, in_range, instance_of
