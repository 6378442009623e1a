"""How many cylinders and zones a described drive may have: the simulator keeps room for them."""

CYLINDERS_MAX = 1 << 20
ZONES_MAX = 256
TRACKS_MAX = 1 << 21
DISKS_MAX = 256
