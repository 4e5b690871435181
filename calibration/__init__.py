"""Camera, table and tile-set profiles: geometry and storage over plain arrays."""
