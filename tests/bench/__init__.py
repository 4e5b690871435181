"""Figures of speed and accuracy: `make bench`, or `python -m tests.bench.AREA`."""
