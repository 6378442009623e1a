"""Addresses of imports."""

from django.urls import path

from imports import apis

urlpatterns = [
    path("imports", apis.ImportListApi.as_view()),
    path("imports/again", apis.ImportAgainApi.as_view()),
    path("imports/prices", apis.PriceListApi.as_view()),
    path("imports/formats", apis.ImportFormatsApi.as_view()),
    path("imports/formats/<slug:format_id>/sample", apis.ImportSampleApi.as_view()),
    path("imports/<uuid:import_id>", apis.ImportApi.as_view()),
    path("imports/<uuid:import_id>/months", apis.ImportMonthsApi.as_view()),
    path("imports/<uuid:import_id>/price-changes", apis.PriceChangesApi.as_view()),
    path("imports/<uuid:import_id>/cancel", apis.ImportCancelApi.as_view()),
    path("imports/<uuid:import_id>/draft", apis.ImportDraftApi.as_view()),
    path("imports/<uuid:import_id>/accept", apis.ImportAcceptApi.as_view()),
    path("imports/<uuid:import_id>/differences", apis.ImportDifferencesApi.as_view()),
    path("imports/<uuid:import_id>/undo", apis.ImportUndoApi.as_view()),
]
