"""Reports: results in, charts and tables out, and nothing else."""
