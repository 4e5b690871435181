"""The rules: tiles, hand text, arrangements, waits, rule sets, payments and explanations.

Pure Python: no NumPy, no OpenCV, and no input or output beyond its own data files.
"""
