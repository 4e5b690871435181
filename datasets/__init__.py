"""Pictures to learn from and to test with.

Drawing tile faces, rendering tables with exact labels, reading photo sets, and writing the
formats people use, split by design and session.
"""
