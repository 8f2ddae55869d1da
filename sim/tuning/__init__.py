"""Searching the parameters of a strategy: from a config to the values that win most."""
