"""Price lists and rates fetched from who publishes them: fixed addresses, nothing else."""

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
_AZURE = "https://prices.azure.com/api/retail/prices?$filter={}"
# AWS, "Reading the service price list file for a Savings Plan"; its index of regions.
_AWS_HOST = "https://pricing.us-east-1.amazonaws.com"
_AWS = f"{_AWS_HOST}/offers/v1.0/aws/AmazonEC2/current/{{}}/index.json"
_SAVINGS = f"{_AWS_HOST}/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json"
_SAVINGS_FILE = re.compile(r"^/savingsPlan/v1\.0/aws/[A-Za-z]+/\d+/[a-z0-9-]+/index\.json$")
# ECB, "Euro foreign exchange reference rates": every day since 1999.
_ECB = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.xml"
# What can be fetched, and what it is called. Rates have no region.
PROVIDERS = {
    "aws": "Price list of AWS",
    "aws_savings": "Savings plans of AWS",
    "azure": "Price list of Azure",
    "ecb": "Exchange rates of the European Central Bank",
}
_TIMEOUT_S = 60
_PIECE = 1 << 20
_PAGES_MAX = 2_000
BYTES_MAX = 2 << 30


def fetch(source: Mapping[str, str], path: Path, report: Callable[[float, str], None]) -> None:
    """Write the price list of one region, or exchange rates, into a file.

    Raises
    ------
    ModelError
        When the provider cannot be reached, or has no such region.
    """
    pieces = {"aws": _aws, "aws_savings": _aws_savings, "azure": _azure, "ecb": _ecb}
    written = 0
    try:
        with path.open("wb") as file:
            for piece in pieces[source["provider"]](source["region"]):
                written += file.write(piece)
                report(0.0, f"Fetched {written / 1e6:.0f} MB")
                if written > BYTES_MAX:
                    raise ModelError("The price list is larger than may be imported.")
    except urllib.error.HTTPError as exc:
        what = f" of {source['region']}" if source["region"] else ""
        message = f"The publisher has no list{what} ({exc.code})."
        raise ModelError(message) from exc
    except (OSError, ValueError) as exc:
        message = (
            "The list cannot be reached from here. Download it elsewhere and drop the file on "
            "Imports."
        )
        raise ModelError(message) from exc


def _opened(address: str) -> IO[bytes]:
    asked = urllib.request.Request(address, headers={"Accept": "application/json"})
    found: IO[bytes] = urllib.request.urlopen(asked, timeout=_TIMEOUT_S)
    return found


def _whole(address: str) -> Iterator[bytes]:
    with _opened(address) as answer:
        while piece := answer.read(_PIECE):
            yield piece


def _aws(region: str) -> Iterator[bytes]:
    return _whole(_AWS.format(region))


def _ecb(_region: str) -> Iterator[bytes]:
    return _whole(_ECB)


def _aws_savings(region: str) -> Iterator[bytes]:
    """The present file of a region, as the index of regions names it."""
    with _opened(_SAVINGS) as answer:
        regions = json.load(answer)["regions"]
    named = [one["versionUrl"] for one in regions if one["regionCode"] == region]
    if not named:
        raise ModelError(f"AWS has no savings plans in {region}.")
    if not _SAVINGS_FILE.match(named[0]):
        raise ValueError(named[0])
    yield from _whole(f"{_AWS_HOST}{named[0]}")


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
