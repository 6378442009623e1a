"""What stands in an archive, part by part: the shapes of its JSON, and its names.

A study is the file that *Export* makes of it, so that it is the same byte for byte wherever it
is exported from. What belongs to it besides (tags, comments, runs) stands beside it.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from capmodels.imports.names import Names
from capmodels.plans.answer.actuals import Actuals
from capmodels.spec import JSONDict

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
STUDIES = "studies.json"
COMMENTS = "comments.json"
ACTUALS = "actuals.json"
APPROVALS = "approvals.json"
REQUESTS = "requests.json"
CATALOGUE = "catalogue.json"
IMPORTS = "imports.json"
TRACES = "traces.json"
LISTS = (STUDIES, COMMENTS, ACTUALS, APPROVALS, REQUESTS, CATALOGUE, IMPORTS, TRACES)
# Archives of before a list was added lack it: it is empty then.
ADDED = (ACTUALS, REQUESTS)
_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
STUDY_NAME = re.compile(r"studies/[a-z0-9]+(?:-[a-z0-9]+)*\.json")
RUN_NAME = re.compile(rf"runs/({_ID})\.json")
FILE_NAME = re.compile(rf"files/({_ID})/(upload|trace|series)")

Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Version = Annotated[int, Field(ge=1, le=32_767)]
Count = Annotated[int, Field(ge=0)]
Name = Annotated[str, Field(max_length=100)]
Short = Annotated[str, Field(max_length=40)]
Line = Annotated[str, Field(max_length=200)]
Address = Annotated[str, Field(max_length=254)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Listed(_Part):
    """A file in the archive."""

    name: Annotated[str, Field(max_length=300)]
    bytes: Annotated[int, Field(ge=0)]
    sha256: Hash


class Manifest(_Part):
    """What the archive is and what is in it."""

    ampacity_archive: int
    made_at: AwareDatetime
    workspace: Line
    files: list[Listed]


class StudyPart(_Part):
    """What belongs to a study and is not in its file."""

    id: UUID
    file: Annotated[str, StringConstraints(pattern=f"^{STUDY_NAME.pattern}$", max_length=120)]
    tags: Annotated[list[Short], Field(max_length=100)]
    is_example: bool
    created_at: AwareDatetime
    updated_at: AwareDatetime


class CommentPart(_Part):
    """A comment."""

    id: UUID
    study: UUID
    letter: Annotated[str, StringConstraints(pattern=r"^[A-H]?$")]
    place: Line
    place_title: Line
    text: Annotated[str, Field(max_length=10_000)]
    author: Address
    created_at: AwareDatetime
    resolved_at: AwareDatetime | None
    resolved_by: Address


class ActualsPart(_Part):
    """What a study's design really cost."""

    study: UUID
    document: Actuals
    entered_by: Address
    updated_at: AwareDatetime


class ApprovalPart(_Part):
    """A version that was approved."""

    id: UUID
    study: UUID
    study_title: Line
    run: UUID
    name: Annotated[str, Field(min_length=1, max_length=120)]
    sentence: Annotated[str, Field(max_length=500)]
    approved_by: Address
    created_at: AwareDatetime


class RequestPart(_Part):
    """What somebody asked the owners to approve."""

    id: UUID
    study: UUID
    sentence: Annotated[str, Field(max_length=500)]
    asked_by: Address
    created_at: AwareDatetime


class EntryVersionPart(_Part):
    """What an entry was before it was changed."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    values: JSONDict
    revision: Count
    since: AwareDatetime
    until: AwareDatetime


class EntryPart(_Part):
    """An entry of the catalogue that is the workspace's own."""

    slug: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
    kind: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    values: JSONDict
    created_at: AwareDatetime
    updated_at: AwareDatetime
    revision: Count = 1
    before: list[EntryVersionPart] = []


class ImportPart(_Part):
    """A file that was imported: what it said, and what its columns were taken for."""

    id: UUID
    file_name: Line
    bytes_count: Count
    source: JSONDict | None
    names: Names
    format: Short
    version: Short
    makes: Annotated[str, Field(max_length=20)]
    preview: JSONDict | None
    study: UUID | None
    accepted_at: AwareDatetime | None
    created_at: AwareDatetime
    # What was entered and found as it was accepted.
    accepted: JSONDict | None = None


class TracePart(_Part):
    """A trace; its columns are a file of the archive."""

    id: UUID
    title: Line
    file_name: Line
    bytes_count: Count
    kind: Literal["block", "utilization", "latency", "fleet", "inference"]
    format: Short
    rows_count: Count | None
    stored_bytes_count: Count | None
    sha256: Hash
    summary: JSONDict | None
    charts: JSONDict | None
    faults: list[Any]
    faults_count: Count
    created_at: AwareDatetime


class RunPart(_Part):
    """A run that succeeded; its result follows it, or is that of ``result_of``."""

    id: UUID
    study: UUID | None
    result_of: UUID | None
    created_at: AwareDatetime
    model: Name
    model_version: Short
    params: JSONDict
    params_version: Version
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    inputs_hash: Hash
    snapshot: Name
    winner: Annotated[str, StringConstraints(pattern=r"^[A-HT]?$")]
    cost_usd: float | None
    headline: str
    odds: JSONDict | None
    moved_count: Count | None
    moved_fraction: float | None


class RunFile(_Part):
    """A run with its result; null where it is another's, or is kept no more."""

    run: RunPart
    result: JSONDict | None


MANIFEST_OF = TypeAdapter(Manifest)
STUDIES_OF = TypeAdapter(list[StudyPart])
COMMENTS_OF = TypeAdapter(list[CommentPart])
ACTUALS_OF = TypeAdapter(list[ActualsPart])
APPROVALS_OF = TypeAdapter(list[ApprovalPart])
REQUESTS_OF = TypeAdapter(list[RequestPart])
ENTRIES_OF = TypeAdapter(list[EntryPart])
IMPORTS_OF = TypeAdapter(list[ImportPart])
TRACES_OF = TypeAdapter(list[TracePart])
RUN_OF = TypeAdapter(RunFile)


def run_name(run_id: UUID) -> str:
    """Return a run's name in the archive."""
    return f"runs/{run_id}.json"


def file_name(job_id: UUID, kind: str) -> str:
    """Return the name in the archive of what is kept of a run, an import or a trace."""
    return f"files/{job_id}/{kind}"
