"""Sweeps: many runs of a model over ranges or lists of its inputs."""
