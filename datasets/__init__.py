"""Pictures to learn from and to test with: faces, scenes, photo sets, formats and splits."""
