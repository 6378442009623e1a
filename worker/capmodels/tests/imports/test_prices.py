"""Price lists: every price found, whatever stands around it; damaged ones are refused."""

from __future__ import annotations

import csv
import io
import json
import random
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports import aws_prices, gcp_skus
from capmodels.imports.json_stream import members
from capmodels.imports.registry import importer_of, opened, recognised
from capmodels.imports.texts import JSON_BYTES_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read(path: Path, text: str) -> dict[str, Any]:
    path.write_text(text)
    file = opened(path)
    return recognised(file.columns).read(file, lambda *_: None)


def anything(draw: random.Random, depth: int) -> Any:
    """Some JSON, with brackets and quotes within texts."""
    kinds = ["text", "number", "list", "object"] if depth else ["text", "number"]
    match draw.choice(kinds):
        case "text":
            return "".join(draw.choice('{}[]",:\\ aé\n') for _ in range(draw.randrange(9)))
        case "number":
            return draw.choice([0, -1.5, True, None])
        case "list":
            return [anything(draw, depth - 1) for _ in range(draw.randrange(4))]
    return {str(n): anything(draw, depth - 1) for n in range(draw.randrange(4))}


@pytest.mark.parametrize("seed", range(40))
def test_members_of_any_json_are_those_that_a_library_reads(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    wanted = {f'k"{n}\\' if n % 7 == 3 else f"k{n}": {"x": anything(draw, 4)} for n in range(9)}
    value = {"before": anything(draw, 3), "a": {"b": wanted, "c": {"d": {}}}, "z": [1, {"a": {}}]}
    path = tmp_path / "file"
    indent = draw.choice([None, 1])
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=draw.random() < 0.5))
    plain = {key: said for key, said in wanted.items() if key.isalnum()}
    if len(plain) < len(wanted):
        with pytest.raises(FileRefused):
            list(members(path, [(b"a", b"b")]))
        return
    found = {key.decode(): json.loads(text) for _, key, text in members(path, [(b"a", b"b")])}
    assert found == wanted


def test_terms_before_their_products_are_found(tmp_path: Path) -> None:
    offer = json.loads(importer_of("aws_offer").sample())
    turned = {"offerCode": "AmazonEC2", "terms": offer["terms"], "products": offer["products"]}
    found = read(tmp_path / "file", json.dumps(turned))
    assert [row["usd_per_h"] for row in found["prices"]] == [0.12897, 12.029]
    assert found["prices"][0]["reserved_3y_usd_per_h"] == pytest.approx(0.12897 * 0.45, abs=1e-6)
    assert found["prices"][1]["ram_gib"] == 1536
    assert "1 Storage" in found["notes"][0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[:-20], "ends early"),
        (lambda text: text + "}", "closed twice"),
        (lambda text: text.replace('"Linux"', '"Plan 9"'), "no price"),
        (lambda text: text.replace("[]", "[" * 60 + "]" * 60), "nested"),
        (lambda text: text.replace('"AAA": {', '"AAA": 7, "AAB": {', 1), "no object"),
    ],
)
def test_damaged_lists_are_refused_with_a_sentence(change: Any, said: str, tmp_path: Path) -> None:
    text = importer_of("aws_offer").sample().decode().replace('"terms"', '"list": [],\n "terms"')
    with pytest.raises(FileRefused, match=said):
        read(tmp_path / "file", change(text))


@pytest.mark.parametrize("seed", range(6))
def test_each_rate_of_a_savings_plan_is_found_whatever_stands_around_it(
    seed: int, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    family = draw.choice(list(aws_prices.FIGURES))
    products, plans, expected = [], [], {}
    names = [f"{draw.choice('cmr')}{n}a.{n}xlarge" for n in range(1, 9)]
    payments = ("No Upfront", "Partial Upfront", "All Upfront")
    for sku, (years, payment) in enumerate((y, p) for y in (1, 3) for p in payments):
        attributes = {"purchaseOption": payment, "purchaseTerm": f"{years}yr"}
        products.append({"attributes": attributes, "productFamily": family, "sku": f"P{sku}"})
        rates = []
        for count in range(60):
            name, region = draw.choice(names), draw.choice(["us-east-1", "eu-west-3"])
            usage = draw.choice(["", "EUW3-"]) + draw.choice(["BoxUsage", "DedicatedUsage"])
            operation = draw.choice(["RunInstances", "RunInstances:0002", "RunInstances:0g00"])
            price = draw.uniform(0.001, 40)
            rates.append({
                "discountedSku": f"D{count}", "discountedUsageType": f"{usage}:{name}",
                "discountedOperation": operation, "discountedServiceCode": "AmazonEC2",
                "rateCode": f"P{sku}.D{count}", "unit": "Hrs",
                "discountedRate": {"price": repr(price), "currency": "USD"},
                "discountedRegionCode": region, "discountedInstanceType": name,
            })  # fmt: skip
            if "Box" in usage and operation == "RunInstances":
                paid = {"No": "", "Partial": "_partial_upfront", "All": "_all_upfront"}
                kind = {"ComputeSavingsPlans": "savings_plan"}.get(family, "instance_savings_plan")
                how = paid[payment.split()[0]]
                expected[region, name, f"{kind}_{years}y{how}_usd_per_h"] = price
        rates.append({"discountedServiceCode": "AWSLambda", "rateCode": f"P{sku}.L", "a": "]}{["})
        plan = {"sku": f"P{sku}", "description": 'a "plan" [x', "leaseContractLength": {}}
        plans.append({**plan, "rates": rates} if draw.random() < 0.5 else {"rates": rates, **plan})
    head = {"version": "1", "publicationDate": "2026-01-02T00:00:00Z", "regionCode": "x"}
    parts = [("products", products), ("terms", {"savingsPlan": plans})]
    indent = draw.choice([None, 2])
    found = read(tmp_path / "file", json.dumps({**head, **dict(parts)}, indent=indent))
    said = {
        (row["region"], row["type"], name): row[name]
        for row in found["prices"]
        for name in row
        if name.endswith("_per_h")
    }
    assert said == pytest.approx(expected)
    assert found["as_of"] == "2026-01-02"


def test_a_savings_plan_cut_off_is_refused(tmp_path: Path) -> None:
    text = importer_of("aws_savings").sample().decode()
    with pytest.raises(FileRefused, match="cannot be read"):
        read(tmp_path / "file", text[: len(text) * 2 // 3])


@pytest.mark.parametrize("seed", range(6))
def test_machines_of_google_cost_cores_and_ram_of_their_family(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    labels = {"n1": "N1 Predefined Instance", "n2d": "N2D AMD Instance", "e2": "E2 Instance",
              "c2": "Compute optimized", "t2a": "T2A Arm Instance"}  # fmt: skip
    skus, parts = [], {}
    for family, label in labels.items():
        for part, unit in (("Core", "h"), ("Ram", "GiBy.h")):
            for region in ("europe-west1", "asia-east1"):
                units, nanos = draw.choice([0, 0, 3]), draw.randrange(1, 10**9)
                parts[family, part, region] = units + nanos / 1e9
                old, new = (
                    {"effectiveTime": f"2026-0{month}-01T00:00:00Z", "pricingExpression": {
                        "usageUnit": unit, "tieredRates": [{"unitPrice": {
                            "currencyCode": "USD", "units": str(whole), "nanos": nanos}}]}}
                    for month, whole in ((1, 9), (2, units))
                )  # fmt: skip
                skus.append({
                    "description": f"{label} {part} running in Somewhere",
                    "pricingInfo": [old, new], "serviceRegions": [region],
                    "category": {"resourceFamily": "Compute", "usageType": "OnDemand"},
                })  # fmt: skip
    for label in ("Spot Preemptible N2D AMD Instance", "N2D AMD Custom Instance", "N2D Sole"):
        skus.append({**draw.choice(skus), "description": f"{label} Core running in Somewhere"})
    draw.shuffle(skus)
    pages = [{"skus": skus[:9], "nextPageToken": "x"}, {"skus": skus[9:], "nextPageToken": ""}]
    forms = (json.dumps(pages), "\n".join(map(json.dumps, pages)))
    found = read(tmp_path / "file", draw.choice(forms))
    assert (found["as_of"], found["provider"]) == ("2026-02-01", "gcp")
    for row in found["prices"]:
        family = row["type"].partition("-")[0]
        core, ram = (parts[family, part, row["region"]] for part in ("Core", "Ram"))
        assert row["usd_per_h"] == pytest.approx(row["vcpu_count"] * core + row["ram_gib"] * ram)
    shapes = [s for s in gcp_skus.SHAPES.items() if s[0].partition("-")[0] in labels]
    assert len(found["prices"]) == 2 * sum(len(sizes) for _name, (_gib, sizes) in shapes)


def test_prices_of_google_in_several_currencies_are_refused(tmp_path: Path) -> None:
    text = importer_of("gcp_skus").sample().decode()
    with pytest.raises(FileRefused, match="several currencies"):
        read(tmp_path / "file", text.replace('"USD"', '"EUR"', 1))
    page = json.loads(text)
    page["skus"][0]["pricingInfo"][0]["pricingExpression"]["usageUnit"] = "mo"
    with pytest.raises(FileRefused, match="no price"):
        read(tmp_path / "file", json.dumps({"skus": page["skus"][:2]}))


@pytest.mark.parametrize("seed", range(6))
def test_machines_of_ec2_have_their_prices_in_every_region(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    wanted: dict[tuple[str, str], tuple[float, float | None]] = {}
    machines, others = [], 0
    for name in ("m5.large", "c7g.metal", "x2iedn.32xlarge")[: 1 + seed % 3]:
        pricing: dict[str, Any] = {}
        for region in draw.sample(["us-east-1", "eu-west-1", "sa-east-1", "us-gov-west-1"], 3):
            hour, year = round(draw.uniform(0.01, 40), 5), round(draw.uniform(0.01, 20), 5)
            has_year = draw.random() < 0.5
            said: dict[str, Any] = {"ondemand": draw.choice([str(hour), hour])}
            if has_year:
                said["reserved"] = {"yrTerm1Standard.noUpfront": str(year), "yrTerm3.x": "1"}
            wanted[region, name] = (hour, year if has_year else None)
            pricing[region] = {"linux": said, "mswin": {"ondemand": "N/A"}}
            others += 1
        pricing["ap-east-1"] = {"linux": {"ondemand": "N/A"}}
        machine = {"ECU": 0, "ebs_optimized": True, "instance_type": name, "vCPU": 4, "memory": 8}
        machines.append({**machine, "noise": anything(draw, 2), "pricing": pricing})
    alone = len(machines) == 1 and draw.random() < 0.5
    text = json.dumps(machines[0] if alone else machines, indent=draw.choice([None, 2]))
    found = read(tmp_path / "file", text)
    prices = {
        (row["region"], row["type"]): (row["usd_per_h"], row.get("reserved_1y_usd_per_h"))
        for row in found["prices"]
    }
    assert prices == wanted
    assert f"{others} prices of mswin" in found["notes"][0]


def test_lists_of_other_services_are_not_those_of_ec2(tmp_path: Path) -> None:
    cache = {"instance_type": "cache.m6g.large", "vcpu": "2", "pricing": {"eu-west-1": {}}}
    with pytest.raises(FileRefused, match="no kind that can be imported"):
        read(tmp_path / "file", json.dumps([cache]))


_ABOVE = [["FormatVersion", "v1.0"], ["Disclaimer", "Made up, as all of it."], ["Version", "1"],
          ["Publication Date", "2026-11-01T00:00:00Z"], ["OfferCode", "A"]]  # fmt: skip


def as_table(rows: list[dict[str, str]], seed: int) -> str:
    """A list as AWS writes it in CSV, its columns in any order."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    random.Random(seed).shuffle(names)
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerows([*_ABOVE, names, *([row.get(name, "") for name in names] for row in rows)])
    return text.getvalue()


@pytest.mark.parametrize("seed", range(4))
def test_an_offer_in_csv_has_each_price_on_demand_and_reserved(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    rows: list[dict[str, str]] = []
    want: dict[tuple[str, str], dict[str, float]] = {}
    for at in range(20):
        name, region = f"m{at}.large", draw.choice(["eu-west-1", "us-east-1"])
        for system, paid, length in (
            ("Linux", "", ""), ("Windows", "", ""), ("Linux", "No Upfront", "1yr"),
            ("Linux", "No Upfront", "3yr"), ("Linux", "All Upfront", "3yr"),
        ):  # fmt: skip
            price = round(draw.uniform(0.01, 20), 5)
            row = {
                "SKU": f"S{at}", "TermType": "Reserved" if paid else "OnDemand", "Unit": "Hrs",
                "PricePerUnit": f"{price:.10f}", "Currency": "USD", "EffectiveDate": "2026-11-01",
                "LeaseContractLength": length, "PurchaseOption": paid,
                "OfferingClass": "standard" if paid else "", "Instance Type": name, "vCPU": "8",
                "Memory": "1,024 GiB", "Operating System": system, "Tenancy": "Shared",
                "Pre Installed S/W": "NA", "CapacityStatus": "Used", "operation": "RunInstances",
                "Region Code": region, "Physical Processor": "Intel",
            }  # fmt: skip
            rows += [row, row | {"Tenancy": "Dedicated"}, row | {"CapacityStatus": "AllocatedHost"}]
            rows += [row | {"OfferingClass": "convertible"}] if paid else []
            figure = {"": "usd_per_h", "1yr": "reserved_1y_usd_per_h"}.get(
                length, "reserved_3y_usd_per_h"
            )
            if system == "Linux" and paid != "All Upfront":
                want.setdefault((region, name), {})[figure] = price
    draw.shuffle(rows)
    found = read(tmp_path / "file", as_table(rows, seed))
    assert (found["faults_count"], found["as_of"]) == (0, "2026-11-01")
    figures = {
        (row["region"], row["type"]): {k: v for k, v in row.items() if k.endswith("usd_per_h")}
        for row in found["prices"]
    }
    assert figures == want
    assert {row["ram_gib"] for row in found["prices"]} == {1024.0}


def test_savings_plans_in_csv_are_those_of_json(tmp_path: Path) -> None:
    said = json.loads(importer_of("aws_savings").sample())
    options = {one["sku"]: one["attributes"]["purchaseOption"] for one in said["products"]}
    rows = [
        {
            "SKU": plan["sku"], "RateCode": rate["rateCode"], "Unit": rate["unit"],
            "EffectiveDate": "2026-10-20", "DiscountedRate": rate["discountedRate"]["price"],
            "Currency": "USD", "DiscountedUsageType": rate["discountedUsageType"],
            "DiscountedOperation": rate["discountedOperation"],
            "PurchaseOption": options[plan["sku"]], "LeaseContractLengthUnit": "year",
            "LeaseContractLength": str(plan["leaseContractLength"]["duration"]),
            "Product Family": "ComputeSavingsPlans",
            "DiscountedRegionCode": rate["discountedRegionCode"],
            "DiscountedInstanceType": rate["discountedInstanceType"],
        }
        for plan in said["terms"]["savingsPlan"]
        for rate in plan["rates"]
    ]  # fmt: skip
    found = read(tmp_path / "csv", as_table(rows, 1))
    assert (
        found["prices"]
        == read(tmp_path / "json", importer_of("aws_savings").sample().decode())["prices"]
    )


def test_azures_plans_and_machines_of_other_kinds_are_told_apart(tmp_path: Path) -> None:
    page = json.loads(importer_of("azure_retail").sample())
    plain = page["Items"][0]
    cloud = plain | {"productName": "Dasv6 Series CloudServices", "retailPrice": 9.0}
    items = [cloud, *page["Items"], plain | {"armRegionName": "x", "retailPrice": "free"}]
    for file in (page | {"Items": items}, items):
        found = read(tmp_path / "file", json.dumps(file))
        (row,) = found["prices"]
        assert row["usd_per_h"] == 0.096
        assert row["savings_plan_1y_usd_per_h"] == 0.071
        assert row["reserved_1y_usd_per_h"] == pytest.approx(0.06)
        assert "is no price" in found["faults"][0]["message"]


# Google, "VM instance pricing", Iowa, 2026: a core and a GiB of RAM as two types of a family give
# them, and what other types of it cost an hour. [USD]
PUBLISHED = {
    "C4": (0.03465, 0.003938, {"c4-standard-2": 0.096866, "c4-highcpu-24": 1.020624,
                               "c4-highmem-4": 0.260678, "c4-highmem-288": 18.768816}),
    "C4A Arm": (0.03086, 0.00351, {"c4a-standard-72": 3.2328, "c4a-highcpu-48": 1.81824}),
    "C4D": (0.0327035, 0.003495578, {"c4d-standard-4": 0.18324767, "c4d-highcpu-4": 0.155283046,
                                     "c4d-highmem-8": 0.481849414}),
    "N4": (0.03119, 0.00354, {"n4-highcpu-80": 3.0616, "n4-highmem-48": 2.85648}),
    "N4D": (0.02911, 0.00331, {"n4d-highcpu-96": 3.43008, "n4d-standard-80": 3.388}),
    "N4A Arm": (0.02646, 0.00301, {"n4a-highmem-48": 2.42592, "n4a-standard-2": 0.077}),
}  # fmt: skip


@pytest.mark.parametrize("label", PUBLISHED)
def test_machines_of_google_cost_what_its_own_page_says(label: str, tmp_path: Path) -> None:
    text = importer_of("gcp_skus").sample().decode()
    page = json.loads(text.replace("N2 Instance", f"{label} Instance"))
    core, ram, types = PUBLISHED[label]
    for sku, usd in zip(page["skus"], (core, ram), strict=False):
        rate = sku["pricingInfo"][0]["pricingExpression"]["tieredRates"][0]
        rate["unitPrice"]["nanos"] = round(usd * 1e9)
    found = read(tmp_path / "file", json.dumps(page))
    prices = {row["type"]: row.get("usd_per_h") for row in found["prices"]}
    assert {name: prices[name] for name in types} == pytest.approx(types, abs=1e-6)


@pytest.mark.parametrize(
    ("family", "part"), [("A2", "GPUs"), ("G2", "GPUs"), ("Z3", "local disks")]
)
def test_families_with_parts_priced_apart_have_no_price(
    family: str, part: str, tmp_path: Path
) -> None:
    text = importer_of("gcp_skus").sample().decode()
    new = json.loads(text.replace("N2 Instance", f"{family} Instance"))
    page = {"skus": json.loads(text)["skus"] + new["skus"]}
    found = read(tmp_path / "file", json.dumps(page))
    assert f"2 prices of {family}, whose machines have {part} that are" in found["notes"][0]


def test_families_of_google_without_known_sizes_are_told(tmp_path: Path) -> None:
    text = importer_of("gcp_skus").sample().decode()
    page = json.loads(text)
    new = json.loads(text.replace("N2 Instance", "Q9 Instance").replace("N2 Cpu", "Q9 Cpu"))
    found = read(tmp_path / "file", json.dumps({"skus": page["skus"] + new["skus"]}))
    assert "2 prices of Q9, whose sizes are not known" in found["notes"][0]


@pytest.mark.parametrize("change", ["region", "price"])
def test_a_damaged_rate_is_told_and_the_others_are_kept(change: str, tmp_path: Path) -> None:
    said = json.loads(importer_of("aws_savings").sample())
    whole = len(read(tmp_path / "whole", json.dumps(said))["prices"])
    for plan in said["terms"]["savingsPlan"]:
        rate = plan["rates"][0]
        if change == "region":
            del rate["discountedRegionCode"]
        else:
            rate["discountedRate"]["price"] = "n/a"
    found = read(tmp_path / "file", json.dumps(said))
    assert (len(found["prices"]), found["faults_count"]) == (whole - 1, 3)


def _azure_item(draw: random.Random, name: str, region: str, price: float) -> dict[str, Any]:
    said = {
        "currencyCode": "USD", "retailPrice": price, "armRegionName": region,
        "effectiveStartDate": f"2026-0{draw.randint(1, 9)}-01T00:00:00Z", "armSkuName": name,
        "productName": "Series ] of {", "skuName": name, "serviceName": "Virtual Machines",
        "unitOfMeasure": "1 Hour", "type": "Consumption",
        "savingsPlan": [{"term": "1 Year", "retailPrice": price / 2}],
    }  # fmt: skip
    return dict(draw.sample(list(said.items()), len(said)))


def _paged(pages: list[str], how: str) -> Iterator[str]:
    """Pages one after another, in a list of pages, or their prices in one list."""
    if how == "one after another":
        yield from (f"{page}\n" for page in pages)
        return
    yield "["
    for count, page in enumerate(pages):
        said = page if how == "list" else page[page.index("[") + 1 : page.rindex("]")]
        yield f"{',' if count else ''}{said}"
    yield "]"


@pytest.mark.parametrize("how", ["one after another", "list", "prices alone"])
@pytest.mark.parametrize("seed", [1, 2])
def test_prices_of_azure_are_read_however_their_pages_are_put_together(
    seed: int, how: str, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    expected = {
        (f"region{place}", f"Standard_D{n}s_v{place}"): draw.randint(1, 4000) / 256
        for place in range(7) for n in range(1, 60)
    }  # fmt: skip
    items = [_azure_item(draw, name, region, usd) for (region, name), usd in expected.items()]
    pages = [
        json.dumps({"BillingCurrency": "USD", "Items": items[at : at + 100], "Count": 100})
        for at in range(0, len(items), 100)
    ]
    found = read(tmp_path / "file", "".join(_paged(pages, how)))
    said = {(row["region"], row["type"]): row["usd_per_h"] for row in found["prices"]}
    assert said == expected
    assert found["as_of"] == max(item["effectiveStartDate"][:10] for item in items)


@pytest.mark.parametrize("kind", ["azure", "google"])
def test_lists_above_the_limit_of_documents_are_read_in_little_memory(
    kind: str, tmp_path: Path
) -> None:
    draw = random.Random(3)
    path = tmp_path / "file"
    if kind == "azure":
        name, filler = "Items", {**_azure_item(draw, "", "x", 0.0), "serviceName": "Storage " * 500}
        wanted = [_azure_item(draw, f"Standard_D{n}s_v5", "x", n / 8) for n in range(1, 9)]
    else:
        (page,) = [json.loads(importer_of("gcp_skus").sample())]
        name, wanted = "skus", page["skus"][:2]
        filler = {**page["skus"][6], "description": "Storage PD Capacity " * 200}
    text = json.dumps(filler)
    with path.open("w") as file:
        file.write(f'{{"BillingCurrency": "USD", "{name}": [')
        for _ in range((JSON_BYTES_MAX >> 12) + 2_000):
            file.write(f"{text},\n")
        file.write(",".join(map(json.dumps, wanted)) + "]}")
    assert path.stat().st_size > JSON_BYTES_MAX
    opened_file = opened(path)
    tracemalloc.start()
    found = recognised(opened_file.columns).read(opened_file, lambda *_: None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < JSON_BYTES_MAX / 4
    assert len(found["prices"]) >= len(wanted)


def test_a_list_of_azure_that_ends_early_is_refused(tmp_path: Path) -> None:
    text = importer_of("azure_retail").sample().decode()
    with pytest.raises(FileRefused, match="ends"):
        read(tmp_path / "file", text[: len(text) // 2])
