"""The verbs of the command line, one module each, named as they are typed."""
