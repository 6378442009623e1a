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


def study_body(study: Any, checked: Checked | None = None) -> dict[str, Any]:
    """A whole study, its drafts checked."""
    checked = checked or check(selectors.study_document(study))
    context = {"checked": checked, "cautions": region_cautions(study.designs.all())}
    return serializers.StudyOutputSerializer(study, context=context).data


def study_response(study: Any, checked: Checked | None = None, *, status: int = 200) -> Response:
    """A study as an answer."""
    return revised(study, study_body(study, checked), status)


def design_body(design: Any, checked: Checked | None = None) -> dict[str, Any]:
    """A design, its draft checked."""
    checked = checked or check(selectors.study_document(design.study))
    context = {"checked": checked, "cautions": region_cautions([design])}
    return serializers.DesignOutputSerializer(design, context=context).data


def design_response(design: Any, checked: Checked | None = None, *, status: int = 200) -> Response:
    """A design as an answer."""
    return revised(design, design_body(design, checked), status)


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
