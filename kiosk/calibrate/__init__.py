"""The guided dialogues of `hupai calibrate`: camera, table, tile set, and the profiles they fill.

They open sources, show pictures, ask, and run the networks; geometry and storage are
`calibration`'s.
"""
