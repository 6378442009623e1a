"""Bills of Azure: exports of cost details, for enterprise, customer and pay-as-you-go agreements.

Columns by Azure's page "Understand cost details fields"; their spelling differs by agreement, their
case by export. A file of actual cost has commitments where they were bought, one of amortized cost
where they were used.
"""

from __future__ import annotations

from capmodels.imports.bill_source import BillSource, spelled
from capmodels.imports.charges import AMOUNT

_COST = "costinbillingcurrency|pretaxcost|cost"
_QUANTITY = "quantity|usagequantity"
# Exports of older agreements leave the braces out.
_DETAILS = "regexp_replace(TRIM({additionalinfo}), '^([^{].*)$', '{\\1}')"


def _version(columns: frozenset[str]) -> str:
    """Which agreement's columns they are."""
    there = spelled(columns)
    if "pretaxcost" in there:
        return "pay as you go"
    return "customer agreement" if "costinusd" in there else "enterprise agreement"


_SAMPLE = b'''\
Date,ServiceFamily,MeterCategory,MeterSubCategory,MeterName,ProductName,UnitOfMeasure,Quantity,\
CostInBillingCurrency,PayGPrice,ResourceLocation,ChargeType,PricingModel,ReservationId,\
BillingCurrencyCode,AdditionalInfo,Tags
09/01/2026,Compute,Virtual Machines,Dasv6 Series,D4as v6,Virtual Machines Dasv6 Series,1 Hour,\
720,138.24,0.192,eastus,Usage,OnDemand,,EUR,"{""ServiceType"":""Standard_D4as_v6"",\
""VCPUs"":4}","""team"": ""web"""
09/01/2026,Compute,Virtual Machines,Dasv6 Series,D4as v6,Virtual Machines Dasv6 Series,1 Hour,\
720,72,0.192,eastus,Usage,Reservation,r-1,EUR,"{""ServiceType"":""Standard_D4as_v6"",\
""VCPUs"":4}",
09/01/2026,Compute,Virtual Machines,Dasv6 Series,D4as v6,Virtual Machines Dasv6 Series,1 Hour,\
24,2.4,0,eastus,UnusedReservation,Reservation,r-1,EUR,,
09/01/2026,Storage,Storage,Standard Blob,Hot LRS Data Stored,Blob Storage,1 GB/Month,1000,18.4,\
0.0184,eastus,Usage,OnDemand,,EUR,,
09/01/2026,,,,,Rounding,,1,0.01,0.01,,RoundingAdjustment,,,EUR,,
'''

SOURCE = BillSource(
    id="azure_cost",
    title="Azure cost details",
    needed=("metercategory", _COST, "billingperiodstartdate|date|usagedatetime|usagedate"),
    # The month of a charge's day where the period is left blank.
    months=("billingperiodstartdate", "date", "usagedatetime", "usagedate"),
    period=("billingperiodstartdate", "billingperiodenddate"),
    # As the page has it: MM/DD/YYYY.
    documented="month_first",
    tags=("tags",),
    version=_version,
    charge={
        "category": (
            "CASE LOWER(COALESCE({chargetype}, '')) WHEN 'purchase' THEN 'purchase' "
            "WHEN 'refund' THEN 'refund' WHEN 'tax' THEN 'tax' WHEN 'credit' THEN 'credit' "
            "WHEN 'adjustment' THEN 'adjustment' WHEN 'roundingadjustment' THEN 'adjustment' "
            "ELSE 'usage' END"
        ),
        "billed": f"{{#{_COST}}}",
        "effective": f"{{#{_COST}}}",
        # That of the bill where there is no list price; exports write 0 where they have none.
        "list": (
            "COALESCE(CAST(TRY_CAST(NULLIF({?paygprice}, 0) AS DECIMAL(19, 9)) * "
            f"TRY_CAST({{#{_QUANTITY}}} AS DECIMAL(19, 6)) AS {AMOUNT}), {{#{_COST}}})"
        ),
        "quantity": f"{{#{_QUANTITY}}}",
        "unit": "regexp_replace({unitofmeasure}, '^[0-9.]+ ', '')",
        "currency": "{billingcurrency|billingcurrencycode|currency}",
        "provider": "'Azure'",
        "service_category": "{servicefamily}",
        "service": "{metercategory}",
        "description": "{productname|product|metername}",
        "meter": "concat_ws(' ', {metersubcategory}, {metername})",
        "instance_type": (
            f"CASE WHEN json_valid({_DETAILS}) "
            f"THEN json_extract_string({_DETAILS}, '$.ServiceType') END"
        ),
        "region": "{resourcelocation|meterregion}",
        "pricing": "{pricingmodel}",
        "commitment_id": "{reservationid|benefitid}",
        "commitment_type": (
            "CASE WHEN {pricingmodel} = 'SavingsPlan' THEN 'Savings plan' ELSE 'Reservation' END"
        ),
        "commitment_use": (
            "CASE WHEN LOWER(COALESCE({chargetype}, '')) LIKE 'unused%' THEN 'Unused' "
            "WHEN {pricingmodel} IN ('Reservation', 'SavingsPlan') THEN 'Used' END"
        ),
    },
    sample=_SAMPLE,
)
IMPORTER = SOURCE.importer()
