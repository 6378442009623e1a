"""What a model is: a frozen input, a frozen output, a function between, and its checks."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError

from capmodels.chunks import ChunkFunction, run_chunks
from capmodels.errors import (
    FAULTS_MOST,
    Fault,
    ModelError,
    ParamsError,
    PointLimitExceeded,
    pointer_of,
)
from capmodels.in_print import left_out, left_out_of_worked
from capmodels.list_sizes import bounded
from capmodels.measured import CheckValue, Measured
from capmodels.numbers import USD, Currency, is_money, stated_day, unit_label
from capmodels.sentences import sentence_of
from capmodels.titles import title_of

JSONDict = dict[str, Any]
Quality = Literal["measured", "published", "recalled", "assumed", "derived"]
Basis = Literal["published", "derived"]
Kind = Literal["predicted", "fitted", "arithmetic"]
# What a check comes to: ours is as printed, within what is allowed beyond print, or further off.
Outcome = Literal["holds", "apart", "differs"]


class Params(BaseModel):
    """Base of every model's input: frozen, nothing unknown, every number finite."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, field_title_generator=title_of
    )

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Count lists before their entries are validated."""
        return bounded(handler(source), cls)

    def identity(self) -> str:
        """Return the text that two inputs share when they are the same."""
        return self.model_dump_json()


class Result(BaseModel):
    """Base of every model's output."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, field_title_generator=title_of
    )


def default(
    value: Any,
    description: str | None = None,
    *,
    source: str,
    as_of: str | None = None,
    quality: Quality = "published",
    low: float | None = None,
    high: float | None = None,
    extra: JSONDict | None = None,
    **facets: Any,
) -> Any:
    """Return a field default that carries its source, date, quality and range.

    The form shows them on hover; ``low`` and ``high`` become the field's default
    range in the odds. ``facets`` are as of a preset.
    """
    origin = {"source": source, "as_of": as_of, "quality": quality, "low": low, "high": high}
    known = {"default_source": {k: v for k, v in origin.items() if v is not None}}
    return preset(value, description, extra={**known, **(extra or {})}, **facets)


def assumed(
    value: Any, description: str | None = None, *, source: str = "our choice", **facets: Any
) -> Any:
    """Return a field default that is a choice: ours, unless another reason is said."""
    return default(value, description, source=source, quality="assumed", **facets)


def recalled(value: Any, description: str | None = None, **facets: Any) -> Any:
    """Return a field default as its source is remembered, without the source at hand."""
    return default(value, description, quality="recalled", **facets)


def derived(value: Any, description: str | None = None, **facets: Any) -> Any:
    """Return a field default that follows from what its source says."""
    return default(value, description, quality="derived", **facets)


def preset(value: Any, description: str | None, **facets: Any) -> Any:
    """Return a field default that needs no source: a kind, a name, an empty list.

    ``facets`` are its title, ``extra`` of its schema, and what pydantic asks of the value.
    """
    if extra := facets.pop("extra", None):
        facets["json_schema_extra"] = extra
    return Field(default=value, description=description, **facets)


def blank(description: str, **facets: Any) -> Any:
    """Return the default of a field that may be left empty, which its description explains."""
    return preset(None, description, **facets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a model comes from."""

    text: str
    url: str | None = None
    section: str | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """One equation of a model, for the screen: text, and what its symbols are."""

    id: str
    text: str
    source: str
    symbols: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """A row of a paper's table or text, to be held against the model's own value.

    ``published`` is the figure to meet, ``printed`` how the paper prints it where that is more
    than the number, ``basis`` whether a paper states it or it was worked out by other means.
    ``kind`` says what meeting it is worth: *predicted*, where the figure took no part in making
    ours; *fitted*, where an input was solved from a figure, which ``fitted_to`` names;
    *arithmetic*, where numbers of the source are recombined. ``tests`` names the input, constant
    or equation that the row is there for: a tenth more or less of it has to break the row.
    ``tolerance`` is the absolute difference allowed: what is lost in print, or more for the
    reason that ``wider`` gives. ``params`` gives the model's
    input behind the figure, what it leaves out being at its default, where the figure
    comes of one such input. ``compute`` is how our value comes about, or what was ``Measured``.
    What rows have in common, such as their source and unit, a ``partial`` of this says once.
    """

    id: str
    title: str
    published: CheckValue
    compute: Callable[[], CheckValue]
    _: KW_ONLY
    source: str
    kind: Kind
    tests: str
    tolerance: float = 0.0
    unit: str = ""
    printed: str | None = None
    wider: str | None = None
    fitted_to: str | None = None
    note: str | None = None
    basis: Basis = "published"
    params: Callable[[], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        """Refuse a fitted row that does not say to what.

        Raises
        ------
        ValueError
            When only one of both is said.
        """
        if (self.kind == "fitted") != (self.fitted_to is not None):
            raise ValueError(f"{self.id}: a fitted row names the figure, and no other does")

    @property
    def as_printed(self) -> str | None:
        """The figure as its source prints it; None where no source does.

        >>> Check("id", "title", 1500.0, float, source="", kind="predicted", tests="").as_printed
        '1,500'
        """
        if self.printed is not None or self.basis != "published":
            return self.printed
        held = self.published
        if isinstance(held, bool | str):
            return None if isinstance(held, bool) else held
        return f"{held:,}".removesuffix(".0")

    @property
    def in_print(self) -> float:
        """How far a value may be from the figure and still be what is printed: an absolute one.

        It is the tolerance, but where that is ``wider`` than print, or than three digits of a
        figure that no source prints.
        """
        held = self.published
        if self.wider is None or isinstance(held, bool | str):
            return self.tolerance
        printed = self.as_printed if self.basis == "published" else None
        told = None if printed is None else left_out(printed, held)
        return left_out_of_worked(held) if told is None else told


# A check of what is worked out from what a source states, by hand or by a closed form.
derived_check = partial(Check, basis="derived", kind="arithmetic")


@dataclass(frozen=True, slots=True)
class Context:
    """What a run gets besides its input: the seed, and a way to report progress.

    ``report(fraction, message)`` may raise to stop a run that was cancelled.
    """

    seed: int = 0
    report: Callable[[float, str], None] = lambda _fraction, _message: None

    def run_chunks(self, function: ChunkFunction, chunks: Sequence[JSONDict]) -> list[bytes]:
        """Do long work in chunks, here or wherever there are hands; results in their order."""
        return run_chunks(function, chunks, self.report)


P = TypeVar("P", bound=Params)
R = TypeVar("R", bound=Result)


def one_point(_params: Params) -> int:
    """Points of a model that takes as long for any input."""
    return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec(Generic[P, R]):
    """A model as the registry knows it.

    ``version`` changes when numbers may move, ``params_version`` when the shape of
    the input changes; ``upgrades[n]`` turns a document of shape n into n + 1.
    ``instant`` says that the web process may evaluate it, up to ``point_limit``
    points as counted by ``points``: in what its time grows with, ``one_point`` where it does
    not grow. A run of a model that is not instant takes the quick
    queue up to ``quick_limit`` points, so that a planner who waits for it does not queue
    behind long ones. ``start`` gives an input of this decade to begin with, where the defaults
    are those of a paper, ``start_source`` where it is from and of when; ``paper`` what the paper's
    input says beside the defaults, None where these are of no paper.
    """

    id: str
    version: str
    title: str
    summary: str
    params: type[P]
    result: type[R]
    run: Callable[[P, Context], R]
    points: Callable[[P], int]
    params_version: int = 1
    citations: tuple[Citation, ...] = ()
    formulas: tuple[Formula, ...] = ()
    checks: tuple[Check, ...] = ()
    limits: tuple[str, ...] = ()
    instant: bool = True
    stochastic: bool = False
    point_limit: int = 100_000
    quick_limit: int = 0
    start: Callable[[], Mapping[str, Any]] | None = None
    start_source: str = ""
    paper: Callable[[], Mapping[str, Any]] | None = dict
    upgrades: Mapping[int, Callable[[JSONDict], JSONDict]] = field(default_factory=dict)

    @property
    def family(self) -> str:
        """First part of the id, such as ``cost``."""
        return self.id.partition(".")[0]


AnyModel = ModelSpec[Any, Any]


_schemas: dict[type[BaseModel], JSONDict] = {}


def _schema(model: type[BaseModel]) -> JSONDict:
    if model not in _schemas:
        _schemas[model] = model.model_json_schema()
    return _schemas[model]


def params_schema(spec: AnyModel) -> JSONDict:
    """Return the JSON schema of a model's input, with units and sources of defaults."""
    return _schema(spec.params)


def result_schema(spec: AnyModel) -> JSONDict:
    """Return the JSON schema of a model's output."""
    return _schema(spec.result)


def upgrade(spec: AnyModel, document: JSONDict, params_version: int) -> JSONDict:
    """Bring a stored document to the present shape, leaving the stored one alone."""
    for version in range(params_version, spec.params_version):
        document = spec.upgrades[version](dict(document))
    return document


def validate(spec: ModelSpec[P, R], document: Mapping[str, Any]) -> P:
    """Return the document as the model's params.

    Raises
    ------
    ParamsError
        With every fault of the document at once.
    """
    try:
        return spec.params.model_validate(document)
    except ValidationError as exc:
        raise ParamsError(faults_of(exc, document)) from exc


def evaluate(
    spec: ModelSpec[P, R], document: Mapping[str, Any], context: Context | None = None
) -> R:
    """Validate a document and run the model on it.

    Raises
    ------
    ParamsError
        When the document is not valid.
    ModelError
        When the model has no answer for it.
    """
    return answer(spec, validate(spec, document), context or Context())


def answer(spec: ModelSpec[P, R], params: P, context: Context) -> R:
    """Run the model on valid params.

    Raises
    ------
    ModelError
        When the model has no answer, or the values are so large or so small that the
        answer is not a finite number.
    """
    try:
        return spec.run(params, context)
    except (OverflowError, ZeroDivisionError, ValueError) as exc:
        if not _is_of_numbers(exc):
            raise
        message = "The answer is not a finite number. Enter less extreme values."
        raise ModelError(message) from exc


# What Python says of numbers that are none, or stand outside of what a function is defined for.
_NO_NUMBER = {"cannot convert float NaN to integer", "math domain error"}


def _is_of_numbers(error: Exception) -> bool:
    """Whether an error comes of values so extreme that the answer is no number."""
    if isinstance(error, ValidationError):
        return all(item["type"] == "finite_number" for item in error.errors())
    return not isinstance(error, ValueError) or str(error) in _NO_NUMBER


def require_points(spec: ModelSpec[P, R], params: P) -> None:
    """Refuse a question above the model's point limit.

    Raises
    ------
    PointLimitExceeded
        When the params ask for more points than ``point_limit``.
    """
    points = spec.points(params)
    if points > spec.point_limit:
        message = f"This asks for {points:,} points; at once {spec.point_limit:,} are allowed."
        raise PointLimitExceeded(message)


def inputs_hash(spec: AnyModel, params: Params, seed: int) -> str:
    """Return the hash that identifies a result: same inputs, model, version and seed.

    The fields of a class stand in one order and no params hold a free map, so that
    pydantic's JSON is canonical as it is.
    """
    identity = json.dumps([spec.id, spec.version, seed])
    return hashlib.sha256(f"{identity}{params.identity()}".encode()).hexdigest()


def run_check(spec: AnyModel, check: Check) -> JSONDict:
    """Compute one published check now and say whether it holds."""
    ours, note = _ours(check)
    ok, is_apart = _agrees(ours, check, check.tolerance), not _agrees(ours, check, check.in_print)
    measured = check.compute.as_of if isinstance(check.compute, Measured) else None
    outcome: Outcome = "differs" if not ok else "apart" if is_apart else "holds"
    return {
        "model": spec.id,
        "check": check.id,
        "title": check.title,
        "source": check.source,
        "kind": check.kind,
        "fitted_to": check.fitted_to,
        "tests": check.tests,
        "basis": check.basis,
        "published": check.published,
        "printed": _with_unit(check.as_printed, check.unit),
        "ours": ours,
        "tolerance": check.tolerance,
        "in_print": check.in_print,
        "is_apart": is_apart,
        "wider": check.wider,
        "unit": check.unit,
        "ok": ok,
        "outcome": outcome,
        "said": outcome_said(outcome, measured),
        "note": note,
        "measured": measured,
    }


_BARE = re.compile(r"[-−\d.,+/() ]+")


def _with_unit(printed: str | None, unit: str) -> str | None:
    """Return a figure as printed, with its unit where the head of its table has that.

    >>> _with_unit("1,840", "USD"), _with_unit("6.23", "W"), _with_unit("110 K", "1/s")
    ('$1,840', '6.23 W', '110 K')
    """
    label = unit_label(unit)
    if printed is None or unit == "fraction" or not label or not _BARE.fullmatch(printed):
        return printed
    if is_money(unit):
        return f"{label}{printed}"
    return f"{printed}{'' if label == '%' else ' '}{label}"


def outcome_said(outcome: Outcome, measured: str | None = None) -> str:
    """Say what a check comes to, as every page, the PDF and the shell say it.

    >>> outcome_said("apart"), outcome_said("holds", "2026-11-24")
    ('off, as known', 'held on 24 Nov 2026; needs data not shipped')
    """
    if outcome == "holds" and measured:
        return f"held on {stated_day(measured)}; needs data not shipped"
    return {"holds": "holds", "apart": "off, as known", "differs": "differs"}[outcome]


def _ours(check: Check) -> tuple[CheckValue | None, str | None]:
    """Our value and what is said beside it: computed now, or kept of when its data were there."""
    kept, note = check.compute, check.note
    if isinstance(kept, Measured):
        note = kept.said
    try:
        return check.compute(), note
    except ModelError as exc:
        return None, str(exc)


def _agrees(ours: CheckValue | None, check: Check, within: float) -> bool:
    if isinstance(ours, bool | str) or isinstance(check.published, bool | str) or ours is None:
        return type(ours) is type(check.published) and ours == check.published
    # One part in 1e12 allows for the last bits of an "exact" check.
    slack = max(within, abs(check.published) * 1e-12)
    return math.isfinite(ours) and abs(ours - check.published) <= slack


def refusal(
    code: str, sentence: str, *, at: tuple[int | str, ...] = (), value: object = None
) -> ValidationError:
    """Return what a field validator raises for a fault that spans several fields.

    ``at`` is the place inside the validated field, ``sentence`` ends with a period.
    A field that may be left at its default needs ``validate_default=True`` for its
    validator to run then.
    """
    return refusals([(code, sentence, at)], value=value)


def refusals(
    faults: Sequence[tuple[str, str, tuple[int | str, ...]]], *, value: object = None
) -> ValidationError:
    """As ``refusal``, of several faults: code, sentence and place of each."""
    return ValidationError.from_exception_data(
        faults[0][0],
        [
            InitErrorDetails(
                type=PydanticCustomError(code, sentence.removesuffix(".")), loc=at, input=value
            )
            for code, sentence, at in faults
        ],
    )


def faults_of(error: ValidationError, document: Any) -> list[Fault]:
    """Turn pydantic's errors into faults with JSON pointers and plain sentences, at most 50."""
    items = cast("list[JSONDict]", error.errors(include_url=True))
    currency = _currency_of(document)
    places = _with_faults_inside(items)
    told = (
        Fault(_place(item, document), _code(item["type"]), sentence_of(item, currency))
        for item in items
        # A list may be too short only because entries of it have faults of their own.
        if item["type"] != "too_short" or item["loc"] not in places
    )
    return list(islice(told, FAULTS_MOST))


def _place(item: JSONDict, document: Any) -> str:
    """The pointer of a fault; the choice of a union's case is wrong where that is named."""
    pointer = _pointer(item["loc"], document)
    if not item["type"].startswith("union_tag"):
        return pointer
    return pointer + pointer_of(item["ctx"]["discriminator"].strip("'"))


def _currency_of(document: Any) -> Currency:
    """The currency that a document with faults states; the US dollar where it states none."""
    held = document.get("assumptions") if isinstance(document, Mapping) else None
    stated = held.get("currency") if isinstance(held, Mapping) else None
    if not isinstance(stated, Mapping):
        return USD
    code, per_usd = stated.get("code"), stated.get("per_usd")
    if not isinstance(code, str) or not isinstance(per_usd, int | float):
        return USD
    return Currency(code, per_usd) if 0 < per_usd < math.inf else USD


def _with_faults_inside(items: list[JSONDict]) -> set[tuple[int | str, ...]]:
    """Places of lists that are too short and have faults inside."""
    short = {item["loc"] for item in items if item["type"] == "too_short"}
    if not short:
        return short
    return short & {item["loc"][:end] for item in items for end in range(len(item["loc"]))}


def _pointer(loc: tuple[int | str, ...], document: Any) -> str:
    """Return the JSON pointer of a place; union tags in ``loc`` are not in the document."""
    parts: list[str] = []
    here = document
    for depth, key in enumerate(loc):
        last = depth == len(loc) - 1
        if isinstance(here, Mapping):
            if not last and _is_tag(key, here, loc[depth + 1]):
                continue
            here = here.get(key, _ABSENT)
        elif isinstance(here, list | tuple) and isinstance(key, int) and key < len(here):
            here = here[key]
        elif here is not _ABSENT and (not last or here is not None):
            continue
        parts.append(str(key))
    return pointer_of(*parts)


_ABSENT = object()  # a group that the document leaves to its defaults, and all below it


def _is_tag(key: int | str, here: Mapping[str, Any], below: int | str) -> bool:
    """Whether a key names the case of a union, not a field, which the document may leave out.

    A case may be named as one of its own fields is; no path leads on below a field of text, and
    none but an index below a list.
    """
    if key in here:
        field = here[str(key)]
        is_below = isinstance(field, list | tuple) and isinstance(below, int)
        return here.get("kind") == key and not is_below and not isinstance(field, Mapping)
    return not str(key).isidentifier() or key != str(key).lower() or key in here.values()


_CODES = {
    "missing": "missing",
    "extra_forbidden": "unknown_field",
    "finite_number": "not_finite",
    "literal_error": "not_a_choice",
    "enum": "not_a_choice",
    "union_tag_invalid": "not_a_choice",
    "union_tag_not_found": "missing",
}


def _code(kind: str) -> str:
    if kind.startswith(("greater", "less")):
        return "out_of_range"
    if kind.endswith(("_type", "_parsing")):
        return "wrong_type"
    return _CODES.get(kind, kind)
