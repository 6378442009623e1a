"""The catalogue app."""

from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    """Hardware, instances, prices, tariffs, carbon: each value dated and sourced."""

    name = "catalogue"
