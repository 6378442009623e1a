"""Reads reports the way people's programs do, and holds reports of random studies to it."""
