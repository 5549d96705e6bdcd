from logkit.parse import parse_line
from logkit.summary import count_by_level
