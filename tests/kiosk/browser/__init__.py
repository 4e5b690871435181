"""The pages in a real browser: Chromium driven by Playwright, against a real server."""
