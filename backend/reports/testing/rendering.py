"""One study through every kind of report: what of it does not come out."""

from __future__ import annotations

import csv
import io
import time
import traceback
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING
from unicodedata import normalize

import orjson

from capmodels.registry import get_model
from capmodels.spec import Context, inputs_hash, params_schema, validate
from capmodels.testing.answers import broken
from capmodels.testing.sent import document_of
from reports.render import render
from reports.render.contents import ReportInput, ResultHash
from reports.render.text import clean, unmarked
from reports.testing.excel import Sheets
from reports.testing.pdf_reading import outside_margins, page_texts
from studies import exchange
from studies.documents import PLAN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.spec import JSONDict

MADE_AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PAPERS = ("a4", "letter")
# Amounts of a workbook are whole cents, and sums of them a little off.
CENTS = 0.51


class Findings:
    """What went wrong with one study, by the kind of file, and how long each took."""

    def __init__(self) -> None:
        """Start with nothing found."""
        self.found: list[str] = []
        self.seconds: dict[str, float] = {}

    @contextmanager
    def of(self, what: str) -> Iterator[None]:
        """Keep what a step raises, and its time."""
        start = time.perf_counter()
        try:
            yield
        except Exception as exc:  # whatever it is, it is a finding
            place = traceback.extract_tb(exc.__traceback__)[-1]
            words = " ".join(str(exc).split())[:200]
            name = place.filename.rpartition("/")[2]
            self.say(what, f"{type(exc).__name__}: {words} ({name}:{place.lineno})")
        self.seconds[what] = time.perf_counter() - start

    def say(self, what: str, *sentences: str) -> None:
        """Keep sentences about a file."""
        self.found += [f"{what}: {sentence}" for sentence in sentences]


def study_findings(study: JSONDict, papers: Sequence[str] = PAPERS) -> Findings:
    """Answer a study and render every kind of report of it."""
    findings = Findings()
    report: ReportInput | None = None
    with findings.of("answer"):
        report = report_of(study)
        findings.say("answer", *broken(report.comparison))
    with findings.of("file"):
        findings.say("file", *_unlike(study))
    if report is None:
        return findings
    for paper in papers:
        with findings.of(f"pdf {paper}"):
            findings.say(f"pdf {paper}", *_pdf_faults(report, render(report, "pdf", paper)))
    with findings.of("xlsx"):
        findings.say("xlsx", *_workbook_faults(report, render(report, "xlsx")))
    with findings.of("csv"):
        findings.say("csv", *_csv_faults(report, render(report, "csv")))
    return findings


def report_of(study: JSONDict) -> ReportInput:
    """Return the report of a study, as a worker would draw it."""
    spec = get_model(PLAN)
    params = validate(spec, document_of(study))
    seed = int(getattr(params, "seed", 0))
    answer = spec.run(params, Context(seed=seed))
    identity = inputs_hash(spec, params, seed)
    origins = {
        "/workload": study["workload_provenance"],
        "/assumptions": study["assumptions_provenance"],
        "/baseline": study["baseline_provenance"],
        **{f"/designs/{d['letter']}": d["provenance"] for d in study["designs"]},
    }
    return ReportInput(
        title=study["title"],
        question=study["question"],
        comparison=orjson.loads(answer.model_dump_json()),
        document=params.model_dump(mode="json"),
        schema=params_schema(spec),
        created_at=MADE_AT,
        provenance={f"{h}{p}": origin for h, part in origins.items() for p, origin in part.items()},
        hashes=(
            ResultHash(label="Study", model=spec.id, version=spec.version, inputs_hash=identity),
        ),
        snapshot=study["snapshot"] or None,
    )


def _unlike(study: JSONDict) -> Iterator[str]:
    for as_ in ("json", "yaml"):
        text = exchange.dump({"slug": "study", **study}, as_)
        read = exchange.read(text)
        if exchange.dump(read.model_dump(), as_) != exchange.dump(
            exchange.StudyFile.model_validate({"slug": "study", **study}).model_dump(), as_
        ):
            yield f"{as_} reads back as another study."


def _pdf_faults(report: ReportInput, pdf: bytes) -> Iterator[str]:
    pages = page_texts(pdf)
    yield from islice(outside_margins(pdf), 3)
    told = _letters(" ".join(pages))
    headline = _letters(unmarked(report.comparison["verdict"]["headline"]))
    if headline[:60] not in told:
        yield f"the verdict is not told: {headline[:60]!r}."
    if "Horizon" not in pages[0]:
        yield "the verdict and the totals are longer than the first page."
    for row in report.comparison["rows"]:
        if not _is_told(row["label"], told):
            yield f"the row {row['label']!r} is missing."
    for word in ("nan", "inf", "undefined"):
        if f" {word} " in f" {' '.join(pages)} ":
            yield f"it says {word!r}."


def _is_told(text: str, told: str) -> bool:
    """Whether a page says it; words of other alphabets may be set in another order, or turned."""
    if text.isascii():
        return _letters(text) in told
    words = map(_letters, text.split())
    return all(word in told or word[::-1] in told for word in words)


def _letters(text: str) -> str:
    """Letters and digits of one alphabet, which a page sets in the order of the text."""
    composed = normalize("NFC", clean(text))
    return "".join(x for x in composed if x.isascii() and x.isalnum())


def _workbook_faults(report: ReportInput, file: bytes) -> Iterator[str]:
    sheets = Sheets(file)
    for sheet in sheets.book:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    sheets.get(sheet.title, cell.coordinate)
    for place, design in enumerate(report.designs):
        ours = sheets.get("Summary", f"C{7 + place}")
        total = design["total_usd"] * report.currency.per_usd
        if not abs(ours - total) <= CENTS:
            yield f"the total of {design['letter']} is {ours}, not {total}."


def _csv_faults(report: ReportInput, file: bytes) -> Iterator[str]:
    rows = list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"))))
    by_id = {(row["section"], row["id"]): row for row in rows}
    currency = report.currency
    for row in report.comparison["rows"]:
        for letter, value in row["values"].items():
            text = by_id["comparison", currency.name(row["id"])][letter]
            shown = currency.amount(value, row["unit"])
            if (float(text) if text else None) != shown:
                yield f"{row['id']} of {letter} is {text!r}, not {shown}."
