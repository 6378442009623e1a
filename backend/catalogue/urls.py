"""Addresses of the catalogue."""

from django.urls import path

from catalogue import apis, pack_apis

urlpatterns = [
    path("catalogue/drives", apis.CatalogueDriveApi.as_view()),
    path("catalogue/entries", apis.CatalogueEntryListApi.as_view()),
    path("catalogue/entries/<slug:slug>", apis.CatalogueEntryApi.as_view()),
    path("catalogue/csv", apis.CatalogueCsvApi.as_view()),
    path("catalogue/facets", apis.CatalogueFacetListApi.as_view()),
    path("catalogue/prices", apis.CatalogueRegionPriceListApi.as_view()),
    path("catalogue/places", apis.CataloguePlaceListApi.as_view()),
    path("catalogue/kinds", apis.CatalogueKindListApi.as_view()),
    path("packs", pack_apis.PackListApi.as_view()),
    path("packs/fields", pack_apis.PackFieldListApi.as_view()),
    path("packs/<slug:slug>", pack_apis.PackApi.as_view()),
    path("snapshots", apis.CatalogueSnapshotListApi.as_view()),
    path("catalogue/snapshots", apis.CatalogueSnapshotListApi.as_view()),
]
