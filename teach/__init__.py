"""Why a hand scores what it does, what was one tile away, and practice."""
