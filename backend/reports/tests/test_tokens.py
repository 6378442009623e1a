"""The design tokens: colours that can be told apart and read, and where the typeface is."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from capmodels.plans.causes import CAUSES
from reports.render import tokens

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_TYPEFACE = """
from reports.render import tokens
tokens.font_folder = lambda: None
from reports.render import render
from reports.testing.pdf_reading import reader, text_of
from reports.tests.samples import report
pdf = render(report(), "pdf")
assert "Rent or own" in text_of(pdf)
fonts = {str(f["/BaseFont"]) for p in reader(pdf).pages for f in
         (o.get_object() for o in p["/Resources"]["/Font"].values())}
print(" ".join(sorted(fonts)))
"""


def contrast(first: str, second: str) -> float:
    high, low = sorted((tokens._luminance(first), tokens._luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("letter", list("ABCDEFGH"))
def test_a_designs_letter_can_be_read_on_its_colour(letter: str) -> None:
    color = tokens.design_color(letter)
    assert contrast(color, tokens.ink_on(color)) >= 4.5


def test_causes_can_be_read_inside_their_bars() -> None:
    for cause in CAUSES:
        color = tokens.cause_color(cause.side, cause.id)
        assert contrast(color, tokens.ink_on(color)) >= 4.0, cause
        assert contrast(cause.dark, tokens.ink_on(cause.dark)) >= 4.0, cause


def test_luminance_is_that_of_the_standard() -> None:
    # WCAG 2.2: white is 1, black 0, and #767676 on white is the limit of 4.5.
    assert tokens._luminance("#FFFFFF") == pytest.approx(1.0)
    assert tokens._luminance("#000000") == 0.0
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


def test_finds_the_typeface_in_the_clone() -> None:
    folder = tokens.font_folder()
    assert folder
    assert all((folder / name).is_file() for name in tokens.tokens()["font"]["files"].values())


def test_finds_the_typeface_beside_the_built_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "ROOT", tmp_path / "nowhere")
    monkeypatch.setenv("FRONTEND_DIST", str(tmp_path))
    assert tokens.font_folder() is None
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / tokens.tokens()["font"]["files"]["400"]).touch()
    assert tokens.font_folder() == tmp_path / "fonts"


def test_draws_without_the_typeface_too() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TYPEFACE], capture_output=True, text=True, check=True
    )
    assert "DejaVu" in done.stdout
    assert "Inter" not in done.stdout
