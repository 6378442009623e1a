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
from capmodels.providers import PROVIDERS, PriceList

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

REGION = re.compile(r"^[a-z][a-z0-9-]{1,29}$")
# Sizes of which one or another is sold in every region of Azure: it publishes no list of regions.
_AZURE_SIZES = ("Standard_D2s_v3", "Standard_D2s_v5", "Standard_D2as_v5", "Standard_B2s")
_SAVINGS_FILE = re.compile(r"^/savingsPlan/v1\.0/aws/[A-Za-z]+/\d+/[a-z0-9-]+/index\.json$")
_NO_KEY = (
    "Google gives its catalogue to who has a key of an API alone. Have GCP_API_KEY set where the "
    "service runs (docs/operations.md), or drop the file on Imports."
)
# What can be fetched: the lists of the providers, and rates of exchange, every day since 1999.
LISTS: dict[str, PriceList] = {
    **{one.id: one for provider in PROVIDERS.values() for one in provider.lists},
    "ecb": PriceList(
        id="ecb",
        title="Exchange rates of the European Central Bank",
        label="ECB exchange rates",
        address="https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.xml",
        by_region=False,
    ),
}
LIST_IDS = tuple(LISTS)
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
    ways = {"aws_savings": _aws_savings, "azure": _azure, "gcp": _gcp}
    way, listed, written = ways.get(source["provider"]), LISTS[source["provider"]], 0
    with _reached(source["provider"], source["region"]), path.open("wb") as file:
        whole = listed.address.format(region=source["region"])
        for piece in way(source["region"]) if way else _whole(whole):
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
    ways = {"aws_savings": _savings_files, "azure": _azure_regions}
    with _reached(provider, ""):
        found = ways[provider]() if provider in ways else _regions_of_index(provider)
        return sorted(name for name in found if REGION.match(name))


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


def _regions_of_index(provider: str) -> Iterable[str]:
    return list(_read(LISTS[provider].regions_address)["regions"])


def _savings_files() -> dict[str, str]:
    """The present files of savings plans by region."""
    return {
        one["regionCode"]: one["versionUrl"]
        for one in _read(LISTS["aws_savings"].address)["regions"]
    }


def _aws_savings(region: str) -> Iterator[bytes]:
    """The present file of a region, as the index of regions names it."""
    named = _savings_files().get(region)
    if named is None:
        raise NoList(f"AWS has no savings plans in {region}.")
    if not _SAVINGS_FILE.match(named):
        raise ValueError(named)
    parts = urlsplit(LISTS["aws_savings"].address)
    yield from _whole(f"{parts.scheme}://{parts.netloc}{named}")


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
    address = f"{LISTS['azure'].address}?$filter={quote(wanted)}"
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
    first = f"{LISTS['gcp'].address}?pageSize=5000"
    address = first
    for _ in range(_PAGES_MAX):
        page = _read(address, x_goog_api_key=key)
        yield page
        following = page.get("nextPageToken")
        if not following:
            return
        address = f"{first}&pageToken={quote(str(following), safe='')}"


def _listed(pages: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Pages as one list."""
    for count, page in enumerate(pages):
        yield (b"," if count else b"[") + json.dumps(page).encode()
    yield b"]"
