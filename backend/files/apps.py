"""The files app."""

from django.apps import AppConfig


class FilesConfig(AppConfig):
    """Large things: taken in, kept in the database or in an object storage, let go."""

    name = "files"
