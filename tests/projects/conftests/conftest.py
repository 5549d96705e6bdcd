import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "lib"))


@pytest.fixture
def customer():
    return {"name": "Ada", "years": 3}


@pytest.fixture(autouse=True)
def fresh_log():
    import discount

    discount.LOG.clear()
