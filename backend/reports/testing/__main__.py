"""``python -m reports.testing``: random studies through every report, and what fails."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from capmodels.registry import get_model, model_ids
from capmodels.testing.studies import random_study
from reports.testing.rendering import Findings, study_findings
from reports.testing.run_rendering import inputs_of, run_findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reports.render.contents import Paper


PAPERS: dict[str, tuple[Paper, ...]] = {
    "both": ("a4", "letter"),
    "a4": ("a4",),
    "letter": ("letter",),
    "none": (),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Render the reports of so many random studies; 1 when any of them fails."""
    parser = argparse.ArgumentParser(prog="python -m reports.testing", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="studies (500)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first study (0)")
    parser.add_argument("--papers", choices=PAPERS, default="both", help="of PDFs (both)")
    parser.add_argument("--processes", type=int, default=1, help="at once (1)")
    parser.add_argument("--study", type=Path, help="write the first study as JSON, render nothing")
    parser.add_argument("--runs", nargs="*", metavar="MODEL", help="runs of models instead (all)")
    given = parser.parse_args(arguments)
    if given.runs is not None:
        return _runs(given.runs, given.count, given.first, PAPERS[given.papers])
    if given.study:
        given.study.write_text(json.dumps(random_study(given.first), ensure_ascii=False, indent=1))
        return 0
    seeds = range(given.first, given.first + given.count)
    with ProcessPoolExecutor(given.processes) as pool:
        told = list(_told(seeds, pool.map(partial(_findings, papers=PAPERS[given.papers]), seeds)))
    failed = sum(bool(findings.found) for findings in told)
    print(_times(told))
    print(f"{len(told)} studies, {failed} of them with findings")
    return 1 if failed else 0


def _runs(models: Sequence[str], count: int, first: int, papers: tuple[Paper, ...]) -> int:
    """Render the PDF of runs of models: start, published cases, and so many variations of each."""
    failed = drawn = 0
    for model in map(get_model, models or model_ids()):
        for document in inputs_of(model, count, first):
            drawn += 1
            try:
                found = run_findings(model, document, papers)
            except Exception as error:
                found = [f"{type(error).__name__}: {error}", json.dumps(document)[:2000]]
            for sentence in found:
                print(f"{model.id}: {sentence}", flush=True)
            failed += bool(found)
        print(f"{model.id}: done", flush=True)
    print(f"{drawn} runs, {failed} of them with findings")
    return 1 if failed else 0


def _findings(seed: int, papers: Sequence[Paper]) -> Findings:
    return study_findings(random_study(seed), papers)


def _told(seeds: Iterable[int], results: Iterable[Findings]) -> Iterator[Findings]:
    """Print what is found of each study as it comes."""
    for seed, findings in zip(seeds, results, strict=True):
        for sentence in findings.found:
            print(f"study {seed}: {sentence}", flush=True)
        yield findings


def _times(told: Sequence[Findings]) -> str:
    spent: Counter[str] = Counter()
    for findings in told:
        spent.update(findings.seconds)
    return ", ".join(f"{what} {seconds / len(told):.2f} s" for what, seconds in spent.items())


if __name__ == "__main__":
    sys.exit(main())
