"""Price lists fetched from the providers themselves: fixed addresses, nothing else."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from typing import IO, TYPE_CHECKING
from urllib.parse import quote, urlsplit

from capmodels.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

REGION = re.compile(r"^[a-z][a-z0-9-]{1,29}$")
# AWS, "Getting price list files manually"; Microsoft Learn, "Azure Retail Prices overview".
_AWS = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEC2/current/{}/index.json"
_AZURE = "https://prices.azure.com/api/retail/prices?$filter={}"
PROVIDERS = ("aws", "azure")
_TIMEOUT_S = 60
_PIECE = 1 << 20
_PAGES_MAX = 2_000
BYTES_MAX = 2 << 30


def fetch(source: Mapping[str, str], path: Path, report: Callable[[float, str], None]) -> None:
    """Write the price list of one region into a file.

    Raises
    ------
    ModelError
        When the provider cannot be reached, or has no such region.
    """
    pieces = _aws if source["provider"] == "aws" else _azure
    written = 0
    try:
        with path.open("wb") as file:
            for piece in pieces(source["region"]):
                written += file.write(piece)
                report(0.0, f"Fetched {written / 1e6:.0f} MB")
                if written > BYTES_MAX:
                    raise ModelError("The price list is larger than may be imported.")
    except urllib.error.HTTPError as exc:
        message = f"The provider has no price list of {source['region']} ({exc.code})."
        raise ModelError(message) from exc
    except (OSError, ValueError) as exc:
        message = (
            "The provider's price list cannot be reached from here. Download it elsewhere and "
            "drop the file on Imports."
        )
        raise ModelError(message) from exc


def _opened(address: str) -> IO[bytes]:
    asked = urllib.request.Request(address, headers={"Accept": "application/json"})
    found: IO[bytes] = urllib.request.urlopen(asked, timeout=_TIMEOUT_S)
    return found


def _aws(region: str) -> Iterator[bytes]:
    with _opened(_AWS.format(region)) as answer:
        while piece := answer.read(_PIECE):
            yield piece


def _azure(region: str) -> Iterator[bytes]:
    """All pages as one list."""
    wanted = f"serviceName eq 'Virtual Machines' and armRegionName eq '{region}'"
    address = _AZURE.format(quote(wanted))
    host = urlsplit(address).netloc
    for count in range(_PAGES_MAX):
        with _opened(address) as answer:
            page = json.load(answer)
        yield (b"," if count else b"[") + json.dumps(page).encode()
        following = page.get("NextPageLink")
        if not following:
            break
        if urlsplit(following).netloc.partition(":")[0] != host:
            raise ValueError(following)
        address = f"https://{host}{urlsplit(following).path}?{urlsplit(following).query}"
    yield b"]"
