"""The rule sets, one module each.

How to add one:

1. Write `scorer/rules/NAME.py` with a `Ruleset` (see scorer/ruleset.py). Items are records with a
   predicate over `View` (scorer/view.py lists what it may ask); what an item leaves out is a list
   of `Exclusion` records; house rules are `Option` records; who pays is one function that returns
   `paid([Transfer(...), ...])`.
2. Special hands are `Shape` records: `find` answers the arrangements (`((), (), -1)` where there
   are no sets) and `waits` the faces that complete them.
3. Choices that a flat walk down the table cannot make go into `evaluate`, which may answer several
   `Evaluation`s; the best one wins. A minimum is an option named in `minimum` and a check in
   `after`; a limit is an option named in `limit`.
4. Facts: `prepare` completes the situation with what events imply, `check` returns a `Problem` for
   every contradiction, `asks` names further unknown facts with the answers to try.
5. Add a line to `RULESETS` (and `PRESETS`) in scorer/registry.py, and language files
   `scorer/names/NAME.en.toml`, `.zh-Hant.toml`, `.zh-Hans.toml` with name and sentence per item.
"""
