"""Fuzzing of everything that comes from outside: `make fuzz`, and a little of it in `make test`."""
