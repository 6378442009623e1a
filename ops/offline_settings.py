"""The settings for what needs no servers: type checker, schema, migrations check."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-offline-commands-and-never-served")
os.environ.setdefault("DATABASE_URL", "postgresql://nobody@/nothing")
os.environ.setdefault("BROKER_URL", "redis+socket:///nothing.sock")

from config import settings as _settings
from config.settings import *  # noqa: F403 -- all but what follows

# The operators' pages have settings of their own; types and migrations are looked at here.
INSTALLED_APPS = [
    *_settings.INSTALLED_APPS,
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "operators",
]
MIGRATION_MODULES = {**_settings.MIGRATION_MODULES, "operators": "migrations.operators"}
