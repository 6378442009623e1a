"""``python -m reports.render``: the parts of a report as JSON, for lists on the pages."""

import json

from reports.render.registry import parts

print(
    json.dumps(
        [
            {
                "id": part.id,
                "title": part.title,
                "formats": part.formats,
                "appendix": part.appendix,
            }
            for part in parts()
        ],
        indent=2,
    )
)
