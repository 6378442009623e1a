"""Addresses of a study's pack of assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from accounts.services import audit_record
from catalogue.packs import pack_get
from common.api import WorkspaceAPIView
from common.operations import operation
from common.serializers import StrictSerializer
from studies import packs, selectors, services
from studies.answers import study_response, study_seen
from studies.serializers import StudyOutputSerializer

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

_PLACES_MOST = 200


class StudyPackFieldSerializer(serializers.Serializer[Any]):
    """A number of a pack, and that of the study in the same place."""

    place = serializers.CharField(help_text="Its pointer in the study, designs by letter.")
    letter = serializers.CharField(help_text="Of its design; blank for what is shared.")
    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField()
    value = serializers.FloatField(allow_null=True, help_text="The study's.")
    pack_value = serializers.FloatField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    as_of = serializers.CharField(allow_null=True)
    quality = serializers.CharField()
    standing = serializers.ChoiceField(
        choices=("followed", "newer", "differs", "same"),
        help_text="newer: it follows, and the pack has another value since. same: it is equal, "
        "and does not follow.",
    )


class StudyPackSerializer(serializers.Serializer[Any]):
    """A pack beside a study."""

    followed = serializers.CharField(help_text="The pack that the study follows; or empty.")
    version = serializers.IntegerField(help_text="Of that pack, which the study has.")
    entry = serializers.CharField(help_text="The pack that is shown; or empty.")
    title = serializers.CharField()
    latest_version = serializers.IntegerField()
    is_gone = serializers.BooleanField(help_text="The pack that it follows was deleted.")
    numbers = StudyPackFieldSerializer(many=True)


class StudyPackInputSerializer(StrictSerializer):
    entry = serializers.CharField(max_length=80)
    left = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        max_length=_PLACES_MOST,
        help_text="Places that do not follow it. Without it, those that differ from the pack "
        "that the study follows already.",
    )


class StudyPackApi(WorkspaceAPIView):
    """The pack of assumptions that a study follows."""

    @operation(
        "studies_pack",
        gives=StudyPackSerializer,
        parameters=[OpenApiParameter("entry", str, description="Another pack to look at.")],
    )
    def get(self, request: Request, study_id: UUID) -> Any:
        """Return the pack's numbers beside the study's, and which of them differ."""
        study = selectors.study_get(study_id)
        return Response(packs.pack_shown(study, request.query_params.get("entry", "")))

    @operation("studies_pack_follow", takes=StudyPackInputSerializer, gives=StudyOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Have the study follow a pack, or its newest version, but for the places left."""
        study = study_seen(request, study_id)
        given = self.given()
        entry = pack_get(given["entry"])
        checked, left = services.ranges_fit(
            study, lambda: services.study_follow(study, entry, given.get("left"))
        )
        target = f"{study.title}: {entry.title}, version {entry.revision}"
        audit_record(self.principal, "study.pack", target=target)
        return study_response(study, checked, left=left)

    @operation("studies_pack_leave", gives=StudyOutputSerializer)
    def delete(self, request: Request, study_id: UUID) -> Any:
        """Have the study follow no pack; its numbers stay as they are."""
        study = study_seen(request, study_id)
        checked = services.study_unfollow(study)
        audit_record(self.principal, "study.unpack", target=study.title)
        return study_response(study, checked)
