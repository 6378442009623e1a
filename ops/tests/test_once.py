"""What `./run --once` asks of the API."""

from typing import TYPE_CHECKING, Any, cast

import pytest

from ops.once import find_study
from ops.say import Failure

if TYPE_CHECKING:
    from ops.net import Client

PAGES: dict[str, dict[str, Any]] = {
    "/api/v1/studies": {"results": [{"id": "1", "slug": "one"}], "next_cursor": "a b="},
    "/api/v1/studies?cursor=a%20b%3D": {
        "results": [{"id": "2", "slug": "two"}],
        "next_cursor": None,
    },
    "/api/v1/studies/2": {"id": "2", "slug": "two", "title": "Second page"},
}


class Pages:
    """Answers from a table instead of a server."""

    def get(self, path: str) -> dict[str, Any]:
        """The answer at an address."""
        return PAGES[path]


def test_a_study_is_found_on_a_later_page() -> None:
    assert find_study(cast("Client", Pages()), "two")["title"] == "Second page"


def test_a_study_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(Failure, match=r"no study 'three'\. There are: one, two"):
        find_study(cast("Client", Pages()), "three")
