from .client import Client
from .retry import retried
