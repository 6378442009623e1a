"""What the views of studies share: who asks, and studies and designs as answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from rest_framework.response import Response

from common.errors import Invalid
from common.etags import etag_of
from studies import selectors, serializers
from studies.checking import Checked, check
from studies.regions import region_cautions

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

    from common.principal import Principal

_IDS = {
    "against": "Enter the id of a named version or of a design.",
    "study": "Enter the id of a study.",
}


def principal(request: Request) -> Principal:
    """Who asks."""
    return cast("Principal", request.auth)


def uuid(text: str, name: str) -> UUID:
    """An id as it was sent."""
    try:
        return UUID(text)
    except ValueError as exc:
        raise Invalid.at(f"/{name}", _IDS[name]) from exc


def yes_or_no(text: str | None, name: str) -> bool | None:
    """A choice that may be left open."""
    if text in (None, ""):
        return None
    if text not in ("true", "false"):
        raise Invalid.at(f"/{name}", "Choose true or false.", "not_a_choice")
    return text == "true"


def study_body(study: Any, checked: Checked | None = None) -> dict[str, Any]:
    """A whole study, its drafts checked."""
    checked = checked or check(selectors.study_document(study))
    context = {"checked": checked, "cautions": region_cautions(study.designs.all())}
    return serializers.StudyOutputSerializer(study, context=context).data


def study_response(study: Any, checked: Checked | None = None, *, status: int = 200) -> Response:
    """A study as an answer."""
    etag = {"ETag": etag_of(study.revision)}
    return Response(study_body(study, checked), status=status, headers=etag)


def design_body(design: Any, checked: Checked | None = None) -> dict[str, Any]:
    """A design, its draft checked."""
    checked = checked or check(selectors.study_document(design.study))
    context = {"checked": checked, "cautions": region_cautions([design])}
    return serializers.DesignOutputSerializer(design, context=context).data


def design_response(design: Any, checked: Checked | None = None, *, status: int = 200) -> Response:
    """A design as an answer."""
    etag = {"ETag": etag_of(design.revision)}
    return Response(design_body(design, checked), status=status, headers=etag)


def current_design(design: Any) -> Callable[[], dict[str, Any]]:
    """What a design is now, for who edited an older one."""
    return lambda: design_body(design)
