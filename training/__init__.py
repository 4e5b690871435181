"""Train, export and evaluate the two networks.

Only `training.train*` and `training.export` know torch and ultralytics; `training.evaluate` runs
without them.
"""
