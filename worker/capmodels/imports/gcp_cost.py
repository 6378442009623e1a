"""Bills of Google Cloud: the export to BigQuery (CSV or JSON lines), and the console's cost table.

Columns by Google's pages "Structure of Standard data export" and "Cost table report". Credits stand
within a row there: they are netted with it, as on the invoice.
"""

from __future__ import annotations

from capmodels.imports.bill_source import BillSource
from capmodels.imports.charges import AMOUNT

# As JSON, or as Python prints it.
_CREDITS = (
    "regexp_replace(regexp_replace(replace({@credits}, '''', '\"'), ': None\\b', ': null', 'g'), "
    "': (True|False)\\b', ': \"\\1\"', 'g')"
)


def _credited(where: str) -> str:
    """SQL of what a charge's credits come to, those that a condition holds for."""
    return (
        # a query that made the file may have added them up
        f"CASE WHEN TRY_CAST({{@credits}} AS {AMOUNT}) IS NOT NULL THEN "
        f"CASE WHEN {where.startswith('TRUE')} THEN TRY_CAST({{@credits}} AS {AMOUNT}) ELSE 0 END "
        f"WHEN json_valid({_CREDITS}) THEN COALESCE(list_sum(list_transform("
        f"list_filter(CAST(json_extract({_CREDITS}, '$[*]') AS JSON[]), lambda one: {where}), "
        f"lambda one: TRY_CAST(json_extract_string(one, '$.amount') AS {AMOUNT}))), 0) ELSE 0 END"
    )


_CREDITED = _credited("TRUE")
_PROMOTED = _credited("json_extract_string(one, '$.type') IN ('PROMOTION', 'FREE_TIER')")
_COST = f"({{#cost|unroundedcost}} + {_CREDITED})"
_SAMPLE = b"""\
billing_account_id,service.description,sku.description,usage_start_time,location.region,cost,\
currency,usage.amount,usage.unit,usage.amount_in_pricing_units,usage.pricing_unit,credits,\
invoice.month,cost_type,labels
b,Compute Engine,N2 Instance Core running in Frankfurt,2026-09-01 00:00:00 UTC,europe-west3,58.4,\
EUR,10512000,seconds,2920,hour,"[{""name"":""Sustained use"",""amount"":-8.4}]",202609,regular,\
"[{""key"":""team"",""value"":""web""}]"
b,Compute Engine,N2 Instance Ram running in Frankfurt,2026-09-01 00:00:00 UTC,europe-west3,31.3,\
EUR,1,byte-seconds,11680,gibibyte hour,[],202609,regular,
b,Compute Engine,SSD backed PD Capacity in Frankfurt,2026-09-01 00:00:00 UTC,europe-west3,20,EUR,\
1,byte-seconds,100,gibibyte month,,202609,regular,
b,Invoice,Tax,2026-09-01 00:00:00 UTC,,19.25,EUR,0,,0,,,202609,tax,
"""

SOURCE = BillSource(
    id="gcp_cost",
    title="Google Cloud billing export",
    needed=("servicedescription", "skudescription", "cost|unroundedcost",
            "invoicemonth|usagestarttime|usagestartdate"),
    months=("invoicemonth", "usagestarttime", "usagestartdate"),
    tags=("labels",),
    # The console's table ends in a row of the whole invoice.
    only="LOWER(COALESCE({costtype}, '')) <> 'total'",
    told=(
        ("Credits of {} {} are netted with the charges that they stand beside.", f"-({_CREDITED})"),
        ("Of these {} {} are promotions, which end: enter what is paid then.", f"-({_PROMOTED})"),
        (
            "Credits of {} rows cannot be read: they are not taken off.",
            f"CASE WHEN COALESCE({_CREDITS}, '') <> '' AND NOT json_valid({_CREDITS}) THEN 1 END",
        ),
    ),
    charge={
        "category": (
            "CASE LOWER(COALESCE({costtype}, '')) WHEN 'tax' THEN 'tax' "
            "WHEN 'adjustment' THEN 'adjustment' WHEN 'rounding_error' THEN 'adjustment' "
            "WHEN 'rounding error' THEN 'adjustment' ELSE 'usage' END"
        ),
        "billed": _COST,
        "effective": _COST,
        "list": "{#costatlist|cost|unroundedcost}",
        "quantity": "{#usageamountinpricingunits|usageamount}",
        "unit": "{usagepricingunit|usageunit}",
        "currency": "UPPER(TRIM({currency}))",
        "provider": "'Google Cloud'",
        "service": "{servicedescription}",
        "description": "{skudescription}",
        "region": "{locationregion|locationlocation}",
    },
    sample=_SAMPLE,
)  # fmt: skip
IMPORTER = SOURCE.importer()
