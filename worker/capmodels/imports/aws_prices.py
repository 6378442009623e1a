"""AWS's price lists: EC2's offer file and that of savings plans, as JSON and as CSV.

Source: AWS, "Reading the service price list file" (formatVersion v1.0) and the same "for a Savings
Plan". JSON has products by SKU and terms beside them, plans and the rates of what they cover; CSV
has five rows of the file itself, then one for each product and term. Both are read as the rows of
CSV, by the bare names of their columns.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capmodels.formats.reading import json_of
from capmodels.imports.bill_source import bare
from capmodels.imports.json_stream import members
from capmodels.imports.prices import Listed, figure_of, plan_price, price_importer
from capmodels.imports.table import Table, identifier

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.imports.json_stream import Large
    from capmodels.spec import JSONDict

OFFER = "offer:AmazonEC2"
# What plans of a family are called among prices.
FIGURES = {
    "ComputeSavingsPlans": "savings_plan",
    "EC2InstanceSavingsPlans": "instance_savings_plan",
}
_PAYMENTS = {"No Upfront": "", "Partial Upfront": "partial_upfront", "All Upfront": "all_upfront"}
_YEARS = {"1yr": 1, "3yr": 3, "1": 1, "3": 3}
# Linux on shared machines by the hour; of what a file does not tell apart, all rows are meant.
_OFFERED = {
    "operatingsystem": "Linux", "tenancy": "Shared", "preinstalledsw": "NA",
    "capacitystatus": "Used", "operation": "RunInstances",
}  # fmt: skip
_PLANNED = {"discountedoperation": "RunInstances"}
_IN_OFFER = ("sku", "termtype", "priceperunit", "currency", "instancetype", "operatingsystem",
             "tenancy")  # fmt: skip
_IN_PLANS = ("discountedrate", "discountedusagetype", "discountedoperation", "discountedregioncode",
             "discountedinstancetype", "purchaseoption", "leasecontractlength",
             "productfamily")  # fmt: skip
_MORE = ("regioncode", "effectivedate", "vcpu", "memory", "physicalprocessor", "offeringclass",
         *_IN_PLANS[-3:])  # fmt: skip
# What is read of a product or term in JSON, which has hundreds of thousands.
_IN_JSON = {
    name: bare(name)
    for name in ("operatingSystem", "tenancy", "preInstalledSw", "capacitystatus", "operation",
                 "instanceType", "regionCode", "location", "vcpu", "memory", "physicalProcessor",
                 "LeaseContractLength", "PurchaseOption", "OfferingClass")
}  # fmt: skip
_PUBLISHED = re.compile(rb'"publicationDate"\s*:\s*"(\d{4}-\d\d-\d\d)')
_FAMILY = re.compile(rb'"productFamily"\s*:\s*"([^"]*)"')
_SHARED = r"(^|-)BoxUsage(:|$)"
_PRODUCTS, _ON_DEMAND, _RESERVED = (
    (b"products",),
    (b"terms", b"OnDemand"),
    (b"terms", b"Reserved"),
)
_RATES = (b"terms", b"savingsPlan", b"", b"rates")


def _take(listed: Listed, row: Mapping[str, Any]) -> None:
    """Take a row of either list: what an hour costs on demand, reserved or under a plan."""
    length, paid = row.get("leasecontractlength", ""), row.get("purchaseoption", "")
    if "discountedrate" in row:
        place = row["discountedregioncode"], row["discountedinstancetype"]
        family, price, machine = row["productfamily"], row["discountedrate"], {}
        if family not in FIGURES or paid not in _PAYMENTS or length not in _YEARS:
            return
        figure = plan_price(FIGURES[family], _YEARS[length], _PAYMENTS[paid])
    else:
        place = row.get("regioncode") or row.get("location", ""), row["instancetype"]
        price, figure = row["priceperunit"], "usd_per_h"
        if row["termtype"] != "OnDemand":
            # standard, without any payment in advance
            if paid != "No Upfront" or row.get("offeringclass") != "standard":
                return
            if length not in _YEARS:
                return
            figure = plan_price("reserved", _YEARS[length])
        machine = {} if place in listed.figures else {
            "vcpu_count": figure_of(row.get("vcpu")),
            "ram_gib": figure_of(row.get("memory")),
            "cpu": row.get("physicalprocessor", ""),
        }  # fmt: skip
    if not place[1]:
        return
    listed.currencies.add(row["currency"])
    listed.as_of = max(listed.as_of, str(row.get("effectivedate", ""))[:10])
    listed.add(place, figure, price, **machine)


def _named(columns: frozenset[str]) -> dict[str, str]:
    return {bare(name): name for name in columns}


def read_table(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what an hour of machine types costs by a list in CSV."""
    report(0.1, "Reading prices")
    names = _named(table.columns)
    is_offer = names.keys() >= set(_IN_OFFER)
    wanted = {**(_OFFERED if is_offer else _PLANNED), "unit": "Hrs"}
    tests = [
        f"{identifier(names[key])} = '{value}'" for key, value in wanted.items() if key in names
    ]
    if not is_offer:
        tests.append(f"regexp_matches({identifier(names['discountedusagetype'])}, '{_SHARED}')")
    elif {"purchaseoption", "offeringclass"} <= names.keys():
        paid, kind = (identifier(names[key]) for key in ("purchaseoption", "offeringclass"))
        tests.append(
            f"(\"TermType\" = 'OnDemand' OR ({paid} = 'No Upfront' AND {kind} = 'standard'))"
        )
    else:
        tests.append("\"TermType\" = 'OnDemand'")
    kept = replace(table, source=f"(SELECT * FROM {table.source} WHERE {' AND '.join(tests)})")
    keys = [key for key in dict.fromkeys((*_IN_OFFER, *_IN_PLANS, *_MORE)) if key in names]
    rows = kept.text_rows([names[key] for key in keys])
    ((whole,),) = table.rows(f"SELECT COUNT(*) FROM {table.source}")
    listed = Listed(provider="aws", source=f"AWS price list, {_version(table.columns)}")
    listed.faults += table.rejected(100)[0]
    for _, cells in rows:
        _take(listed, dict(zip(keys, cells, strict=True)))
    if whole > len(rows):
        listed.left_out["rows of other systems, tenancies and payments"] = whole - len(rows)
    return listed.preview(needs_hour=is_offer)


def read_offer(file: Large, report: Callable[[float, str], None]) -> JSONDict:
    """Return the prices of machine types under Linux on shared machines, by an offer in JSON."""
    report(0.05, "Reading products and prices")
    listed = Listed(provider="aws", source="AWS price list, AmazonEC2")
    products: dict[bytes, JSONDict] = {}
    is_waiting = False  # terms came before the products they are for, as in no genuine file

    def take(place: tuple[bytes, ...], key: bytes, text: bytes) -> None:
        nonlocal is_waiting
        if place == _PRODUCTS:
            # most products are other systems and tenancies: they are not even taken apart
            if b"BoxUsage" in text and b'"Linux"' in text and b'"Shared"' in text:
                of = json_of(text).get("attributes", {})
                said = {plain: of[name] for name, plain in _IN_JSON.items() if name in of}
                if all(said.get(name) == value for name, value in _OFFERED.items()):
                    products[key] = said
                    return
            family = _FAMILY.search(text)
            listed.left_out[family[1].decode("utf-8", "replace") if family else ""] += 1
        elif key in products:
            kind = "Reserved" if place == _RESERVED else "OnDemand"
            for term in json_of(text).values():
                said = term.get("termAttributes", {})
                if kind == "Reserved" and said.get("PurchaseOption") != "No Upfront":
                    continue
                for dimension in term.get("priceDimensions", {}).values():
                    if dimension.get("unit") == "Hrs":
                        currency, price = next(iter(dimension["pricePerUnit"].items()))
                        paid = {plain: said[k] for k, plain in _IN_JSON.items() if k in said}
                        _take(listed, {**products[key], **paid, "termtype": kind,
                                       "priceperunit": price, "currency": currency})  # fmt: skip
                        break
        elif not products:
            is_waiting = True

    for count, found in enumerate(members(file.path, (_PRODUCTS, _ON_DEMAND, _RESERVED))):
        if count % 10_000 == 0:
            report(0.5, f"Read {count:,} products and terms")
        take(*found)
    if is_waiting:
        for found in members(file.path, (_ON_DEMAND, _RESERVED)):
            take(*found)
    return _dated(listed, file).preview()


def read_plans(file: Large, report: Callable[[float, str], None]) -> JSONDict:
    """Return what an hour of machine types costs under each plan of a file in JSON."""
    report(0.05, "Reading plans and rates")
    listed = Listed(provider="aws", source=f"AWS price list, {_version(file.columns)}")
    plans: dict[str, dict[str, str]] = {}
    # plans may stand before or after their rates, of which the last is meant
    rates: dict[tuple[str, str, str], JSONDict] = {}
    for count, (place, _key, text) in enumerate(members(file.path, (_PRODUCTS, _RATES))):
        if count % 10_000 == 0:
            report(0.5, f"Read {count:,} plans and rates")
        if place == _PRODUCTS:
            said = json_of(text)
            of = said.get("attributes", {})
            family = said.get("productFamily") or of.get("productFamily")
            length, paid = of.get("purchaseTerm", ""), of.get("purchaseOption", "")
            if family in FIGURES and length in _YEARS and paid in _PAYMENTS:
                plans[said["sku"]] = {"productfamily": family, "leasecontractlength": length,
                                      "purchaseoption": paid}  # fmt: skip
            else:
                listed.left_out["plans of other kinds and terms"] += 1
            continue
        said = json_of(text) if b"BoxUsage" in text and b'"RunInstances"' in text else {}
        is_linux = said.get("discountedOperation") == "RunInstances" and said.get("unit") == "Hrs"
        if not is_linux or not re.search(_SHARED, said.get("discountedUsageType", "")):
            listed.left_out["rates of other systems and services"] += 1
            continue
        try:
            region, name = said["discountedRegionCode"], said["discountedInstanceType"]
            rates[said["rateCode"].partition(".")[0], region, name] = {
                "discountedregioncode": region,
                "discountedinstancetype": name,
                "discountedrate": said["discountedRate"]["price"],
                "currency": said["discountedRate"]["currency"],
            }  # fmt: skip
        except (KeyError, TypeError, AttributeError):
            listed.faults.append((0, f"{str(said.get('rateCode'))[:60]}: no rate of a machine"))
    for (plan, *_), rate in rates.items():
        if plan in plans:
            _take(listed, {**plans[plan], **rate})
    return _dated(listed, file).preview(needs_hour=False)


def _dated(listed: Listed, file: Large) -> Listed:
    published = _PUBLISHED.search(file.head)
    listed.as_of = published[1].decode() if published else ""
    return listed


def _version(columns: frozenset[str]) -> str:
    """Which list it is."""
    if OFFER in columns or _named(columns).keys() >= set(_IN_OFFER):
        return "AmazonEC2"
    return next((name for name in FIGURES if f"savings:{name}" in columns), "savings plans")


def _offer_sample() -> bytes:
    """Two machine types in Ireland, one of them also under Windows, and a volume."""
    products: JSONDict = {}
    terms: JSONDict = {"OnDemand": {}, "Reserved": {}}
    for sku, name, system, vcpus, gib, price in (
        ("AAA", "m7a.large", "Linux", 2, "8 GiB", "0.1289700000"),
        ("BBB", "m7a.large", "Windows", 2, "8 GiB", "0.2209700000"),
        ("CCC", "x2idn.24xlarge", "Linux", 96, "1,536 GiB", "12.0290000000"),
    ):
        products[sku] = {"sku": sku, "productFamily": "Compute Instance", "attributes": {
            "tenancy": "Shared", "preInstalledSw": "NA", "capacitystatus": "Used",
            "operation": "RunInstances", "operatingSystem": system, "instanceType": name,
            "vcpu": str(vcpus), "memory": gib, "regionCode": "eu-west-1",
            "usagetype": f"EU-BoxUsage:{name}", "physicalProcessor": "AMD EPYC 9R14 Processor",
        }}  # fmt: skip
        hourly = {"unit": "Hrs", "pricePerUnit": {"USD": price}}
        terms["OnDemand"][sku] = {f"{sku}.J": {"priceDimensions": {f"{sku}.J.6": hourly}}}
        terms["Reserved"][sku] = {
            f"{sku}.{length}": {
                "priceDimensions": {f"{sku}.{length}.6": {
                    "unit": "Hrs", "pricePerUnit": {"USD": f"{float(price) * share:.6f}"}}},
                "termAttributes": {"LeaseContractLength": length, "OfferingClass": "standard",
                                   "PurchaseOption": "No Upfront"},
            }
            for length, share in (("1yr", 0.66), ("3yr", 0.45))
        }  # fmt: skip
    products["DDD"] = {"sku": "DDD", "productFamily": "Storage", "attributes": {}}
    offer = {"formatVersion": "v1.0", "offerCode": "AmazonEC2",
             "publicationDate": "2026-10-20T19:04:11Z", "products": products,
             "terms": terms}  # fmt: skip
    return json.dumps(offer, indent=1).encode()


def _plans_sample() -> bytes:
    """Two lengths and two payments, two types, one of them also under Windows and dedicated."""
    products, plans = [], []
    for sku, years, payment in (("P1", 1, "No Upfront"), ("P3", 3, "No Upfront"),
                                ("PA", 3, "All Upfront")):  # fmt: skip
        products.append({
            "sku": sku, "productFamily": "ComputeSavingsPlans",
            "serviceCode": "ComputeSavingsPlans",
            "attributes": {"purchaseOption": payment, "purchaseTerm": f"{years}yr"},
        })  # fmt: skip
        rates = [
            {
                "discountedSku": f"D{n}", "discountedUsageType": f"EU-{usage}:{name}",
                "discountedOperation": operation, "discountedServiceCode": "AmazonEC2",
                "rateCode": f"{sku}.D{n}", "unit": "Hrs",
                "discountedRate": {"price": f"{price / years:.5f}", "currency": "USD"},
                "discountedRegionCode": "eu-west-1", "discountedInstanceType": name,
            }
            for n, (name, usage, operation, price) in enumerate((
                ("m7a.large", "BoxUsage", "RunInstances", 0.0938),
                ("m7a.large", "BoxUsage", "RunInstances:0002", 0.1858),
                ("m7a.large", "DedicatedUsage", "RunInstances", 0.0995),
                ("m7a.large", "HostBoxUsage", "RunInstances", 0.001),
                ("q9.large", "BoxUsage", "RunInstances", 0.5),
            ))
        ]  # fmt: skip
        length = {"duration": years, "unit": "year"}
        plans.append({"sku": sku, "leaseContractLength": length, "rates": rates})
    said = {
        "version": "20261020190411", "publicationDate": "2026-10-20T19:04:11Z",
        "regionCode": "eu-west-1", "products": products, "terms": {"savingsPlan": plans},
    }  # fmt: skip
    return json.dumps(said, indent=1).encode()


_TABLE = b"""\
"FormatVersion","v1.0"
"Disclaimer","Made up."
"Publication Date","2026-11-01"
"Version","20261101"
"OfferCode","AmazonEC2"
"SKU","TermType","EffectiveDate","Unit","PricePerUnit","Currency","LeaseContractLength",\
"PurchaseOption","OfferingClass","Instance Type","vCPU","Physical Processor","Memory",\
"Operating System","Tenancy","Pre Installed S/W","CapacityStatus","operation","Region Code"
"A","OnDemand","2026-11-01","Hrs","0.2415","USD","","","","m7i.xlarge","4","Intel Xeon","16 GiB",\
"Linux","Shared","NA","Used","RunInstances","eu-central-1"
"A","Reserved","2026-11-01","Hrs","0.16","USD","1yr","No Upfront","standard","m7i.xlarge","4",\
"Intel Xeon","16 GiB","Linux","Shared","NA","Used","RunInstances","eu-central-1"
"A","Reserved","2026-11-01","Hrs","0.07","USD","3yr","Partial Upfront","standard","m7i.xlarge","4",\
"Intel Xeon","16 GiB","Linux","Shared","NA","Used","RunInstances","eu-central-1"
"A","OnDemand","2026-11-01","Hrs","0.4255","USD","","","","m7i.xlarge","4","Intel Xeon","16 GiB",\
"Windows","Shared","NA","Used","RunInstances","eu-central-1"
"""
IMPORTERS = (
    price_importer(
        id="aws_offer",
        title="AWS price list of EC2 (offer file)",
        fits=lambda columns: OFFER in columns,
        version=lambda _columns: "v1.0",
        read=read_offer,
        sample=_offer_sample,
    ),
    price_importer(
        id="aws_savings",
        title="AWS savings plans (price list file)",
        fits=lambda columns: any(f"savings:{name}" in columns for name in FIGURES),
        version=_version,
        read=read_plans,
        sample=_plans_sample,
    ),
    price_importer(
        id="aws_price_csv",
        title="AWS price list of EC2 or of savings plans (CSV)",
        fits=lambda columns: any(
            _named(columns).keys() >= set(one) for one in (_IN_OFFER, _IN_PLANS)
        ),
        version=_version,
        read=read_table,
        sample=lambda: _TABLE,
    ),
)
