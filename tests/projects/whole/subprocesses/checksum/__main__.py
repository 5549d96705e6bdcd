import sys

from checksum.core import is_valid

bad = [number for number in sys.argv[1:] if not is_valid(number)]
for number in bad:
    print(f"{number} is not valid")
sys.exit(1 if bad else 0)
