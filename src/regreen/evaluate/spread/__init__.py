"""A run on a Ray cluster: samples go out, results come back; keys, limits and records stay in the driver process."""
