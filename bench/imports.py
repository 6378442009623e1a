"""Files that a planner imports, large ones, each in a process of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench._lib import Row, at_most
from bench._read import again, genuine

ROWS = 8_000_000
_GENERATE = """
import duckdb, sys
duckdb.sql('''COPY (SELECT 'USD' AS BillingCurrency, DATE '2026-01-01' + INTERVAL (i % 12) MONTH
  AS BillingPeriodStart, CAST(i * 7919 % 100003 AS DECIMAL(9, 0)) * 0.001 AS BilledCost,
  CAST(i * 7919 % 100003 AS DECIMAL(9, 0)) * 0.001 AS EffectiveCost, 'Usage' AS ChargeCategory,
  'Compute' AS ServiceCategory, 'service ' || (i % 60) AS ServiceName,
  '$0.1 per m5.large Instance Hour, price ' || (i % 3000) AS ChargeDescription,
  'Hours' AS PricingUnit,
  CAST(i % 24 AS DECIMAL(20, 10)) AS PricingQuantity, 'resource ' || i AS ResourceId,
  '{{"team": "' || (i % 50) || '"}}' AS Tags FROM range({rows}) t(i))
  TO '{path}' (FORMAT parquet)'''.format(rows=sys.argv[1], path=sys.argv[2]))
"""
_READ = """
import json, resource, sys, time
from pathlib import Path
from capmodels.imports.registry import recognised
from capmodels.imports.table import open_table
started = time.perf_counter()
table = open_table(Path(sys.argv[1]))
bill = recognised(table.columns).read(table, lambda _share, _said: None)
print(json.dumps({
    "s": time.perf_counter() - started,
    "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    "billed": bill["totals"]["billed"],
    "rows": bill["totals"]["rows_count"],
}))
"""


def _python(program: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *words], check=True, capture_output=True, text=True
    )
    return done.stdout


def _billed(rows: int) -> float:
    """What the generated bill comes to, by hand."""
    return sum(i * 7919 % 100003 for i in range(rows)) / 1000


FLEET = 5_000
_FLEET = """
import random, sys
from openpyxl import Workbook
draw, book = random.Random(5), Workbook(write_only=True)
guests = book.create_sheet('vInfo')
guests.append(['VM', 'Powerstate', 'Template', 'CPUs', 'Memory', 'Active Memory', 'In Use MiB',
               'Provisioned MiB', 'Cluster', 'Host', 'OS according to the configuration file'])
for i in range(int(sys.argv[1])):
    guests.append([f'vm-{i}', draw.choice(['poweredOn', 'poweredOff']), False, 2 + i % 7,
                   8192, 4096, 102400, 204800, f'c{i % 9}', f'esx-{i % 200}', 'Linux'])
hosts = book.create_sheet('vHost')
hosts.append(['Host', 'CPU Model', '# CPU', '# Cores', 'CPU usage %', '# Memory',
              'Memory usage %', '# VMs', 'Vendor', 'Model'])
for i in range(200):
    hosts.append([f'esx-{i}', 'Xeon Gold 6338', 2, 64, 37, 1048576, 61, 25, 'Dell', 'R750'])
stores = book.create_sheet('vDatastore')
stores.append(['Name', 'Capacity MiB', 'In Use MiB'])
for i in range(60):
    stores.append([f'san-{i}', 10485760, 5242880])
disks = book.create_sheet('vDisk')
disks.append(['VM', 'Disk', 'Capacity MiB'])
for i in range(2 * int(sys.argv[1])):
    disks.append([f'vm-{i // 2}', f'Hard disk {i % 2}', 102400])
book.save(sys.argv[2])
"""
_READ_FLEET = """
import json, sys, time
from pathlib import Path
from capmodels.imports.registry import opened, recognised
started = time.perf_counter()
book = opened(Path(sys.argv[1]))
fleet = recognised(book.columns).read(book, lambda _share, _said: None)
print(json.dumps({"s": time.perf_counter() - started,
                  "guests": sum(row["vms_count"] for row in fleet["guests"])}))
"""


OFFER_MB = 300
_OFFER = """
import random, sys
draw = random.Random(9)
goal, path = float(sys.argv[1]) * 1e6, sys.argv[2]
attributes = '''{
    "servicecode": "AmazonEC2", "location": "US East (N. Virginia)", "locationType": "AWS Region",
    "instanceType": "%s", "currentGeneration": "Yes", "instanceFamily": "General purpose",
    "vcpu": "%d", "physicalProcessor": "AMD EPYC 9R14 Processor", "clockSpeed": "3.7 GHz",
    "memory": "%d GiB", "storage": "EBS only", "networkPerformance": "Up to 12500 Megabit",
    "processorArchitecture": "64-bit", "tenancy": "%s", "operatingSystem": "%s",
    "licenseModel": "No License required", "usagetype": "BoxUsage:%s", "operation": "%s",
    "availabilityzone": "NA", "capacitystatus": "%s", "classicnetworkingsupport": "false",
    "dedicatedEbsThroughput": "Up to 10000 Mbps", "ecu": "NA", "gpuMemory": "NA",
    "enhancedNetworkingSupported": "Yes", "intelAvxAvailable": "Yes", "intelAvx2Available": "Yes",
    "intelTurboAvailable": "Yes", "marketoption": "OnDemand", "normalizationSizeFactor": "4",
    "preInstalledSw": "NA", "processorFeatures": "AMD Turbo; AVX; AVX2; Intel AVX512",
    "regionCode": "us-east-1", "servicename": "Amazon Elastic Compute Cloud",
    "vpcnetworkingsupport": "true"
   }'''
with open(path, 'w') as file:
    file.write('{\\n "formatVersion": "v1.0",\\n "offerCode": "AmazonEC2",\\n "version": "1",\\n'
               ' "publicationDate": "2026-10-20T19:04:11Z",\\n "products": {\\n')
    skus = []
    for i in range(1300):
        for tenancy in ('Shared', 'Dedicated', 'Host'):
            for system in ('Linux', 'Windows', 'RHEL', 'SUSE', 'Ubuntu Pro'):
                for status in ('Used', 'UnusedCapacityReservation'):
                    sku = f'S{len(skus):015d}'
                    skus.append(sku)
                    name = f'm{i // 30 + 5}a.{i % 30 + 1}xlarge'
                    file.write('  "%s": {\\n   "sku": "%s",\\n   "productFamily": "Compute '
                               'Instance",\\n   "attributes": %s\\n  },\\n'
                               % (sku, sku, attributes % (name, i % 30 * 4 + 4, i % 30 * 16 + 16,
                                  tenancy, system, name, 'RunInstances' if system == 'Linux'
                                  else 'RunInstances:0002', status)))
    file.write('  "LAST": {"sku": "LAST", "productFamily": "Fee", "attributes": {}}\\n },\\n'
               ' "terms": {\\n  "OnDemand": {\\n')
    def term(sku, code, price, more='{}'):
        return ('"%s.%s": {"offerTermCode": "%s", "sku": "%s", "effectiveDate": '
                '"2026-10-01T00:00:00Z",\\n "priceDimensions": {"%s.%s.6YS6EN2CT7": {"rateCode": '
                '"%s.%s.6YS6EN2CT7", "description": "$%s per Instance Hour", "beginRange": "0", '
                '"endRange": "Inf", "unit": "Hrs", "pricePerUnit": {"USD": "%s"}, '
                '"appliesTo": []}},\\n "termAttributes": %s}'
                % (sku, code, code, sku, sku, code, sku, code, price, price, more))
    prices = {sku: '%.10f' % draw.uniform(0.01, 20) for sku in skus}
    file.write(',\\n'.join('   "%s": {%s}' % (s, term(s, 'JRTCKXETXF', prices[s])) for s in skus))
    file.write('\\n  },\\n  "Reserved": {\\n')
    for n, sku in enumerate(skus):
        years = ['{"LeaseContractLength": "%s", "OfferingClass": "%s", "PurchaseOption": "%s"}'
                 % (y, c, o) for y in ('1yr', '3yr') for c in ('standard', 'convertible')
                 for o in ('No Upfront', 'Partial Upfront', 'All Upfront')]
        parts = [term(sku, f'R{k}', prices[sku], y) for k, y in enumerate(years)]
        last = file.tell() >= goal or n == len(skus) - 1
        file.write('   "%s": {%s}%s\\n' % (sku, ',\\n'.join(parts), '' if last else ','))
        if last:
            break
    file.write('  }\\n },\\n "attributesList": {}\\n}\\n')
"""
_READ_OFFER = """
import json, resource, sys, time
from pathlib import Path
from capmodels.imports.registry import opened, recognised
started, worked = time.perf_counter(), time.process_time()
file = opened(Path(sys.argv[1]))
said = recognised(file.columns).read(file, lambda _share, _said: None)
print(json.dumps({"s": time.perf_counter() - started, "cpu": time.process_time() - worked,
                  "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
                  "prices": len(said["prices"])}))
"""


def _offer() -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ampacity-bench-") as folder:
        path = Path(folder) / "offer"
        _python(_OFFER, str(OFFER_MB), str(path))
        size = path.stat().st_size / 1e6
        found = json.loads(_python(_READ_OFFER, str(path)))
        yield from again(path)
    what = f"AWS EC2 price file of {size:.0f} MB"
    yield at_most("imports.offer_s", what, "s", found["s"], 60.0)
    yield at_most("imports.offer_mb", "the same, memory of the process", "MB", found["mb"], 250.0)
    yield at_most("imports.offer_lost", "the same, prices lost", "", 1300 - found["prices"], 0)


def rows() -> Iterator[Row]:
    """Measure every figure that reading files is held to."""
    yield from _bill()
    yield from genuine(os.environ.get("FOCUS_FILE", ""))
    yield from _fleet()
    yield from _offer()
    yield from _tariff()
    yield from _forecast()


def _fleet() -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ampacity-bench-") as folder:
        path = Path(folder) / "fleet"
        _python(_FLEET, str(FLEET), f"{path}.xlsx")
        found = json.loads(_python(_READ_FLEET, f"{path}.xlsx"))
    yield at_most("imports.rvtools_s", "RVTools of 5,000 machines", "s", found["s"], 10.0)
    lost = FLEET - found["guests"]
    yield at_most("imports.rvtools_lost", "the same, machines not counted", "", lost, 0)


def _bill() -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ampacity-bench-") as folder:
        path = Path(folder) / "bill"
        _python(_GENERATE, str(ROWS), str(path))
        found = json.loads(_python(_READ, str(path)))
    yield at_most("imports.focus_s", "FOCUS Parquet of 8 M rows", "s", found["s"], 40.0)
    yield at_most("imports.focus_mb", "the same, memory of the process", "MB", found["mb"], 1000.0)
    off = abs(float(found["billed"]) - _billed(ROWS))
    yield at_most("imports.focus_cents", "the same, off the sum of its rows", "USD", off, 0.005)


_TARIFF = """
import json, random
from datetime import datetime, timedelta
from capmodels.registry import get_model
from capmodels.spec import Context
draw, lost = random.Random(15), 0.0
for _ in range(20):
    load = [draw.uniform(20, 900) for _hour in range(8760)]
    plan = [[draw.randrange(3) for _hour in range(24)] for _month in range(12)]
    rates = [round(draw.uniform(-0.02, 0.4), 5) for _period in range(3)]
    price, share, fixed = round(draw.uniform(2, 30), 2), round(draw.uniform(0.3, 0.9), 2), 250.0
    tiers = [{"tiers": [{"rate_usd_per_kwh": rate}]} for rate in rates]
    found = get_model("cost.tariff")
    said = found.run(found.params.model_validate({
        "year": 2026, "load": {"kind": "power", "hourly_power_kw": load},
        "energy": {"weekday_schedule": plan, "weekend_schedule": plan[::-1], "periods": tiers},
        "flat_demand": {"periods": [{"tiers": [{"rate_usd_per_kw_month": price}]}],
                        "ratchet_fraction": [share] * 12},
        "fixed_usd_per_month": fixed}), Context(seed=1))
    bills, peaks = [fixed] * 12, [0.0] * 12
    for hour, power in enumerate(load):
        at = datetime(2026, 1, 1) + timedelta(hours=hour)
        month = at.month - 1
        days = plan if at.weekday() < 5 else plan[::-1]
        bills[month] += power * rates[days[month][at.hour]]
        peaks[month] = max(peaks[month], power)
    for month in range(12):
        before = max(peaks[at] for at in range(12) if at != month)
        bills[month] += price * max(peaks[month], share * before)
        lost = max(lost, abs(said.months[month].total_usd - bills[month]))
print(json.dumps(lost))
"""


def _tariff() -> Iterator[Row]:
    off = json.loads(_python(_TARIFF))
    what = "20 tariffs with a charge on power and a ratchet, a year by the hour: off by hand"
    yield at_most("imports.tariff_cents", what, "USD", off, 0.005)


_FORECAST = """
import json, math, random, time
from capmodels.registry import get_model
from capmodels.spec import Context
draw, ratios, longest = random.Random(15), [], 0.0
for _ in range(5):
    day, week, year, rise = (draw.uniform(0, 0.4) for _part in range(4))
    phase, noise, values = draw.uniform(0, 6), 0.0, []
    for hour in range(2 * 8760):
        noise = 0.7 * noise + draw.gauss(0, 0.03)
        busy = 1 + day * math.sin(hour * math.tau / 24 + phase)
        busy += week * (hour // 24 % 7 < 5) + year * math.sin(hour * math.tau / 8766)
        values.append(1000 * (busy + noise) * (1 + rise * hour / 8766))
    started = time.perf_counter()
    found = get_model("demand.forecast")
    said = found.run(found.params.model_validate(
        {"step": "hour", "values": values, "ahead_count": 8760}), Context(seed=1))
    longest = max(longest, time.perf_counter() - started)
    ratios.append(said.back_test.mean_error / said.back_test.naive_error)
print(json.dumps([longest, max(ratios)]))
"""


def _forecast() -> Iterator[Row]:
    longest, ratio = json.loads(_python(_FORECAST))
    what = "forecast of two years by the hour, the longest of five"
    yield at_most("imports.forecast_s", what, "s", longest, 5.0)
    worst = "the same, its error over that of the week before, the worst of five"
    yield at_most("imports.forecast_ratio", worst, "", ratio, 1.0)
