"""Addresses of packs of assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue import packs
from catalogue.apis import (
    CatalogueEntryChangeInputSerializer,
    CatalogueValueInputSerializer,
    StoredValuesField,
)
from catalogue.documents import EntryInput
from catalogue.kinds import PACK
from catalogue.services import change_of
from common.api import WorkspaceAPIView
from common.described import IF_MATCH
from common.etags import require_match, revised
from common.operations import creates, operation
from common.serializers import StrictSerializer

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.response import Response

PACK_BYTES_MAX = 200_000


class PackFieldSerializer(serializers.Serializer[Any]):
    """A number that a pack may hold."""

    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField()


class PackSerializer(serializers.Serializer[Any]):
    """A pack of assumptions as it is now."""

    slug = serializers.CharField()
    title = serializers.CharField()
    is_own = serializers.BooleanField(help_text="The workspace's, not built in.")
    version = serializers.IntegerField(source="revision")
    updated_at = serializers.DateTimeField()
    values = StoredValuesField()


class PackVersionSerializer(serializers.Serializer[Any]):
    """What a pack was from some time on."""

    version = serializers.IntegerField()
    title = serializers.CharField()
    since = serializers.DateTimeField()
    values = StoredValuesField()


class PackDetailSerializer(PackSerializer):
    versions = serializers.SerializerMethodField(help_text="Newest first.")

    @extend_schema_field(PackVersionSerializer(many=True))
    def get_versions(self, entry: Any) -> list[dict[str, Any]]:
        """Return what the pack was, and is."""
        return list(PackVersionSerializer(packs.pack_versions(entry), many=True).data)


class PackInputSerializer(StrictSerializer):
    slug = serializers.CharField(required=False, allow_null=True, max_length=80)
    title = serializers.CharField(max_length=200)
    values = serializers.DictField(child=CatalogueValueInputSerializer())


class PackChangeInputSerializer(CatalogueEntryChangeInputSerializer):
    """A change of a pack."""


class PackListApi(WorkspaceAPIView):
    """Built-in packs and the workspace's own."""

    body_bytes_max = PACK_BYTES_MAX

    @operation("packs_list", gives=PackSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the packs, the workspace's own first."""
        return packs.pack_list()

    @creates("packs_create", takes=PackInputSerializer, gives=PackDetailSerializer, may="packs")
    def post(self, request: Request) -> Any:
        """Add a pack of the workspace's own; its fields are those of ``/packs/fields``."""
        said = request.data if isinstance(request.data, dict) else {}
        given = EntryInput.model_validate({**said, "kind": PACK})
        return _answer(packs.pack_create(principal=self.principal, given=given), status=201)


class PackFieldListApi(WorkspaceAPIView):
    """What a pack may hold."""

    @operation("packs_fields", gives=PackFieldSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the numbers that a pack may hold, with their units."""
        return packs.FIELDS


class PackApi(WorkspaceAPIView):
    """One pack, by its slug."""

    body_bytes_max = PACK_BYTES_MAX

    @operation("packs_get", gives=PackDetailSerializer)
    def get(self, request: Request, slug: str) -> Any:
        """Return the pack with what it was before."""
        return _answer(packs.pack_get(slug))

    @operation(
        "packs_update",
        parameters=[IF_MATCH],
        takes=PackChangeInputSerializer,
        gives=PackDetailSerializer,
        may="packs",
    )
    def patch(self, request: Request, slug: str) -> Any:
        """Make another version of the workspace's own pack.

        What is not named stays, null removes a value; a value is replaced whole.
        """
        entry = packs.pack_own(slug)
        require_match(request, entry.revision, lambda: PackDetailSerializer(entry).data)
        given = change_of(entry, request.data)
        return _answer(packs.pack_update(principal=self.principal, entry=entry, given=given))

    @operation("packs_delete", may="packs")
    def delete(self, request: Request, slug: str) -> None:
        """Remove the workspace's own pack; studies that follow it keep their numbers."""
        packs.pack_delete(principal=self.principal, entry=packs.pack_own(slug))


def _answer(entry: Any, status: int = 200) -> Response:
    return revised(entry, PackDetailSerializer(entry).data, status)
