"""Geometry and storage over plain arrays: what a club teaches the program about its own table.

- `sheets`, `board`, `camera`: a printable ChArUco board; intrinsics and lens distortion from views
  of it.
- `markers`, `table`, `tiles_plane`, `zones`, `moved`: the table's plane, where each seat lays its
  tiles, and whether the camera has moved since.
- `assign`, `enrol`, `prototypes`: the club's own tile set as a table of embeddings that the reader
  consults.
- `profile`, `store`: versioned profiles in the user's data folder; export and import as one file.

Nothing here opens a camera, asks a question or runs a network: `kiosk.calibrate` does, and hands
arrays over.
"""
