"""What the examples' plans of purchases answer, so that each is there at the first look.

``python -m runs.tests.plans`` asks and answers them anew; ``runs.example_plans`` keeps them.
"""

from __future__ import annotations

import orjson

from capmodels.plans.purchase.of_study import PURCHASE_PLAN, purchase_of
from capmodels.registry import get_model
from capmodels.spec import evaluate
from capmodels.tests.plans.documents import EXAMPLES, document

SLUGS = ("flat-estate", "rent-or-own", "start-up-doubling")


def _write() -> None:
    spec = get_model(PURCHASE_PLAN)
    for slug in SLUGS:
        asked = purchase_of(document(slug))
        kept = {
            "model_version": spec.version,
            "params": asked.params,
            "pointers": asked.pointers,
            "result": evaluate(spec, asked.params).model_dump(mode="json"),
        }
        (EXAMPLES / "plans" / f"{slug}.json").write_bytes(orjson.dumps(kept) + b"\n")


if __name__ == "__main__":
    _write()
