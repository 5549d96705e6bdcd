"""The link to a server in a container: one pair of streams that carries its orders and the connections of its child."""
