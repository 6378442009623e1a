"""The worker, thin: Celery on one side, jobs and models on the other."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
