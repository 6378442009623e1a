"""The migrations of every app."""
