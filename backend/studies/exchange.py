"""A whole study as one file, YAML or JSON, that reads back exactly as it was written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

import orjson
import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from capmodels.errors import Fault, ParamsError
from capmodels.plans.document.bounded import MOST_DRAWS
from capmodels.registry import get_model
from capmodels.spec import JSONDict, faults_of
from common.storable import MAX_DEPTH, storable
from studies.documents import DAY, LETTERS, PLAN
from studies.provenance import origin_faults
from studies.tool_references import ToolRuns

Format = Literal["yaml", "json"]

FORMAT_VERSION = 1
_LEAD = (
    *("ampacity", "study", "slug", "letter", "name", "title", "kind", "question"),
    *("params_version", "workload", "assumptions", "baseline", "ranges", "draws_count", "seed"),
    *("designs", "spec"),
)
# A study with all hourly series that it may have holds a third of this.
_EVENTS_MAX = 150_000
_ORDER = {key: place for place, key in enumerate(_LEAD)}


class _Loader(yaml.CSafeLoader):
    """YAML 1.2 scalars only, so that dates and "no" stay text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 -- PyYAML's own shape

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Refuse a key that stands twice: one of its values would be dropped without a word."""
        keys = [str(key.value) for key, _value in node.value]
        if len(set(keys)) < len(keys):
            twice = next(key for place, key in enumerate(keys) if key in keys[:place])
            message = f"the key {twice!r} stands twice"
            raise yaml.constructor.ConstructorError(None, None, message, node.start_mark)
        return super().construct_mapping(node, deep=deep)


class _Dumper(yaml.CSafeDumper):
    """Quotes whatever any YAML reader could take for something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write every value out in full."""
        return True


_FLOAT = re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")
_SCALARS = (
    ("tag:yaml.org,2002:null", re.compile(r"^(~|null|Null|NULL|)$"), [*"~nN", ""]),
    ("tag:yaml.org,2002:bool", re.compile(r"^(true|True|TRUE|false|False|FALSE)$"), [*"tTfF"]),
    ("tag:yaml.org,2002:int", re.compile(r"^[-+]?(0|[1-9][0-9]*)$"), [*"-+0123456789"]),
    ("tag:yaml.org,2002:float", _FLOAT, [*"-+.0123456789"]),
)
for _tag, _pattern, _first in _SCALARS:
    _Loader.add_implicit_resolver(_tag, _pattern, _first)
_Dumper.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, [*"-+.0123456789"])


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def _kept(value: Any) -> Any:
    if faults := storable(value):
        raise ValueError(faults[0].message)
    return value


def _sourced(value: Any) -> Any:
    if faults := origin_faults(value):
        message = f"{faults[0].pointer}: {faults[0].message}"
        raise ValueError(message)
    return value


Text = Annotated[str, AfterValidator(_kept)]
Title = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_kept)]
Draft = Annotated[JSONDict, AfterValidator(_kept)]
Origins = Annotated[JSONDict, AfterValidator(_kept), AfterValidator(_sourced)]


class VersionPart(_Part):
    """A named version of a design in a study's file."""

    name: Annotated[str, Field(min_length=1, max_length=120), AfterValidator(_kept)]
    title: Title
    kind: Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_kept)]
    spec: Draft = {}
    provenance: Origins = {}


class DesignPart(_Part):
    """A design in a study's file."""

    letter: Literal["A", "B", "C", "D", "E", "F", "G", "H"] | None = None
    title: Title
    kind: Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_kept)]
    spec: Draft = {}
    provenance: Origins = {}
    versions: Annotated[list[VersionPart], Field(max_length=100)] = []

    @field_validator("versions")
    @classmethod
    def _named_once(cls, versions: list[VersionPart]) -> list[VersionPart]:
        if len({version.name for version in versions}) < len(versions):
            message = "Two versions have the same name."
            raise ValueError(message)
        return versions


def _known(params_version: int) -> int:
    newest = get_model(PLAN).params_version
    if not 1 <= params_version <= newest:
        message = f"Versions 1 to {newest} are known here; this file may be of a later release."
        raise ValueError(message)
    return params_version


class StudyFile(_Part):
    """What stands under ``study`` in a file; drafts may be incomplete."""

    slug: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)] = "study"
    title: Title
    question: Text = ""
    snapshot: Annotated[str, Field(max_length=100), AfterValidator(_kept)] = ""
    pack: Annotated[str, Field(max_length=80, pattern=r"^[a-z0-9-]*$")] = ""
    pack_version: Annotated[int, Field(ge=0, lt=2**31)] = 0
    as_of: Annotated[str, Field(pattern=DAY)] = ""
    params_version: Annotated[int, AfterValidator(_known)] = 1
    workload: Draft = {}
    workload_provenance: Origins = {}
    assumptions: Draft = {}
    assumptions_provenance: Origins = {}
    baseline: Draft | None = None
    baseline_provenance: Origins = {}
    ranges: Annotated[list[JSONDict], AfterValidator(_kept)] = []
    draws_count: Annotated[int, Field(ge=0, le=MOST_DRAWS)] = 10_000
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 1
    designs: Annotated[list[DesignPart], Field(max_length=len(LETTERS))] = []
    tool_runs: ToolRuns = []


def read(text: bytes) -> StudyFile:
    """Return the study in a file, held against the file's own shape.

    Raises
    ------
    ParamsError
        With everything that is wrong with the file's shape at once. A draft that the
        plan refuses is none of that.
    """
    study = load(text)
    try:
        return StudyFile.model_validate(study)
    except ValidationError as error:
        faults = [
            Fault(f"/study{fault.pointer}", fault.code, fault.message)
            for fault in faults_of(error, study)
        ]
        raise ParamsError(faults) from error


def dump(study: JSONDict, as_: Format) -> bytes:
    """Return a study's file, keys in a stable order."""
    document = _ordered({"ampacity": FORMAT_VERSION, "study": study})
    if as_ == "json":
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    text = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def load(text: bytes) -> JSONDict:
    """Return the study in a file, written as YAML or as JSON.

    Raises
    ------
    ParamsError
        When the file cannot be read, or is not a study of this format.
    """
    document = _parse(text)
    if not isinstance(document, dict) or not isinstance(document.get("study"), dict):
        raise ParamsError([Fault("", "not_a_study", "This file holds no study.")])
    if document.get("ampacity") != FORMAT_VERSION:
        message = f"This file is not of format {FORMAT_VERSION}, the one known here."
        raise ParamsError([Fault("/ampacity", "unknown_format", message)])
    return cast("JSONDict", document["study"])


def _parse(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as json_error:
        if text.lstrip()[:1] == b"{":
            fault = Fault("", "unreadable", f"This file is not readable as JSON: {json_error}.")
            raise ParamsError([fault]) from json_error
    try:
        _refuse_bombs(text)
        document = yaml.load(text, Loader=_Loader)
        # A file must say what JSON can say: text keys, finite numbers.
        return orjson.loads(orjson.dumps(document))
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, TypeError) as error:
        sentence = " ".join(str(error).split())
        fault = Fault("", "unreadable", f"This file is not readable as YAML: {sentence}.")
        raise ParamsError([fault]) from error


def _refuse_bombs(text: bytes) -> None:
    """Refuse aliases, which can blow a small file up to gigabytes, and bottomless nesting."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=yaml.CSafeLoader)):
        if count > _EVENTS_MAX:
            message = "it holds more fields than a study has"
            raise yaml.YAMLError(message)
        if isinstance(event, yaml.AliasEvent):
            message = "aliases are not accepted"
            raise yaml.YAMLError(message)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels"
            raise yaml.YAMLError(message)


def _ordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: (_ORDER.get(key, len(_ORDER)), key))
        return {key: _ordered(value[key]) for key in keys}
    if isinstance(value, list | tuple):
        return [_ordered(item) for item in value]
    return value
