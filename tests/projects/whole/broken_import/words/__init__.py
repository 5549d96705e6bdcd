from .stats import longest, mean_length
