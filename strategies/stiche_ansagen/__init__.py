"""Strategies for Stiche ansagen: whole players, and parts that only bid or only play."""
