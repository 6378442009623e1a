"""Launcher, supervisor, checks. Standard library only: they run before the environment exists."""
