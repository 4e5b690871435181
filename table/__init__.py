"""A night at the table: seats, winds, deals, dealer streak, event log and settlement."""
