"""The settings as the type checker imports them: nothing is connected to."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-the-type-checker-and-never-served")
os.environ.setdefault("DATABASE_URL", "postgresql://nobody@/nothing")
os.environ.setdefault("BROKER_URL", "redis+socket:///nothing.sock")

from config.settings import *  # noqa: F403
