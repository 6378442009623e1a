"""Settings of the service, and what its processes begin with."""

import gc

# What modules make while they are loaded stays. Looking among it for garbage after every 700
# objects takes a sixth of a process's start.
gc.set_threshold(10_000, 10, 10)
