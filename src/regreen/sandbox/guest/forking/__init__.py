"""What makes forks of a server cheap: modules loaded, code rehearsed and memory laid out before the first fork."""
