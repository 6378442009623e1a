"""What the views of studies share: studies and designs as answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.etags import require_match, revised
from studies import selectors, serializers
from studies.checking import Checked, check
from studies.regions import region_cautions

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request
    from rest_framework.response import Response


Left = list[dict[str, Any]]


def study_body(
    study: Any, checked: Checked | None = None, left: Left | None = None
) -> dict[str, Any]:
    """A whole study, its drafts checked; ``left`` are ranges that no longer fit a change."""
    checked = checked or check(selectors.study_document(study))
    cautions = region_cautions(study.designs.all())
    context = {"checked": checked, "cautions": cautions, "ranges_left": left}
    return serializers.StudyOutputSerializer(study, context=context).data


def study_response(
    study: Any,
    checked: Checked | None = None,
    *,
    status: int = 200,
    left: Left | None = None,
) -> Response:
    """A study as an answer; ``left`` are ranges that no longer fit what a change made of it."""
    return revised(study, study_body(study, checked, left), status)


def design_body(
    design: Any, checked: Checked | None = None, left: Left | None = None
) -> dict[str, Any]:
    """A design, its draft checked; ``left`` are ranges that no longer fit a change."""
    checked = checked or check(selectors.study_document(design.study))
    cautions = region_cautions([design])
    context = {"checked": checked, "cautions": cautions, "ranges_left": left}
    return serializers.DesignOutputSerializer(design, context=context).data


def design_response(
    design: Any,
    checked: Checked | None = None,
    *,
    status: int = 200,
    left: Left | None = None,
) -> Response:
    """A design as an answer; ``left`` are ranges that no longer fit what a change made of it."""
    return revised(design, design_body(design, checked, left), status)


def study_seen(request: Request, study_id: UUID) -> Any:
    """A study to change, locked; raises Changed where who asks has seen an earlier one."""
    study = selectors.study_get(study_id, lock=True)
    require_match(request, study.revision, lambda: study_body(study))
    return study


def design_seen(request: Request, design_id: UUID) -> Any:
    """A design to change, locked; raises Changed where who asks has seen an earlier one."""
    design = selectors.design_get(design_id, lock=True)
    require_match(request, design.revision, lambda: design_body(design))
    return design
