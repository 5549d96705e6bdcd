class Default:
    DATABASE = "helpdesk.sqlite"
    TOKENS = {}
    PAGE_SIZE = 20
    MAX_PAGE_SIZE = 100
