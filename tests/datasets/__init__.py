"""Tests of drawing, rendering, formats and checks."""
