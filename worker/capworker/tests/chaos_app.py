"""The worker's app with the kinds of the tests: ``celery -A capworker.tests.chaos_app``."""

from capworker.app import app
from jobs.testing import register

__all__ = ["app"]

register()
