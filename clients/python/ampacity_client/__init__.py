"""What a generated client of Ampacity's HTTP API does not have of itself."""

from ampacity_client.client import Ampacity, Problem, Unfinished

__all__ = ["Ampacity", "Problem", "Unfinished"]
