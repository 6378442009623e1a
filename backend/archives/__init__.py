"""A whole workspace as one file: written, and read in again elsewhere."""
