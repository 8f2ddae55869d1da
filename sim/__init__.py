"""Tipoff: find out which advice for a card game is any good."""

__version__ = "0.1.0"
