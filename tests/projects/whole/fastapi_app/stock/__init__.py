"""What lies in which warehouse, over HTTP."""
