"""The worker's app as Celery 5.7 makes it, deaf after a lost acknowledgement (celery #10302)."""

from capworker.base import LoudTask
from capworker.tests.chaos_app import app

__all__ = ["app"]

LoudTask.Request = "celery.worker.request:Request"
