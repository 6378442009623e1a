"""Addresses of archives: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.http import HttpResponseRedirect, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from archives import selectors, serializers, services
from common.api import WorkspaceAPIView
from common.pagination import KeysetPagination
from files.apis import NAME, REQUEST, UPLOAD, UploadListApi, received
from files.selectors import file_address, file_pieces
from studies.apis import AnyAccept

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

MEDIA = "application/zip"


class ArchivePagination(KeysetPagination):
    """Archives, newest first."""

    ordering = ("-created_at", "-job_id")


class ArchiveListApi(UploadListApi):
    """The workspace's archives."""

    permissions: ClassVar[Mapping[str, str]] = {"GET": "manage", "POST": "manage"}
    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("name", "upload")}
    serializer_class = serializers.ArchiveOutputSerializer
    pagination_class = ArchivePagination

    def get_queryset(self) -> Any:
        """Return the archives."""
        if getattr(self, "swagger_fake_view", False):
            return None
        return selectors.archive_list()

    @extend_schema(operation_id="archives_list")
    def get(self, request: Request) -> Response:
        """List archives that were made and read in, newest first."""
        return self.list(request)

    @extend_schema(
        operation_id="archives_import",
        parameters=[NAME, UPLOAD],
        request=REQUEST,
        responses={202: serializers.ArchiveOutputSerializer},
    )
    def post(self, request: Request) -> Response:
        """Read an archive into the workspace, all of it or, with the reason, nothing."""
        sent = received(request)
        row = services.import_create(principal=self.principal, file=sent.file, file_name=sent.name)
        return Response(serializers.ArchiveOutputSerializer(row).data, status=202)


class ArchiveExportApi(WorkspaceAPIView):
    """Archives that are made."""

    permissions = {"POST": "manage"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(
        operation_id="archives_create",
        request=None,
        responses={202: serializers.ArchiveOutputSerializer},
    )
    def post(self, request: Request) -> Response:
        """Have everything of the workspace written into one file; an earlier one goes.

        Studies with named versions, runs with inputs and results, comments, approved versions and
        what is asked to be approved, own entries of the catalogue, imports and traces. Not in it:
        members, tokens, webhooks, links, reports, audit.
        """
        archive = services.export_create(principal=self.principal)
        return Response(serializers.ArchiveOutputSerializer(archive).data, status=202)


class ArchiveApi(WorkspaceAPIView):
    """One archive."""

    permissions = {"GET": "manage", "DELETE": "manage"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="archives_get", responses=serializers.ArchiveOutputSerializer)
    def get(self, request: Request, archive_id: UUID) -> Response:
        """Return how far the archive is."""
        archive = selectors.archive_get(archive_id)
        return Response(serializers.ArchiveOutputSerializer(archive).data)

    @extend_schema(operation_id="archives_delete", responses={204: None})
    def delete(self, request: Request, archive_id: UUID) -> Response:
        """Remove an archive with its file; what was read in from one stays."""
        archive = selectors.archive_get(archive_id)
        services.archive_delete(principal=self.principal, archive=archive)
        return Response(status=204)


class ArchiveFileApi(WorkspaceAPIView):
    """An archive's file."""

    permissions = {"GET": "manage"}  # noqa: RUF012 -- as the base declares it
    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="archives_file", responses={(200, MEDIA): OpenApiTypes.BINARY})
    def get(self, request: Request, archive_id: UUID) -> HttpResponseBase:
        """Return the file, or lead to where it is kept (302); 409 while there is none."""
        archive = selectors.archive_get(archive_id)
        kept = selectors.archive_file(archive)
        if address := file_address(kept, name=archive.file_name, media=MEDIA):
            # Signed for a few minutes: nobody is to keep it.
            return HttpResponseRedirect(address, headers={"Cache-Control": "no-store"})
        pieces = file_pieces(archive.pk, self.principal.workspace_id, kept.kind)
        headers = {
            "Content-Disposition": f'attachment; filename="{archive.file_name}"',
            "Content-Length": str(kept.bytes_count),
            "Cache-Control": "no-store",
        }
        return StreamingHttpResponse(pieces, content_type=MEDIA, headers=headers)
