"""The games, one package each; a new one is found by being here."""
