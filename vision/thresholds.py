"""Every threshold on which a reading is believed, repaired or asked about, in one place.

Costs are natural logarithms of probability ratios (see faces.py).
"""

from __future__ import annotations

MIN_TILE_P = 0.90
"""A tile less likely than this, given that the hand is complete, is unsure and shown as such."""
MIN_READ_P = 0.50
"""So is a tile that the reader itself gives less than this, whatever the hand makes of it."""
NOT_A_WIN_P = 0.1
"""Weight of an alternative that would break a complete hand: how often a hand that is shown is no
win although one tile's exchange makes it one."""
MIN_HAND_P = 0.90
"""The product over the hand's tiles, each given that the hand is complete, must reach this."""
MIN_DETECTION = 0.35
"""A tile the detector is less sure of than this may not be there at all."""
REPAIR_NATS = 4.0
"""A single first choice is overruled only by an alternative at most e^4 = 55 times less likely. Of
the reader's mistakes (tests/data/confusions.csv) 60 % lie within 3, two thirds within 4; at 4.6
sure readings of hands that are no win would be overruled (4 of 500, none at 4)."""
DOUBTFUL_P = 0.80
DOUBTFUL_NATS = 5.0
"""A first choice that the reader itself gives less than `DOUBTFUL_P` may be overruled from further
off: right readings are hardly ever that weak."""
REPAIR_TOTAL_NATS = 9.0
"""All overruled first choices of one hand together."""
RIVAL_NATS = 3.0
"""A second completion within this of the best (20 times less likely) is offered beside it."""
CERTAIN_NATS = 6.0
"""A hand is certain only without any other completion within this (400 times less likely)."""
MIN_ALTERNATIVE_P = 1e-3
"""Alternatives less likely than this are not considered in a search."""
MAX_REPAIRS = 3
"""A hand in which more tiles would have to be other than read is not believed."""
MAX_STATES = 4_000
"""Assignments looked at before the search gives up and says so."""
