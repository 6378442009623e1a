"""The worker's app with the kinds of the tests: ``celery -A capworker.tests.chaos_app``."""

from celery.signals import worker_init

from capworker.app import app, warm
from jobs.testing import register

__all__ = ["app"]

# A worker of the tests is up in a third of the time without the science, which few of them ask.
worker_init.disconnect(warm)
register()
