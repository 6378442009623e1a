"""What `./run --once` asks of the API."""

from typing import TYPE_CHECKING, Any, cast

from ops.once import find_study

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
