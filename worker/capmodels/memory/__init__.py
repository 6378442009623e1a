"""Memory: what it draws, what power management saves, and what stands idle."""
