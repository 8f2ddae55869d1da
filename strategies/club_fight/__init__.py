"""Strategies for Club Fight; a file put here is found, a name starting with `_` is shared code."""
