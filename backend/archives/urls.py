"""Addresses of archives."""

from django.urls import path

from archives import apis

urlpatterns = [
    path("archives", apis.ArchiveListApi.as_view()),
    path("archives/export", apis.ArchiveExportApi.as_view()),
    path("archives/<uuid:archive_id>", apis.ArchiveApi.as_view()),
    path("archives/<uuid:archive_id>/file", apis.ArchiveFileApi.as_view()),
]
