"""Quantities of things with long names can be correlated, as those of short ones."""

from __future__ import annotations

from capmodels.plans.document.quantities import quantities_of
from capmodels.tests.plans.documents import answer, cloud, plain, study_of

LONGEST_NAME = 120


def test_a_quantity_of_the_longest_name_has_a_correlation() -> None:
    item = {"name": "x" * LONGEST_NAME}
    document = {**plain([cloud("A", item=item), cloud("B")]), "draws_count": 100}
    document["ranges"] = [
        {"pointer": "/designs/A/instances/0/perf_per_vcpu_ratio", "low": 0.9, "high": 1.1},
        {"pointer": "/designs/B/instances/0/usd_per_h", "low": 0.9, "high": 1.1},
    ]
    first, second = (quantity.key for quantity in quantities_of(study_of(document)))
    assert len(first) > LONGEST_NAME
    together = {"first": first, "second": second, "spearman_ratio": 1.0}
    free, joined = (
        answer({**document, "assumptions": {**document["assumptions"], "correlations": given}})
        for given in ([], [together])
    )
    assert free.odds != joined.odds
