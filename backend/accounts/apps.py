"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users, workspaces, members, tokens, sign-in, audit."""

    name = "accounts"
