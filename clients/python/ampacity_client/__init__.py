"""Ampacity's HTTP API for Python. Standard library only, typed."""

from ampacity_client.client import Ampacity
from ampacity_client.transport import Problem

__all__ = ["Ampacity", "Problem"]
