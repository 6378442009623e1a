"""The settings for what needs no servers: type checker, schema, migrations check."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-offline-commands-and-never-served")
os.environ.setdefault("DATABASE_URL", "postgresql://nobody@/nothing")
os.environ.setdefault("BROKER_URL", "redis+socket:///nothing.sock")

from config.settings import *  # noqa: F403 -- all but what follows
