"""Calibration against rendered boards, tables and tile sets whose truth is known."""
