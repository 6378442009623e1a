"""The PDF: complete, tagged, nothing clipped, whatever the texts are."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from capmodels.numbers import Currency
from reports.render import render
from reports.render.blocks import band, table
from reports.render.cover import LATER, verdict_points
from reports.render.draw import bars, lines, steps
from reports.render.draw.canvas import text_width_in, value_axis
from reports.render.pdf import WITHOUT
from reports.render.text import unmarked
from reports.testing.pdf_reading import (
    outside_margins,
    page_texts,
    pages_of,
    reader,
    tag_counts,
    tags_of,
    text_of,
)
from reports.tests.samples import HASH, comparison, report, scaled, short, with_titles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.figure import Figure

    from reports.render.contents import ReportInput

# Typesetting takes a second or more each; the fast tests make one PDF, over HTTP.
pytestmark = pytest.mark.slow

SIZES = {"a4": (595.3, 841.9), "letter": (612.0, 792.0)}
LONG = [
    "Own the 60th percentile of the duration curve, colocated, and burst the rest on demand: plan",
    "m7a.8xlarge-three-year-no-upfront-savings-plan-us-east-1-with-a-name-that-has-no-space-at-all",
    "W" * 120,
    "Ünïcödé, 98% – “quotes” & <b>markup</b> #set page(fill: red) $x^2$ *bold* _under_ @ref \\",
    "[]{}()=;: //comment /* also */ ~ ` ' \" --- …",
    "a",
    "0123456789" * 12,
    "Zwei Standorte, eigene Rechner, doppelte Leitungen, Ersatzteile im Haus und Wartung vor Ort",
]


@pytest.fixture(scope="module", params=["a4", "letter"])
def paper(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def pdf(paper: str) -> bytes:
    return render(report(), "pdf", paper)


def test_a_row_of_a_table_stays_on_one_page_and_a_band_with_the_row_below_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many: list[Any] = []
    for at in range(120):
        # Of several heights, so that some page ends within a row, or after a band, where it may.
        many += [
            band(f"Band {at}"),
            [f"Row {at} begins {'and goes on ' * (3 + at % 9)}ends{at}.", "1"],
        ]
    shown = [table(("What", "Amount"), many, (0.3, 0.7))]
    only = SimpleNamespace(blocks=lambda _page: shown, appendix=False)
    monkeypatch.setattr("reports.render.pdf.parts", lambda: [only])
    told = page_texts(render(report(), "pdf"))
    for at in range(120):
        with_it = [page for page in told if f"Band {at} " in f"{page} "]
        assert len(with_it) == 1
        assert f"Row {at} begins" in with_it[0], at
        assert f"ends{at}." in with_it[0].replace(" ", ""), at


def test_ticks_are_round_in_the_currency_that_they_are_told_in() -> None:
    from matplotlib.figure import Figure as Drawing

    axes = Drawing().subplots()
    axes.set_xlim(0.0, 3e6)
    value_axis(axes.xaxis, "USD", Currency("EUR", 0.86))
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert [text.replace("\u00a0", " ") for text in labels][:3] == ["€0", "€500 k", "€1 M"]


def texts_of(svg: ET.Element) -> Iterator[tuple[str, float, float]]:
    """Yield each text of a drawing with its left and right end. [points]"""
    for node in svg.iter("{http://www.w3.org/2000/svg}text"):
        style = node.attrib["style"]
        size = re.search(r"([\d.]+)px", style)
        place = re.search(r"translate\(([-\d.]+)", node.attrib.get("transform", ""))
        start = float(place[1]) if place else float(node.attrib.get("x", 0))
        assert size
        weight = 600 if "600" in style else 400
        width = 72 * text_width_in(node.text or "", float(size[1]), weight)
        anchor = re.search(r"text-anchor: (\w+)", style)
        shift = {"middle": 0.5, "end": 1.0}.get(anchor[1] if anchor else "", 0.0)
        yield node.text or "", start - shift * width, start + (1 - shift) * width


def inside_margins(pdf: bytes) -> None:
    assert list(outside_margins(pdf)) == []


@pytest.mark.decisive
def test_says_the_verdict_on_the_first_page(pdf: bytes) -> None:
    comparison = report().comparison
    first = page_texts(pdf)[0]
    assert unmarked(comparison["verdict"]["headline"]) in first
    assert any("would still be owed" in one for one in comparison["warnings"])
    for label, sentence in verdict_points(comparison):
        told = unmarked(sentence) if label in LATER else f"{label} {unmarked(sentence)}"
        assert told in text_of(pdf)
        assert (told in first) == (label not in LATER)
    for warning in comparison["warnings"]:
        assert warning in first
    assert "Break-even Break-even" not in text_of(pdf)


def test_numbers_its_pages(pdf: bytes) -> None:
    pages = page_texts(pdf)
    assert len(pages) == len(reader(pdf).pages)
    for number, page in enumerate(pages, start=1):
        assert f"{number} of {len(pages)}" in page


def test_has_the_size_of_the_paper(pdf: bytes, paper: str) -> None:
    for page in pages_of(pdf):
        assert (page.width, page.height) == pytest.approx(SIZES[paper], abs=0.5)


def test_holds_every_design_row_cause_and_hash(pdf: bytes) -> None:
    text, result = text_of(pdf), comparison()
    for design in result["designs"]:
        assert design["title"] in text
    for row in result["rows"]:
        assert row["label"] in text
    for design in result["designs"]:
        for cause in design["causes"]:
            assert cause["label"] in text
    assert HASH in text
    assert "20 Jul 2026" in text
    assert "230 ms during and 119 ms after" in text
    assert "Out of date: The model is version 1.1.0 now" in text
    assert "Zaranek et al. 2008" in text


def test_a_brief_report_is_for_who_decides_and_says_what_it_leaves_out() -> None:
    brief = render(report(with_appendix=False), "pdf")
    whole, told = render(report(), "pdf"), text_of(brief)
    assert comparison()["designs"][0]["title"] in told
    assert len(page_texts(brief)) < len(page_texts(whole)) / 2
    for words in ("Checks of the models used", "Zaranek et al. 2008"):
        assert words in text_of(whole)
        assert words not in told
    # The words of a line may be parted by its end.
    assert " ".join(WITHOUT.split()[:6]) in " ".join(told.split())


def test_only_what_a_source_prints_stands_under_published() -> None:
    told = text_of(render(short(comparison()), "pdf"))
    assert "Published" in told
    assert "Recomputed" not in told
    derived = [dict(one, basis="derived", title="By hand") for one in report().checks[:1]]
    told = text_of(render(replace(short(comparison()), checks=derived), "pdf"))
    assert "Recomputed" in told
    assert "Published" not in told


def test_is_tagged_for_readers_that_do_not_see(pdf: bytes) -> None:
    document = reader(pdf)
    root: Any = document.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert str(root["/Lang"]).startswith("en")
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()
    assert document.metadata
    assert document.metadata.title == "Rent or own: capacity report"


def test_gives_every_chart_in_words(pdf: bytes) -> None:
    figures = [tag for tag in tags_of(pdf) if tag["/S"] == "/Figure"]
    assert len(figures) >= 4
    assert all(len(str(tag["/Alt"])) > 20 for tag in figures)


def test_marks_heads_of_tables_as_heads(pdf: bytes) -> None:
    counts = tag_counts(pdf)
    assert counts["/Table"] >= 6
    assert counts["/TH"] >= 20
    assert counts["/H1"] >= 6


def test_repeats_the_heads_of_long_tables() -> None:
    of = report()
    of = report(
        checks=[dict(check, title=f"Check {i}") for i, check in enumerate([*of.checks] * 3)]
    )
    shown = [page for page in page_texts(render(of, "pdf")) if "Zaranek" in page]
    assert len(shown) >= 3
    assert all("Published" in page or "Recomputed" in page for page in shown)


def test_keeps_everything_on_the_page(pdf: bytes) -> None:
    inside_margins(pdf)


@pytest.mark.parametrize("count", [1, 2, 8])
def test_keeps_long_names_on_the_page(count: int) -> None:
    of = with_titles(LONG[:count])
    pdf = render(of, "pdf", "letter")
    inside_margins(pdf)
    text = text_of(pdf).replace(" ", "").replace("-", "")
    for title in LONG[:count]:
        assert title.replace(" ", "").replace("-", "") in text


def test_keeps_words_that_do_not_end_on_the_page() -> None:
    word = "x" * 180
    result = comparison()
    result["verdict"]["headline"] = f"All carry the load. **{word} is cheapest**."
    result["flips"][0]["label"] = result["tornado"][0]["label"] = word
    result["warnings"] = [word]
    for design in result["designs"]:
        design["sizing"][0]["groups"][0]["name"] = word
        design["binding"]["detail"] = f"{word}: 30 nodes"
        design["energy_by_cause_kwh"] = {word: design["energy"]["kwh"] or 1.0}
    pdf = render(replace(short(result), title=word, question=f"{word} {word}"), "pdf")
    inside_margins(pdf)
    assert text_of(pdf).replace(" ", "").count(word) >= 7


@pytest.mark.parametrize("factor", [1e-6, 1e9])
def test_keeps_tiny_and_huge_amounts_on_the_page(factor: float) -> None:
    inside_margins(render(scaled(factor), "pdf"))


def test_sets_text_as_text() -> None:
    hostile = '#panic("no") $x$ *b* `raw` <label> @cite \\ // "'
    of = report(title=hostile, question=f"{hostile} {hostile}")
    assert hostile.replace(" ", "") in text_of(render(of, "pdf")).replace(" ", "")


def test_sets_a_box_for_a_character_that_no_typeface_has() -> None:
    text = text_of(render(report(title="計画 plan \U0001f680"), "pdf"))
    assert "□□ plan □" in text


def test_names_without_a_typeface_or_with_control_characters_stand_in_charts() -> None:
    result = comparison()
    names = {"\U0001f680 one": 10.0, "\U0001f469\u200d\U0001f4bb one": 20.0, "bell\x07\u2028x": 5.0}
    for design in result["designs"]:
        design["energy_by_cause_kwh"] = dict(names)
        design["title"] = "bell\x07 tab\t new\nline"
    of = replace(short(result), title="bell\x07 \u2028 e\u0301")
    text = text_of(render(of, "pdf"))
    assert "bell é" in text
    assert "□ one" in text


def test_tells_what_the_like_for_like_check_finds_and_what_was_accepted() -> None:
    finding = {"title": "Same availability", "sentence": "D stands on one site.", "money": "$1 k"}
    of = report(
        like_for_like=[
            {**finding, "accepted": None},
            {**finding, "sentence": "A is the reference.", "accepted": "as published"},
        ],
        leases=["D: leased at 7.0% over 36 months, the same hardware costs $9 k more."],
    )
    text = " ".join(text_of(render(of, "pdf")).split())
    assert "Like for like, same availability: D stands on one site. ($1 k)" in text
    assert "A is the reference. (accepted, because: as published)" in text
    assert "Lease or buy, D: leased at 7.0% over 36 months" in text


@pytest.mark.parametrize("kind", ["alone", "open", "none"])
def test_draws_a_study_without_a_winner(kind: str) -> None:
    result = comparison()
    result |= {"winner": None, "runner_up": None, "odds": None, "tornado": [], "flips": []}
    result |= {"break_evens": [], "warnings": []}
    words = "No winner: A and D are within the uncertainty."
    result["verdict"] |= {"kind": kind, "headline": words, "payoff": None, "flips": None}
    for design in result["designs"]:
        design["carries_load"] = kind != "none"
    pdf = render(report(comparison=result, hashes=(), checks=(), snapshot=None), "pdf")
    assert words in text_of(pdf)
    inside_margins(pdf)


def test_the_same_report_is_the_same_file() -> None:
    assert render(report(), "pdf") == render(report(), "pdf")


def test_says_how_far_it_is() -> None:
    told: list[float] = []
    render(report(), "pdf", "a4", lambda fraction, _words: told.append(fraction))
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] < 1


@pytest.mark.parametrize(
    "of",
    [report(), with_titles(LONG), with_titles(LONG[:1])],
    ids=["six designs", "eight long names", "one design"],
)
def test_keeps_the_texts_of_charts_on_their_canvas(
    of: ReportInput, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bytes] = []
    for module in (bars, lines, steps):
        to_svg = module.to_svg

        def keep(canvas: Figure, to_svg: Callable[[Figure], bytes] = to_svg) -> bytes:
            drawn.append(to_svg(canvas))
            return drawn[-1]

        monkeypatch.setattr(module, "to_svg", keep)
    render(of, "pdf")
    assert len(drawn) >= 5
    for svg in drawn:
        root = ET.fromstring(svg)
        width = float(root.attrib["viewBox"].split()[2])
        for text, left, right in texts_of(root):
            assert left >= -1, text
            assert right <= width + 1, text
