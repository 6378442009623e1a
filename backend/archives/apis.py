"""Addresses of archives: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes

from archives import selectors, serializers, services
from common.api import WorkspaceAPIView
from common.download import FileView
from common.operations import operation, starts
from common.pagination import NEWEST_JOB
from files.apis import NAME, REQUEST, UPLOAD, UploadListApi, received, redirect_to
from files.selectors import file_pieces

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

MEDIA = "application/zip"


class ArchiveListApi(UploadListApi):
    """The workspace's archives."""

    may = "automate"
    ordering = NEWEST_JOB

    @operation("archives_list", gives=serializers.ArchiveOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List archives that were made and read in, newest first."""
        return selectors.archive_list()

    @starts(
        "archives_import",
        takes=REQUEST,
        gives=serializers.ArchiveOutputSerializer,
        parameters=[NAME, UPLOAD],
    )
    def post(self, request: Request) -> Any:
        """Read an archive into the workspace, all of it or, with the reason, nothing."""
        sent = received(request)
        return services.import_create(principal=self.principal, file=sent.file, file_name=sent.name)


class ArchiveExportApi(WorkspaceAPIView):
    """Archives that are made."""

    @starts("archives_create", gives=serializers.ArchiveOutputSerializer, may="automate")
    def post(self, request: Request) -> Any:
        """Have everything of the workspace written into one file; an earlier one goes.

        Studies with named versions, runs with inputs and results, comments, actuals, approved
        versions and what is asked to be approved, own entries of the catalogue, what was read of
        imports, traces with their columns. Not in it: members, tokens, webhooks, links, reports,
        the steps of undo, audit.
        """
        return services.export_create(principal=self.principal)


class ArchiveApi(WorkspaceAPIView):
    """One archive."""

    may = "automate"

    @operation("archives_get", gives=serializers.ArchiveOutputSerializer)
    def get(self, request: Request, archive_id: UUID) -> Any:
        """Return how far the archive is."""
        return selectors.archive_get(archive_id)

    @operation("archives_delete")
    def delete(self, request: Request, archive_id: UUID) -> None:
        """Remove an archive with its file; what was read in from one stays."""
        archive = selectors.archive_get(archive_id)
        services.archive_delete(principal=self.principal, archive=archive)


class ArchiveFileApi(FileView):
    """An archive's file."""

    @operation("archives_file", gives={(200, MEDIA): OpenApiTypes.BINARY}, may="automate")
    def get(self, request: Request, archive_id: UUID) -> HttpResponseBase:
        """Return the file, or lead to where it is kept (302); 409 while there is none."""
        archive = selectors.archive_get(archive_id)
        kept = selectors.archive_file(archive)
        if elsewhere := redirect_to(kept, name=archive.file_name, media=MEDIA):
            return elsewhere
        pieces = file_pieces(archive.pk, self.principal.workspace_id, kept.kind)
        headers = {
            "Content-Disposition": f'attachment; filename="{archive.file_name}"',
            "Content-Length": str(kept.bytes_count),
            "Cache-Control": "no-store",
        }
        return StreamingHttpResponse(pieces, content_type=MEDIA, headers=headers)
