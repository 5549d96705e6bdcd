"""Values across the wall: connections, and the codecs of what travels over them."""
