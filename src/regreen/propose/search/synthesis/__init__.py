"""New expressions, made from the values seen where a program may be wrong and from what it should have answered."""
