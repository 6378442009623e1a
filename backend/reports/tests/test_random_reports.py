"""Random studies through every kind of report; ``python -m reports.testing`` runs 500."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from capmodels.testing.studies import random_study
from reports.testing.__main__ import main
from reports.testing.rendering import study_findings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1008))
def test_every_report_of_a_random_study_comes_out(seed: int) -> None:
    assert study_findings(random_study(seed)).found == []


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1008, 1060))
def test_every_report_of_many_random_studies_comes_out(seed: int) -> None:
    assert study_findings(random_study(seed)).found == []


# What came out of the 500 with a finding: labels of an axis cut at the margin, where a design is
# short by thousands of times; a row without a reason, where the network of a node is 0; eight
# designs with a long verdict, whose first page went on.
@pytest.mark.parametrize("seed", [338, 456, 20])
def test_what_was_found_among_the_500_is_mended(seed: int) -> None:
    assert study_findings(random_study(seed), ("a4",)).found == []


def test_a_study_that_comes_out_in_numbers_is_told_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "2", "--papers", "none"]) == 0
    assert "2 studies, 0 of them with findings" in capsys.readouterr().out


def test_a_random_study_is_written_for_other_programs(tmp_path: Path) -> None:
    file = tmp_path / "study.json"
    command = [sys.executable, "-m", "reports.testing", "--first", "7", "--study", str(file)]
    subprocess.run(command, check=True)
    assert '"designs"' in file.read_text("utf-8")


def test_what_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.testing.rendering.render", lambda *_given: b"")
    found = study_findings(random_study(1), ("a4",)).found
    assert {sentence.partition(":")[0] for sentence in found} == {"pdf a4", "xlsx", "csv"}
