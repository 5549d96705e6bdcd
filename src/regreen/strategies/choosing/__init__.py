"""The choice among plausible candidates, by what they do, and how sure it is."""
