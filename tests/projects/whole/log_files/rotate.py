from pathlib import Path


def rotate(path, keep=3):
    """a.log -> a.log.1 -> a.log.2; what is beyond `keep` goes."""
    path = Path(path)
    for number in range(1, keep):
        old = path.with_name(f"{path.name}.{number}")
        if old.exists():
            old.replace(path.with_name(f"{path.name}.{number + 1}"))
    if path.exists():
        path.replace(path.with_name(f"{path.name}.1"))
