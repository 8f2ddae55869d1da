"""What `make bench` measures; not tests, for no test is timed."""
