"""Addresses of packs of assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from catalogue import packs
from catalogue.apis import CatalogueValueInputSerializer, StoredValuesField
from catalogue.documents import EntryChangeInput, EntryInput
from catalogue.kinds import PACK
from common.api import WorkspaceAPIView
from common.etags import etag_of, require_match

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from common.principal import Principal

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


class PackInputSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField(required=False, allow_null=True, max_length=80)
    title = serializers.CharField(max_length=200)
    values = serializers.DictField(child=CatalogueValueInputSerializer())


class PackChangeInputSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(required=False, max_length=200)
    values = serializers.DictField(child=CatalogueValueInputSerializer(), required=False)


class PackListApi(WorkspaceAPIView):
    """Built-in packs and the workspace's own."""

    body_bytes_max = PACK_BYTES_MAX
    permissions: ClassVar[Mapping[str, str]] = {"POST": "packs"}

    @extend_schema(operation_id="packs_list", responses=PackSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the packs, the workspace's own first."""
        return Response(PackSerializer(packs.pack_list(), many=True).data)

    @extend_schema(
        operation_id="packs_create",
        request=PackInputSerializer,
        responses={201: PackDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Add a pack of the workspace's own; its fields are those of ``/packs/fields``."""
        said = request.data if isinstance(request.data, dict) else {}
        given = EntryInput.model_validate({**said, "kind": PACK})
        return _answer(packs.pack_create(principal=_principal(request), given=given), status=201)


class PackFieldListApi(WorkspaceAPIView):
    """What a pack may hold."""

    @extend_schema(operation_id="packs_fields", responses=PackFieldSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the numbers that a pack may hold, with their units."""
        return Response(PackFieldSerializer(packs.FIELDS, many=True).data)


class PackApi(WorkspaceAPIView):
    """One pack, by its slug."""

    body_bytes_max = PACK_BYTES_MAX
    permissions: ClassVar[Mapping[str, str]] = {"PATCH": "packs", "DELETE": "packs"}

    @extend_schema(operation_id="packs_get", responses=PackDetailSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the pack with what it was before."""
        return _answer(packs.pack_get(slug))

    @extend_schema(
        operation_id="packs_update",
        request=PackChangeInputSerializer,
        responses=PackDetailSerializer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Make another version of the workspace's own pack; ``values`` replaces all of them."""
        entry = packs.pack_own(slug)
        require_match(request, entry.revision, lambda: PackDetailSerializer(entry).data)
        given = EntryChangeInput.model_validate(request.data)
        principal = _principal(request)
        return _answer(packs.pack_update(principal=principal, entry=entry, given=given))

    @extend_schema(operation_id="packs_delete", request=None, responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Remove the workspace's own pack; studies that follow it keep their numbers."""
        packs.pack_delete(principal=_principal(request), entry=packs.pack_own(slug))
        return Response(status=204)


def _principal(request: Request) -> Principal:
    return cast("Principal", request.auth)


def _answer(entry: Any, status: int = 200) -> Response:
    data = PackDetailSerializer(entry).data
    return Response(data, status=status, headers={"ETag": etag_of(entry.revision)})
