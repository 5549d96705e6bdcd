"""The search over one program, from where it suspects it to what it has found."""
