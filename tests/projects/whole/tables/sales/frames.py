import pandas as pd


def read(rows):
    return pd.DataFrame(rows, columns=["region", "product", "amount"])


def by_region(frame):
    """Region to the sum of its sales, the largest first."""
    return frame.groupby("region")["amount"].sum().sort_values(ascending=True)


def best_region(frame):
    return by_region(frame).index[0]
