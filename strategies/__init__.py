"""The shipped strategies, one short class a file, in a folder per game."""
