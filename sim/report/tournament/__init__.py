"""Reports of tournaments: standings in, charts and tables out."""
