"""Everything of a workspace is in its archive, or stands here with the reason why not."""

from __future__ import annotations

from itertools import chain

import pytest
from django.apps import apps

from archives import parts
from studies.exchange import DesignPart, StudyFile, VersionPart

INSTALLATION = "of this installation: who its members are, and how they and programs come in"
WORK = "of work that is over: what it left behind is here"
KEPT_FILE = "the file itself is here, under its run, import or trace"
DRAWN = "made again from what is here"
TOLD = "of this installation: what its workspace was told, and did"

LEFT_OUT = {
    "common.IdempotencyKey": WORK,
    "accounts.Member": INSTALLATION,
    "accounts.Invitation": INSTALLATION,
    "accounts.ApiToken": INSTALLATION,
    "accounts.ProvisionedGroup": INSTALLATION,
    "accounts.ProvisionedPerson": INSTALLATION,
    "accounts.AuditEntry": TOLD,
    "jobs.Job": WORK,
    "jobs.Chunk": WORK,
    "jobs.Computed": TOLD,
    "files.File": KEPT_FILE,
    "files.Upload": WORK,
    "files.Piece": KEPT_FILE,
    "files.Gone": WORK,
    "studies.StudyStep": "steps of undo, which end with the place where they were made",
    "runs.Outlook": DRAWN,
    "runs.Sweep": DRAWN,
    "reports.Report": DRAWN,
    "sharing.Share": INSTALLATION,
    "sharing.Webhook": INSTALLATION,
    "sharing.Delivery": TOLD,
    "sharing.PricesTold": TOLD,
    "archives.Archive": "an archive holds no archives",
}
RELATED = ("id", "study", "study_id")
# What of each table is in, under which name or in which form.
HELD = {
    "studies.Study": (*StudyFile.model_fields, *parts.StudyPart.model_fields),
    "studies.Design": DesignPart.model_fields,
    "studies.DesignVersion": VersionPart.model_fields,
    "runs.Run": (*parts.RunPart.model_fields, "model_id", "reused_from"),
    "runs.Result": ("run_id", "data"),
    "imports.Import": parts.ImportPart.model_fields,
    "traces.Trace": parts.TracePart.model_fields,
    "catalogue.Entry": parts.EntryPart.model_fields,
    "catalogue.EntryVersion": (*parts.EntryVersionPart.model_fields, "slug", "kind"),
    "sharing.Approval": (*parts.ApprovalPart.model_fields, "run"),
    "sharing.ApprovalRequest": parts.RequestPart.model_fields,
    "sharing.Comment": parts.CommentPart.model_fields,
    "sharing.StudyActuals": parts.ActualsPart.model_fields,
}
# Columns that are not in, and why.
NOT_HELD = {
    "derived from what is": {
        "studies.Study": "faults_count winner cost_usd verdict verdict_hash params_version "
        "searched",
        "catalogue.Entry": "position search_text provider region price_usd price_on cores_count "
        "ram_gib capacity_tb year",
    },
    "of the place: which change, undo or month there it was of, and when": {
        "studies.Study": "revision step step_first step_last example_hash example_loaded_at",
        "studies.Design": "position revision created_at updated_at design",
        "studies.DesignVersion": "design created_at",
        "runs.Run": "result_month again_of",
        "runs.Result": "month",
        "imports.Import": "undo read_key dates numbers kind",
    },
}


def tenant_models() -> dict[str, set[str]]:
    return {
        model._meta.label: {
            field.name for field in model._meta.concrete_fields if field.name != "workspace"
        }
        for model in apps.get_models()
        if any(field.attname == "workspace_id" for field in model._meta.concrete_fields)
    }


@pytest.mark.decisive
def test_every_table_of_a_workspace_is_in_its_archive_or_left_out_for_a_reason() -> None:
    assert set(LEFT_OUT) | set(HELD) == set(tenant_models())
    assert not set(LEFT_OUT) & set(HELD)
    assert all(LEFT_OUT.values())


@pytest.mark.parametrize("label", sorted(HELD))
def test_every_column_of_what_is_in_is_in_or_left_out_for_a_reason(label: str) -> None:
    left_out = set(chain.from_iterable(each.get(label, "").split() for each in NOT_HELD.values()))
    known = {*HELD[label], *RELATED, "job", *left_out}
    assert tenant_models()[label] - known == set()
    assert left_out <= tenant_models()[label] | {"design"}
