DEBUG = False
ALLOWED = ["example.org"]
PAGE_SIZE = 20
