"""Statistics, one cited formula a function."""
