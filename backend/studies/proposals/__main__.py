"""``python -m studies.proposals``: what a design can be proposed as, as JSON for the pages."""

import json

from studies.proposals.options import OPTIONS

print(
    json.dumps(
        [
            {"option": name, "title": one.title, "about": one.about, "rented": one.rented}
            for name, one in OPTIONS.items()
        ],
        indent=2,
    )
)
