"""Quantities of a study with honest maxima: about what there is of each on the planet.

What is typed beyond them is a slip of the hand, and its cost would be a number that nobody
can read.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels import units

# Ten billion machines, cores or disks; a yottabyte; more money than all that is owned.
MOST_COUNT = 10_000_000_000
MOST_TB = 1e12
MOST_GB = 1e15
MOST_PER_S = 1e15
MOST_GBIT_PER_S = 1e9
MOST_W = 1e9
MOST_KGCO2E = 1e12
MOST_USD = 1e15
MOST_PRICE_USD = 1e9

# As many draws as an answer may have; the places where studies are kept hold to it too.
MOST_DRAWS = 50_000

Count = Annotated[units.Count, Field(le=MOST_COUNT)]
CountFromOne = Annotated[units.CountFromOne, Field(le=MOST_COUNT)]

DataTb = Annotated[units.DataTb, Field(le=MOST_TB)]
DataTbPerMonth = Annotated[units.DataTbPerMonth, Field(le=MOST_TB)]
DataGb = Annotated[units.DataGb, Field(le=MOST_GB)]
DataGib = Annotated[units.DataGib, Field(le=MOST_GB)]
RatePerS = Annotated[units.RatePerS, Field(le=MOST_PER_S)]
ThroughputMbPerS = Annotated[units.ThroughputMbPerS, Field(le=MOST_PER_S)]
NetworkGbitPerS = Annotated[units.NetworkGbitPerS, Field(le=MOST_GBIT_PER_S)]

PowerW = Annotated[units.PowerW, Field(le=MOST_W)]
CarbonKgco2e = Annotated[units.CarbonKgco2e, Field(le=MOST_KGCO2E)]
CarbonGco2ePerKwh = Annotated[units.CarbonGco2ePerKwh, Field(le=MOST_KGCO2E)]

Usd = Annotated[units.Usd, Field(le=MOST_USD)]
UsdPerYear = Annotated[units.UsdPerYear, Field(le=MOST_USD)]
UsdPerMonth = Annotated[units.UsdPerMonth, Field(le=MOST_USD)]
UsdPerH = Annotated[units.UsdPerH, Field(le=MOST_PRICE_USD)]
UsdPerKwh = Annotated[units.UsdPerKwh, Field(le=MOST_PRICE_USD)]
UsdPerKwMonth = Annotated[units.UsdPerKwMonth, Field(le=MOST_PRICE_USD)]
UsdPerGb = Annotated[units.UsdPerGb, Field(le=MOST_PRICE_USD)]
UsdPerGbMonth = Annotated[units.UsdPerGbMonth, Field(le=MOST_PRICE_USD)]
UsdPerTbMonth = Annotated[units.UsdPerTbMonth, Field(le=MOST_PRICE_USD)]
