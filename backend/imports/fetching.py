"""Price lists and rates fetched from who publishes them: fixed addresses, nothing else."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from django.conf import settings

from capmodels.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

REGION = re.compile(r"^[a-z][a-z0-9-]{1,29}$")
# Microsoft Learn, "Azure Retail Prices overview".
_AZURE = "https://prices.azure.com/api/retail/prices?$filter={}"
# Sizes of which one or another is sold in every region of Azure: it publishes no list of regions.
_AZURE_SIZES = ("Standard_D2s_v3", "Standard_D2s_v5", "Standard_D2as_v5", "Standard_B2s")
# AWS, "Getting price list files manually".
# AWS, "Reading the service price list file for a Savings Plan"; its index of regions.
_AWS_HOST = "https://pricing.us-east-1.amazonaws.com"
_AWS = f"{_AWS_HOST}/offers/v1.0/aws/AmazonEC2/current/{{}}/index.json"
_AWS_REGIONS = f"{_AWS_HOST}/offers/v1.0/aws/AmazonEC2/current/region_index.json"
_SAVINGS = f"{_AWS_HOST}/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json"
_SAVINGS_FILE = re.compile(r"^/savingsPlan/v1\.0/aws/[A-Za-z]+/\d+/[a-z0-9-]+/index\.json$")
# Google, "Cloud Billing Catalog API", services.skus.list (v1): Compute Engine, every region.
_GCP = "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus?pageSize=5000"
_NO_KEY = (
    "Google gives its catalogue to who has a key of an API alone. Have GCP_API_KEY set where the "
    "service runs (docs/operations.md), or drop the file on Imports."
)
# ECB, "Euro foreign exchange reference rates": every day since 1999.
_ECB = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.xml"
# What can be fetched, and what it is called.
PROVIDERS = {
    "aws": "Price list of AWS",
    "aws_savings": "Savings plans of AWS",
    "azure": "Price list of Azure",
    "gcp": "Price list of Google Cloud",
    "ecb": "Exchange rates of the European Central Bank",
}
# What is published region by region; the others have none.
BY_REGION = ("aws", "aws_savings", "azure")
EVERY = "all"
_TIMEOUT_S = 60
_PIECE = 1 << 20
_PAGES_MAX = 2_000
# What Google answers to a key that it does not know, or that may not.
_REFUSED = {400, 401, 403}
BYTES_MAX = 2 << 30


def fetch(source: Mapping[str, str], path: Path, report: Callable[[float, str], None]) -> None:
    """Write the price list of one region, or exchange rates, into a file.

    Raises
    ------
    NoList
        When the provider has no such region, or refuses the key.
    ModelError
        When it cannot be reached, or there is no key.
    """
    pieces = {"aws": _aws, "aws_savings": _aws_savings, "azure": _azure, "gcp": _gcp, "ecb": _ecb}
    written = 0
    with _reached(source["provider"], source["region"]), path.open("wb") as file:
        for piece in pieces[source["provider"]](source["region"]):
            written += file.write(piece)
            report(0.0, f"Fetched {written / 1e6:.0f} MB")
            if written > BYTES_MAX:
                raise ModelError("The price list is larger than may be imported.")


def regions_of(provider: str) -> list[str]:
    """Return the regions that a provider publishes a list of.

    Raises
    ------
    ModelError
        When it cannot be reached.
    """
    found = {"aws": _aws_regions, "aws_savings": _savings_files, "azure": _azure_regions}
    with _reached(provider, ""):
        return sorted(name for name in found[provider]() if REGION.match(name))


class NoList(ModelError):
    """The publisher answers, and has no such list."""


@contextmanager
def _reached(provider: str, region: str) -> Iterator[None]:
    """Say in a sentence why a list could not be had."""
    try:
        yield
    except urllib.error.HTTPError as exc:
        what = f" of {region}" if region else ""
        message = f"The publisher has no list{what} ({exc.code})."
        if provider == "gcp" and exc.code in _REFUSED:
            message = f"Google refuses the key GCP_API_KEY ({exc.code})."
        raise NoList(message) from exc
    except (OSError, ValueError, KeyError) as exc:
        message = (
            "The list cannot be reached from here. Download it elsewhere and drop the file on "
            "Imports."
        )
        raise ModelError(message) from exc


def _opened(address: str, **secrets: str) -> IO[bytes]:
    """Open an address; ``secrets`` are headers that no other address is told of."""
    asked = urllib.request.Request(address, headers={"Accept": "application/json"})
    for name, value in secrets.items():
        asked.add_unredirected_header(name.replace("_", "-"), value)
    found: IO[bytes] = urllib.request.urlopen(asked, timeout=_TIMEOUT_S)
    return found


def _read(address: str, **secrets: str) -> dict[str, Any]:
    with _opened(address, **secrets) as answer:
        said: dict[str, Any] = json.load(answer)
    return said


def _whole(address: str) -> Iterator[bytes]:
    with _opened(address) as answer:
        while piece := answer.read(_PIECE):
            yield piece


def _aws(region: str) -> Iterator[bytes]:
    return _whole(_AWS.format(region))


def _ecb(_region: str) -> Iterator[bytes]:
    return _whole(_ECB)


def _aws_regions() -> Iterable[str]:
    return list(_read(_AWS_REGIONS)["regions"])


def _savings_files() -> dict[str, str]:
    """The present files of savings plans by region."""
    return {one["regionCode"]: one["versionUrl"] for one in _read(_SAVINGS)["regions"]}


def _aws_savings(region: str) -> Iterator[bytes]:
    """The present file of a region, as the index of regions names it."""
    named = _savings_files().get(region)
    if named is None:
        raise NoList(f"AWS has no savings plans in {region}.")
    if not _SAVINGS_FILE.match(named):
        raise ValueError(named)
    yield from _whole(f"{_AWS_HOST}{named}")


def _azure(region: str) -> Iterator[bytes]:
    """All pages as one list."""
    wanted = f"serviceName eq 'Virtual Machines' and armRegionName eq '{region}'"
    return _listed(_azure_pages(wanted))


def _azure_regions() -> Iterable[str]:
    return {
        str(item.get("armRegionName"))
        for size in _AZURE_SIZES
        for page in _azure_pages(f"serviceName eq 'Virtual Machines' and armSkuName eq '{size}'")
        for item in page["Items"]
    }


def _azure_pages(wanted: str) -> Iterator[Mapping[str, Any]]:
    address = _AZURE.format(quote(wanted))
    host = urlsplit(address).netloc
    for _ in range(_PAGES_MAX):
        page = _read(address)
        yield page
        following = page.get("NextPageLink")
        if not following:
            return
        if urlsplit(following).netloc.partition(":")[0] != host:
            raise ValueError(following)
        address = f"https://{host}{urlsplit(following).path}?{urlsplit(following).query}"


def _gcp(_region: str) -> Iterator[bytes]:
    if not settings.GCP_API_KEY:
        raise ModelError(_NO_KEY)
    return _listed(_gcp_pages(settings.GCP_API_KEY))


def _gcp_pages(key: str) -> Iterator[Mapping[str, Any]]:
    address = _GCP
    for _ in range(_PAGES_MAX):
        page = _read(address, x_goog_api_key=key)
        yield page
        following = page.get("nextPageToken")
        if not following:
            return
        address = f"{_GCP}&pageToken={quote(str(following), safe='')}"


def _listed(pages: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Pages as one list."""
    for count, page in enumerate(pages):
        yield (b"," if count else b"[") + json.dumps(page).encode()
    yield b"]"
